package import Channels
package import IngestCommit
package import IngestSupport
package import IngestUploads
package import Logging
package import Models
package import NIOCore
internal import NIOPosix
package import QoE
package import ServiceKit

/// The device API: what each call does once its request is complete.
///
/// Uploads are read where they arrive, on the connection's event loop, as that saves every change of thread, small ones first
/// (``EdgeTurns``); large ones on a thread of NIO's pool, so that no loop is held up. The commit thread answers them.
/// Everything else is a task.
///
/// From any thread. A class, as every closure that answers a call holds it.
package final class DeviceAPI: Sendable {
    /// Where records are sent.
    package let paths: RecordPaths
    /// Which kind a message of a WebSocket is.
    let realtimeKinds: RealtimeKinds
    /// What is made of Geosubmit; nil if no programme takes reports.
    let geosubmitKind: RecordKind?
    /// What `/openapi.json` says.
    let document: OpenAPIDocument
    package let directory: DeviceDirectory
    let copies: CopiesReader
    let reader: UploadReader
    let queue: CommitQueue
    package let clock: WallClock
    package let metrics: IngestMetrics
    let logger: Logger
    package let admission: Admission
    /// Milliseconds in which an erasure must be completed.
    let erasureDeadline: UnixMilliseconds
    /// Copies of everything that are read at once.
    let downloads: Downloads
    /// Whom a subscriber may ask about a copy; nil if none is set.
    let dataContact: String?
    /// What activation codes mean here.
    let activation: ActivationPolicy
    /// Whose numbers rewards may be paid to.
    let operators: OperatorTable
    /// The subscribers' app, and the policy that it shows; nil where there is none.
    let app: WebApp?
    let policyText: PolicyText?
    /// How often phones measure.
    let sampling: SamplingRules
    /// Where passkeys are for; nil: they are off.
    let passkeyOrigin: PasskeyOrigin?
    let challenges: PasskeyChallenges
    /// Whether there is a notifier, which sends questions.
    let hasNotifier: Bool
    /// Where push services may be.
    let pushAddresses: AddressPolicy
    /// Orders for devices whose WebSocket is open.
    package let orders: DeviceOrders

    /// Bodies up to so many bytes as they are sent are read on the event loop: a millisecond's work for what phones send, more for
    /// what inflates a hundredfold, up to the limit of inflated bytes.
    static let readInPlace = 16_384

    /// - Throws: ``ProgrammeError`` if a kind's path is one of the calls here.
    package init(
        _ programmes: Programmes, directory: DeviceDirectory, copies: CopiesReader, reader: UploadReader,
        queue: CommitQueue, clock: WallClock,
        metrics: IngestMetrics, logger: Logger, admission: Admission,
        erasureDeadline: UnixMilliseconds = 30 * 86_400_000, downloads: Downloads = Downloads(),
        dataContact: String? = nil, activation: ActivationPolicy = .optional, operators: OperatorTable,
        app: WebApp? = nil, policyText: PolicyText? = nil, sampling: SamplingRules = .builtIn,
        passkeyOrigin: PasskeyOrigin? = nil, challenges: PasskeyChallenges = PasskeyChallenges(),
        hasNotifier: Bool = false, pushAddresses: AddressPolicy = AddressPolicy(),
        orders: DeviceOrders = DeviceOrders()
    ) throws(ProgrammeError) {
        paths = try RecordPaths(programmes)
        realtimeKinds = RealtimeKinds(programmes)
        geosubmitKind = programmes.kinds.first { $0.kind.name == "report" }?.kind
        document = OpenAPIDocument(programmes, operators)
        self.directory = directory
        self.copies = copies
        self.reader = reader
        self.queue = queue
        self.clock = clock
        self.metrics = metrics
        self.logger = logger
        self.admission = admission
        self.erasureDeadline = erasureDeadline
        self.downloads = downloads
        self.dataContact = dataContact
        self.activation = activation
        self.operators = operators
        self.orders = orders
        self.app = app
        self.policyText = policyText
        self.sampling = sampling
        self.passkeyOrigin = passkeyOrigin
        self.challenges = challenges
        self.hasNotifier = hasNotifier
        self.pushAddresses = pushAddresses
    }

    /// Answers a call; `reply` is called once, on the loop. Called on the loop.
    package func answer(_ call: DeviceCall, on loop: any EventLoop, _ reply: @escaping @Sendable (Answer) -> Void) {
        if let problem = refusal(of: call) { return reply(refused(problem, of: call.device)) }
        guard let kind = call.head.kind else {
            if call.head.route == .geosubmit { return takeGeosubmit(call, on: loop, reply) }
            return loop.makeFutureWithTask { await self.respond(to: call) }.whenSuccess(reply)
        }
        guard call.body.readableBytes > Self.readInPlace else { return read(kind, call, loop, reply) }
        NIOThreadPool.singleton.submit { [self] state in
            guard case .active = state else { return loop.execute { reply(self.refused(.stopping, of: call.device)) } }
            read(kind, call, loop) { answer in loop.execute { reply(answer) } }
        }
    }

    /// Why the device may not call now, or send no records.
    private func refusal(of call: DeviceCall) -> DeviceAPIError? {
        guard let device = call.device?.ordinal else { return nil }
        return admission.refusesCall(of: device) ?? (call.head.route.isUpload ? admission.refusesRows(of: device) : nil)
    }

    /// Counts a refusal and says it.
    package func refused(_ problem: DeviceAPIError) -> Answer {
        metrics.refused.count(problem.code)
        return Answer(problem)
    }

    /// Refuses a device; what it is asked to do later is said, too.
    package func refused(_ problem: DeviceAPIError, of device: DeviceIdentity?) -> Answer {
        var answer = refused(problem)
        if let retryAfter = problem.retryAfter, let device {
            answer.nextUpload = max(retryAfter, admission.nextUpload(of: device.ordinal))
        }
        return answer
    }

    /// Looks for the device of a token that is not in memory; `then` is called on the loop.
    package func findDevice(
        _ token: Substring, from address: ClientAddress, on loop: any EventLoop,
        then: @escaping @Sendable (Result<DeviceIdentity, DeviceAPIError>) -> Void
    ) {
        let nobody = DeviceAPIError.unauthorized("nobody has this token")
        directory.find(token, on: loop).whenComplete { [self] in then(found($0, from: address, else: nobody)) }
    }

    /// Looks for the device of an upload key; `then` is called on the loop.
    package func findDevice(
        uploadKey: TokenHash, from address: ClientAddress, on loop: any EventLoop,
        then: @escaping @Sendable (Result<KeyedDevice, DeviceAPIError>) -> Void
    ) {
        let nobody = DeviceAPIError(.unauthorized, "nobody has this upload key", field: "key")
        directory.find(uploadKey: uploadKey, on: loop).whenComplete { [self] in
            then(found($0, from: address, else: nobody))
        }
    }

    /// What is told of a look-up.
    private func found<Device>(
        _ result: Result<Device?, any Error>, from address: ClientAddress, else nobody: DeviceAPIError
    ) -> Result<Device, DeviceAPIError> {
        switch result {
        case .success(let device?): .success(device)
        case .success(nil): .failure(admission.failed(.unknownToken, from: address, else: nobody))
        case .failure(let problem as DeviceAPIError) where problem.reason == .deviceErased:
            // Nobody's device any more: it has the limits of strangers.
            .failure(admission.refusesStranger(address) ?? problem)
        case .failure(let error): .failure(lookUpFailed(error))
        }
    }

    /// Reads an upload and hands it to the commit thread, which answers on the loop.
    private func read(
        _ kind: RecordKind, _ call: DeviceCall, _ loop: any EventLoop, _ reply: @escaping @Sendable (Answer) -> Void
    ) {
        let began = ContinuousClock.now, device = call.device!
        do throws(DeviceAPIError) {
            let wanted = try call.head.upload(kind, arrivedAt: clock.now())
            let upload = try call.body.withUnsafeReadableBytes { bytes in
                Result { () throws(DeviceAPIError) in try reader.read(bytes, of: device, as: wanted) }
            }.get()
            metrics.parsed.observe(.now - began)
            if let problem = admission.refuses(rows: upload.rowCount, of: device.ordinal) { throw problem }
            let head = call.head
            queue.offer(
                .upload(upload) { [self] result in
                    let answer = answer(of: result, to: device, rows: upload.rowCount)
                    let trust = (try? result.get())?.trust
                    loop.execute {
                        if let trust, let token = try? head.token() {
                            self.directory.learn(trust, of: DeviceToken.hash(token))
                        }
                        reply(answer)
                    }
                })
        } catch { reply(refused(error, of: device)) }
    }

    func answer(of result: Result<Receipt, DeviceAPIError>, to device: DeviceIdentity, rows: Int) -> Answer {
        switch result {
        case .success(let receipt):
            var answer = Answer(receipt: receipt.body)
            answer.nextUpload = admission.nextUpload(of: device.ordinal)
            return answer
        case .failure(let problem):
            if problem.status == 503 { admission.giveBack(rows: rows, of: device.ordinal) }
            return refused(problem, of: device)
        }
    }

    // MARK: - Calls that are tasks

    private func respond(to call: DeviceCall) async -> Answer {
        do throws(DeviceAPIError) {
            switch call.head.route {
            case .enrol: return try await enrol(call)
            case .consent: return call.head.isPut ? try await changeConsent(call) : try await consent(call)
            case .rewards: return try await rewards(call)
            case .promptPolicy: return try await promptPolicy(call)
            case .samplingPolicy: return try samplingPolicy(call)
            case .impact: return try await impact(call)
            case .progress: return try await progress(call)
            case .nickname: return try await putNickname(call)
            case .standings: return try await standings(call)
            case .payout: return try await putPayout(call)
            case .passkey: return try await passkey(call)
            case .uploadKey: return try await makeUploadKey(call)
            case .push: return try await push(call)
            case .erasures: return try await erase(call)
            case .erasure: return try await erasure(call)
            case .data: return try await requestData(call)
            case .dataRequest: return try await data(call)
            case .callback: return try await callback(call)
            case .policy: return try policy(call)
            case .operators: return operatorList(call)
            case .openAPI: return openAPI(call)
            case .keys: return try await verificationKeys(call)
            case .unknown: return try file(call)
            case .records, .geosubmit, .realtime, .download, .upload, .echo: throw DeviceAPIError(.notFound)
            }
        } catch { return refused(error) }
    }

    /// What is answered when the directory cannot; that the disk is at fault is logged here.
    func lookUpFailed(_ error: any Error) -> DeviceAPIError {
        if let problem = error as? DeviceAPIError { return problem }
        logger.error("device look-up failed", metadata: ["error": "\(error)"])
        return .failed
    }
}

/// `/openapi.json`.
extension DeviceAPI {
    func openAPI(_ call: DeviceCall) -> Answer {
        Answer(document.bytes, tag: document.tag, caching: "public, max-age=3600", for: call.head)
    }
}
