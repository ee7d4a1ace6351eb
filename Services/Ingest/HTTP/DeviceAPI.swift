internal import Logging
internal import Models
internal import NIOCore
internal import NIOPosix
internal import ServiceKit

/// The device API: what each call does once its request is complete.
///
/// Uploads are read where they arrive, on the connection's event loop, as that saves every change of thread; larger ones on
/// a thread of NIO's pool, so that no loop is held up. The commit thread answers them. Everything else is a task.
struct DeviceAPI: Sendable {
    let directory: DeviceDirectory
    let copies: CopiesReader
    let reader: UploadReader
    let queue: CommitQueue
    let clock: WallClock
    let metrics: IngestMetrics
    let logger: Logger

    /// Bodies up to so many bytes as they are sent are read on the event loop: a millisecond's work at most.
    static let readInPlace = 16_384

    /// Answers a call; `reply` is called once, on the loop. Called on the loop.
    func answer(_ call: DeviceCall, on loop: any EventLoop, _ reply: @escaping @Sendable (Answer) -> Void) {
        switch call.head.route {
        case .reports: upload(.report, call, loop, reply)
        case .feedback: upload(.feedback, call, loop, reply)
        default: loop.makeFutureWithTask { await respond(to: call) }.whenSuccess(reply)
        }
    }

    /// Counts a refusal and says it.
    func refused(_ problem: Problem) -> Answer {
        metrics.refused.count(problem.code)
        return Answer(problem)
    }

    /// Looks for the device of a token that is not in memory; `then` is called on the loop.
    func findDevice(
        _ token: Substring, on loop: any EventLoop, then: @escaping @Sendable (Result<DeviceIdentity, Problem>) -> Void
    ) {
        let found = NIOThreadPool.singleton.runIfActive(eventLoop: loop) { try directory.find(token) }
        found.whenComplete { result in
            switch result {
            case .success(let device?): then(.success(device))
            case .success(nil): then(.failure(.unauthorized("nobody has this token")))
            case .failure(let error): then(.failure(lookUpFailed(error)))
            }
        }
    }

    private func upload(
        _ kind: RecordKind, _ call: DeviceCall, _ loop: any EventLoop, _ reply: @escaping @Sendable (Answer) -> Void
    ) {
        guard call.body.readableBytes > Self.readInPlace else { return read(kind, call, loop, reply) }
        NIOThreadPool.singleton.submit { state in
            guard case .active = state else { return loop.execute { reply(refused(.stopping)) } }
            read(kind, call, loop) { answer in loop.execute { reply(answer) } }
        }
    }

    /// Reads an upload and hands it to the commit thread, which answers on the loop.
    private func read(
        _ kind: RecordKind, _ call: DeviceCall, _ loop: any EventLoop, _ reply: @escaping @Sendable (Answer) -> Void
    ) {
        let began = ContinuousClock.now
        do throws(Problem) {
            let wanted = try call.head.upload(kind, arrivedAt: clock.now())
            let upload = try call.body.withUnsafeReadableBytes { bytes in
                Result { () throws(Problem) in try reader.read(bytes, of: call.device!, as: wanted) }
            }.get()
            metrics.parsed.observe(.now - began)
            queue.offer(
                .upload(upload) { result in
                    let answer = answer(of: result)
                    loop.execute { reply(answer) }
                })
        } catch { reply(refused(error)) }
    }

    private func answer(of result: Result<Receipt, Problem>) -> Answer {
        switch result {
        case .success(let receipt): Answer(200, json: receipt.body)
        case .failure(let problem): refused(problem)
        }
    }

    // MARK: - Calls that are tasks

    private func respond(to call: DeviceCall) async -> Answer {
        do throws(Problem) {
            switch call.head.route {
            case .enrol: return try await enrol(call)
            case .consent: return call.head.isPut ? try await changeConsent(call) : try await consent(call)
            case .rewards: return try await rewards(call)
            case .realtime, .promptPolicy, .prompts, .payout, .impact, .data, .dataRequest, .erasures, .erasure,
                .openAPI, .keys:
                throw .notImplemented
            case .reports, .feedback, .unknown: throw Problem(404, "not_found", "There is nothing at this path")
            }
        } catch { return refused(error) }
    }

    private func enrol(_ call: DeviceCall) async throws(Problem) -> Answer {
        try call.head.requireJSON()
        let wanted = try EnrolmentRequest.read(call.bytes)
        var random = SystemRandomNumberGenerator()
        let token = DeviceToken.text((0..<32).map { _ in UInt8.random(in: .min ... .max, using: &random) })
        let id = RecordIdentifier.random(&random)
        let hash = DeviceToken.hash(token[...])
        let enrolment = Enrolment(
            deviceID: id.bytes, tokenHash: hash.bytes, platform: wanted.platform,
            appVersion: wanted.app_version, consent: wanted.purposes, policyVersion: wanted.policy_version,
            ageBand: wanted.age_band, hasGuardian: wanted.guardian ?? false, deviceKey: wanted.key)
        let result = await withUnsafeContinuation { queue.offer(.enrolment(enrolment, $0)) }
        directory.replace(token[...], by: try result.get())
        return Answer(201, json: Array("{\"device_id\":\"\(id.text)\",\"token\":\"\(token)\"}".utf8))
    }

    /// What the directory answers; that it cannot is logged here.
    func lookUpFailed(_ error: any Error) -> Problem {
        logger.error("device look-up failed", metadata: ["error": "\(error)"])
        return .failed
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
