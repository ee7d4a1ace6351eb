internal import HTTPTypes
public import Hummingbird
internal import Logging
internal import Models
internal import NIOCore
internal import ServiceKit

/// The device API: finds the route by hand, authenticates, reads the body, hands the upload to the commit thread and
/// answers when it is on disk.
public struct DeviceAPI: HTTPResponder {
    public typealias Context = DeviceAPIContext

    let directory: DeviceDirectory
    let copies: CopiesReader
    let reader: UploadReader
    let queue: CommitQueue
    let clock: WallClock
    let metrics: IngestMetrics
    let budget: BodyBudget
    let bodyLimit: Int
    let logger: Logger

    public func respond(to request: Request, context: DeviceAPIContext) async throws -> Response {
        do {
            return try await route(request)
        } catch let problem as Problem {
            metrics.refused.count(problem.code)
            return Self.response(problem)
        }
    }

    private func route(_ request: Request) async throws -> Response {
        let head = RequestHead(request.head)
        if let methods = head.route.methods, !methods.contains(request.method.rawValue) {
            let allow = methods.joined(separator: ", ")
            throw Problem(405, "method_not_allowed", "This path has only \(allow)", allow: allow)
        }
        switch head.route {
        case .reports: return try await upload(.report, head, request)
        case .feedback: return try await upload(.feedback, head, request)
        case .enrol: return try await enrol(head, request)
        case .consent where request.method == .put: return try await changeConsent(head, request)
        case .consent: return try await consent(head)
        case .rewards: return try await rewards(head)
        case .later: throw Problem(404, "not_available_yet", "This call comes with a later release")
        case .unknown: throw Problem(404, "not_found", "There is nothing at this path")
        }
    }

    private func upload(_ kind: RecordKind, _ head: RequestHead, _ request: Request) async throws -> Response {
        let began = ContinuousClock.now
        let device = try await device(of: head)
        var wanted = try head.upload(kind, arrivedAt: 0)
        let body = try await body(of: request, head, limit: bodyLimit)
        wanted.arrivedAt = clock.now()
        let upload = try body.withUnsafeReadableBytes { bytes throws(Problem) in
            try reader.read(bytes, of: device, as: wanted)
        }
        metrics.parsed.observe(.now - began)
        let result = await withUnsafeContinuation { queue.offer(.upload(upload, $0)) }
        return Self.response(200, try result.get().body, type: "application/json")
    }

    private func enrol(_ head: RequestHead, _ request: Request) async throws -> Response {
        _ = try head.upload(.report, arrivedAt: 0).format == .json
        let body = try await body(of: request, head, limit: 16_384)
        let wanted = try EnrolmentRequest.read(Array(buffer: body))
        var random = SystemRandomNumberGenerator()
        let token = DeviceToken.text((0..<32).map { _ in UInt8.random(in: .min ... .max, using: &random) })
        let id = RecordIdentifier.random(&random)
        let enrolment = Enrolment(
            deviceID: id.bytes, tokenHash: DeviceToken.hash(token[...]).bytes, platform: wanted.platform,
            appVersion: wanted.app_version, consent: wanted.purposes, policyVersion: wanted.policy_version,
            ageBand: wanted.age_band, hasGuardian: wanted.guardian ?? false, deviceKey: wanted.key)
        let result = await withUnsafeContinuation { queue.offer(.enrolment(enrolment, $0)) }
        _ = try result.get()
        return Self.response(
            201, Array("{\"device_id\":\"\(id.text)\",\"token\":\"\(token)\"}".utf8), type: "application/json")
    }

    /// The device whose token a request has.
    func device(of head: RequestHead) async throws -> DeviceIdentity {
        let token = try head.token()
        guard let device = try await looked({ try await directory.device(token) }) else {
            throw RequestHead.unauthorized("nobody has this token")
        }
        return device
    }

    /// What the directory answers; that it cannot is logged here.
    func looked<Answer>(_ look: () async throws -> Answer) async throws -> Answer {
        do {
            return try await look()
        } catch {
            logger.error("device look-up failed", metadata: ["error": "\(error)"])
            throw Problem.failed
        }
    }

    func body(of request: Request, _ head: RequestHead, limit: Int) async throws -> ByteBuffer {
        let tooLarge = Problem(413, "body_too_large", "The body has more than \(limit) bytes")
        let expected = head.contentLength ?? limit
        guard expected <= limit else { throw tooLarge }
        guard budget.take(expected) else { throw Problem.busy }
        defer { budget.give(expected) }
        do {
            return try await request.body.collect(upTo: limit)
        } catch is NIOTooManyBytesError {
            throw tooLarge
        }
    }

    private static func response(_ problem: Problem) -> Response {
        var response = response(problem.status, problem.body, type: "application/problem+json")
        if let seconds = problem.retryAfter { response.headers[.retryAfter] = String(seconds) }
        if let allow = problem.allow { response.headers[.allow] = allow }
        if problem.status == 401 { response.headers[.wwwAuthenticate] = "Bearer" }
        return response
    }

    static func response(_ status: Int, _ body: [UInt8], type: String) -> Response {
        Response(
            status: HTTPResponse.Status(code: status),
            headers: [.contentType: type, .contentLength: String(body.count)],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: body)))
    }
}

extension RecordIdentifier {
    /// A random UUID, version 4.
    fileprivate static func random(_ generator: inout SystemRandomNumberGenerator) -> RecordIdentifier {
        RecordIdentifier(
            high: generator.next() & ~0xF000 | 0x4000, low: generator.next() & ~(0b11 << 62) | 0b10 << 62)
    }

    /// 16 bytes, big-endian.
    fileprivate var bytes: [UInt8] {
        withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { Array($0) }
    }
}
