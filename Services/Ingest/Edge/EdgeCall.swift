internal import IngestAPI
internal import IngestSupport
internal import IngestUploads
internal import NIOCore
internal import NIOHTTP1
internal import ServiceKit

/// One request on its way in: its head, whose it is, its body.
///
/// Its connection tells it what comes and does the step that it returns; a call knows no connection. A body is bounded before
/// it is kept: by the call's limit, by what a stranger may send, and by what all bodies together may take. What is refused is
/// refused at once if much of its body is still to come, else when the body has passed, so that the connection can go on.
///
/// Confined to the event loop of its connection. A call that is let go gives back what its body took.
final class EdgeCall {
    /// What the connection does next.
    enum Step {
        /// Waits for what comes.
        case wait
        /// Reads no more of the body until the look-up has ended.
        case hold
        /// Looks for the device of a token, and tells ``found(_:)``.
        case lookUp(Substring)
        /// Looks for the device of an upload key, and tells ``found(_:)``.
        case lookUpKey(TokenHash)
        /// Answers, before the end of the body or after it.
        case answer(Answer)
        /// Hands the request to the API, and gives back to the budget what its body took once that has answered.
        case handOver(DeviceCall)
        /// Becomes a WebSocket.
        case upgrade(RealtimeSession)
        /// Becomes a speed test.
        case measure(SpeedTestSession)
        /// Becomes a latency echo.
        case echo(EchoSession)
    }

    private enum Sender {
        case stranger
        /// A token was sent that is not in memory.
        case lookedUp
        case device(DeviceIdentity)
        /// The token's device was erased by this request.
        case erased(by: String)
    }

    let head: RequestHead
    private let edge: Edge
    private let address: ClientAddress
    private let limit: Int
    private var body = ByteBuffer()
    private var sender = Sender.stranger
    private var isComplete = false
    private var problem: DeviceAPIError?
    /// Of a device that was found by its upload key: the hash of its token.
    private var keyedToken: TokenHash?
    /// The methods that a browser is told which asks whether a page may call.
    private var preflight: [String]?

    init(_ head: HTTPRequestHead, _ edge: Edge, from address: ClientAddress) {
        self.head = RequestHead(head, edge.api.paths)
        self.edge = edge
        self.address = address
        limit = self.head.route.isUpload ? edge.limits.uploadBytes : edge.limits.callBytes
    }

    deinit { forgetBody() }

    /// True once the request is known to be a device's.
    var isOfDevice: Bool {
        if case .device = sender { true } else { false }
    }

    /// True if the client waits to be told that its body is wanted (RFC 9110, 10.1.1), and it is.
    var asksToContinue: Bool { problem == nil && head.expectsContinue }

    private var device: DeviceIdentity? {
        if case .device(let device) = sender { device } else { nil }
    }

    /// Checks the head and finds out whose it is.
    func begin() -> Step {
        do throws(DeviceAPIError) {
            if head.head.method == .OPTIONS, let methods = head.route.methods, edge.origins.origin(of: head) != nil {
                return try beginPreflight(methods)
            }
            try head.check(edge.limits)
            if let length = head.contentLength, length > limit { throw .tooLarge(limit) }
            guard head.route.isOfDevice else {
                if let problem = edge.api.admission.refusesStranger(address) { throw problem }
                return .wait
            }
            return head.route == .geosubmit ? findKeyed(try uploadKey()) : findDevice(try token())
        } catch { return refuse(error, isAwaited: head.expectsContinue) }
    }

    private func beginPreflight(_ methods: [String]) throws(DeviceAPIError) -> Step {
        try head.checkForm(edge.limits)
        if let problem = edge.api.admission.refusesStranger(address) { throw problem }
        preflight = methods
        return .wait
    }

    private func token() throws(DeviceAPIError) -> Substring {
        do { return try head.token() } catch {
            throw edge.api.admission.failed(head.hasAuthorization ? .notBearer : .noToken, from: address, else: error)
        }
    }

    private func uploadKey() throws(DeviceAPIError) -> TokenHash {
        do { return try head.uploadKey() } catch {
            throw edge.api.admission.failed(.noToken, from: address, else: error)
        }
    }

    private func findKeyed(_ key: TokenHash) -> Step {
        sender = .lookedUp
        return .lookUpKey(key)
    }

