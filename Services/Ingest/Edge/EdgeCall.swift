internal import NIOCore
internal import NIOHTTP1
internal import ServiceKit

/// One request on its way in: its head, whose it is, its body.
///
/// Confined to the event loop of its connection. A body is bounded before it is kept: by the call's limit, by what a
/// stranger may send, and by what all bodies together may take. What is refused is refused at once if much of its body is
/// still to come, else when the body has passed, so that the connection can go on.
final class EdgeCall {
    let head: RequestHead
    private let edge: Edge
    /// Held as long as the look-up of a device may come back; the connection lets go of its call when it ends.
    private let connection: EdgeConnection
    private let limit: Int
    private var body = ByteBuffer()
    private var device: DeviceIdentity?
    private var isLookingUp = false
    private var isComplete = false
    private var problem: Problem?
    /// The request by which the token's device was erased.
    private var erasedBy: String?

    init(_ head: HTTPRequestHead, of connection: EdgeConnection) {
        self.connection = connection
        edge = connection.edge
        self.head = RequestHead(head, connection.edge.api.paths)
        limit = self.head.route.isUpload ? edge.limits.uploadBytes : edge.limits.callBytes
    }

    /// A stranger's body waits in the socket beyond its first bytes.
    var mayRead: Bool { !isLookingUp || body.readableBytes < edge.limits.strangerBytes }

    /// Checks the head and finds out whose it is.
    func begin() {
        do throws(Problem) {
            try head.check(edge.limits)
            if let length = head.contentLength, length > limit { throw .tooLarge(limit) }
            if head.route.isOfDevice { findDevice(try token()) } else { try admitStranger() }
            if head.expectsContinue { connection.writeContinue() }
        } catch { refuse(error, isAwaited: head.expectsContinue) }
    }

    private func token() throws(Problem) -> Substring {
        do { return try head.token() } catch {
            throw edge.api.admission.failed(
                head.hasAuthorization ? .notBearer : .noToken, from: connection.address, else: error)
        }
    }

    private func admitStranger() throws(Problem) {
        if let problem = edge.api.admission.refusesStranger(connection.address) { throw problem }
    }

    private func findDevice(_ token: Substring) {
        device = edge.api.directory.known(token)
        guard device == nil else { return connection.isKnown() }
        isLookingUp = true
        let bound = NIOLoopBound(self, eventLoop: connection.eventLoop)
        edge.api.findDevice(token, from: connection.address, on: connection.eventLoop) { bound.value.found($0) }
    }

    private func found(_ result: Result<DeviceIdentity, Problem>) {
        isLookingUp = false
        switch result {
        case .success(let found):
            device = found
            connection.isKnown()
        case .failure(let problem): if !mayAsk(of: problem) { refuse(problem) }
        }
        if isComplete { handOver() } else { connection.resumeReading() }
    }

    /// The token of an erased device may ask how its erasure stands, and for nothing else.
    private func mayAsk(of problem: Problem) -> Bool {
        guard let request = problem.request, head.route == .erasure, head.lastPart == request[...] else { return false }
        erasedBy = request
        return true
    }

    func receive(_ bytes: ByteBuffer) {
        guard problem == nil else { return }
        guard body.readableBytes + bytes.readableBytes <= limit else { return refuse(.tooLarge(limit)) }
        guard edge.budget.take(bytes.readableBytes) else { return refuse(.busy) }
        if body.readableBytes == 0 { body = bytes } else { body.writeImmutableBuffer(bytes) }
    }

    func complete() {
        isComplete = true
        if !isLookingUp { handOver() }
    }

    private func handOver() {
        if let problem { return connection.answer(answer(problem)) }
        if head.route == .realtime { return beRealtime() }
        let (size, budget) = (body.readableBytes, edge.budget)
        let bound = NIOLoopBound(connection, eventLoop: connection.eventLoop)
        let call = DeviceCall(head: head, device: device, address: connection.address, body: body, erasedBy: erasedBy)
        body = ByteBuffer()
        let hasBody = !head.isHead, isChunked = head.head.version.minor > 0
        let (api, loop) = (edge.api, connection.eventLoop)
        let reply: @Sendable (Answer) -> Void = { answer in
            budget.give(size)
            var answer = answer
            answer.hasBody = hasBody
            answer.isChunked = isChunked
            bound.value.answer(answer)
        }
        guard size > EdgeTurns.smallBytes else { return api.answer(call, on: loop, reply) }
        connection.rounds.turns.add(on: loop) { api.answer(call, on: loop, reply) }
    }

    /// The opening of a WebSocket is answered by the connection's other half.
    private func beRealtime() {
        forget()
        do throws(Problem) {
            let device = device!
            if let problem = edge.api.admission.refusesCall(of: device.ordinal) { throw problem }
            connection.beRealtime(try RealtimeSession(head, of: device, now: edge.api.clock.now()))
        } catch { connection.answer(answer(error)) }
    }

    /// - Parameter isAwaited: the phone sends no body before it has heard from us, so that none will pass.
    private func refuse(_ problem: Problem, isAwaited: Bool = false) {
        forget()
        self.problem = problem
        guard !isComplete, isAwaited || !head.hasShortBody(edge.limits.strangerBytes) else { return }
        connection.answer(answer(problem))
    }

    private func answer(_ problem: Problem) -> Answer {
        var answer = edge.api.refused(problem, of: head.route.isUpload ? device : nil)
        answer.hasBody = !head.isHead
        // A stranger who asks too often has to connect anew for each further try.
        answer.closes = problem.status == 429
        return answer
    }

    /// Gives back what the body took.
    func forget() {
        edge.budget.give(body.readableBytes)
        body = ByteBuffer()
    }
}