    private func findDevice(_ token: Substring) -> Step {
        if let known = edge.api.directory.known(token) {
            sender = .device(known)
            return .wait
        }
        sender = .lookedUp
        return .lookUp(token)
    }

    /// The look-up of an upload key has ended.
    func found(keyed result: Result<KeyedDevice, DeviceAPIError>) -> Step {
        keyedToken = try? result.get().token
        return found(result.map(\.identity))
    }

    /// The look-up has ended.
    func found(_ result: Result<DeviceIdentity, DeviceAPIError>) -> Step {
        var step = Step.wait
        switch result {
        case .success(let device): sender = .device(device)
        case .failure(let problem):
            if let request = erasureAskedFor(problem) {
                sender = .erased(by: request)
            } else {
                sender = .stranger
                step = refuse(problem)
            }
        }
        return isComplete ? handOver() : step
    }

    /// The token of an erased device may ask how its erasure stands, and for nothing else.
    private func erasureAskedFor(_ problem: DeviceAPIError) -> String? {
        guard let request = problem.request, head.route == .erasure, head.lastPart == request[...] else { return nil }
        return request
    }

    /// A piece of the body has come.
    func receive(_ bytes: ByteBuffer) -> Step {
        guard problem == nil else { return .wait }
        guard body.readableBytes + bytes.readableBytes <= limit else { return refuse(.tooLarge(limit)) }
        guard edge.budget.take(bytes.readableBytes) else { return refuse(.busy) }
        if body.readableBytes == 0 { body = bytes } else { body.writeImmutableBuffer(bytes) }
        return mayReceiveMore ? .wait : .hold
    }

    /// A stranger's body waits in the socket beyond its first bytes.
    private var mayReceiveMore: Bool {
        guard case .lookedUp = sender else { return true }
        return body.readableBytes < edge.limits.strangerBytes
    }

    /// The request has come to its end.
    func complete() -> Step {
        isComplete = true
        if case .lookedUp = sender { return .wait }
        return handOver()
    }

    private func handOver() -> Step {
        if let problem { return .answer(answer(problem)) }
        if let preflight {
            forgetBody()
            return .answer(Answer(preflightFor: preflight))
        }
        switch head.route {
        case .realtime: return upgrade()
        case .download, .upload: return measure()
        case .echo: return echo()
        default: break
        }
        var call = DeviceCall(head: head, device: device, address: address, body: body)
        if case .erased(let request) = sender { call.erasedBy = request }
        call.keyedToken = keyedToken
        body = ByteBuffer()
        return .handOver(call)
    }

    private func upgrade() -> Step {
        forgetBody()
        do throws(DeviceAPIError) {
            let device = device!
            if !head.hasAuthorization { try edge.origins.checkWebSocket(head) }
            if let problem = edge.api.admission.refusesCall(of: device.ordinal) { throw problem }
            return .upgrade(try RealtimeSession(head, of: device, now: edge.api.clock.now()))
        } catch { return .answer(answer(error)) }
    }

    private func echo() -> Step {
        forgetBody()
        do throws(DeviceAPIError) {
            try edge.origins.checkWebSocket(head)
            return .echo(try EchoSession(head, from: address, edge.echoes))
        } catch { return .answer(answer(error)) }
    }

    private func measure() -> Step {
        forgetBody()
        do throws(DeviceAPIError) {
            try edge.origins.checkWebSocket(head)
            return .measure(try SpeedTestSession(head, from: address, edge.speedTests, now: edge.api.clock.now()))
        } catch { return .answer(answer(error)) }
    }

    /// - Parameter isAwaited: the client sends no body before it has heard from us, so that none will pass.
    private func refuse(_ problem: DeviceAPIError, isAwaited: Bool = false) -> Step {
        forgetBody()
        self.problem = problem
        guard !isComplete, isAwaited || !head.hasShortBody(edge.limits.strangerBytes) else { return .wait }
        return .answer(answer(problem))
    }

    private func answer(_ problem: DeviceAPIError) -> Answer {
        var answer = edge.api.refused(problem, of: head.route.isUpload ? device : nil)
        answer.hasBody = !head.isHead
        // A stranger who asks too often has to connect anew for each further try.
        answer.closes = problem.status == 429
        return answer
    }

    private func forgetBody() {
        guard body.readableBytes > 0 else { return }
        edge.budget.give(body.readableBytes)
        body = ByteBuffer()
    }
}
