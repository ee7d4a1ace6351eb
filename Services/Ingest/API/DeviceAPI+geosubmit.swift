internal import IngestCommands
internal import IngestCommit
internal import IngestSupport
package import IngestUploads
internal import Models
internal import NIOCore
internal import NIOPosix
internal import ServiceKit

/// `/v2/geosubmit` and the keys with which it is called.
extension DeviceAPI {
    /// Takes reports of apps that speak Geosubmit. They want `{}` and nothing else: whatever of a body cannot be taken is counted, and
    /// only a body that is none of Geosubmit is refused, as an app sends what was refused again and again.
    ///
    /// Called on the loop; `reply` is called once, on the loop. Long bodies take long: they are read on a thread of NIO's pool.
    func takeGeosubmit(_ call: DeviceCall, on loop: any EventLoop, _ reply: @escaping @Sendable (Answer) -> Void) {
        NIOThreadPool.singleton.submit { [self] state in
            guard case .active = state else { return loop.execute { reply(self.refused(.stopping, of: call.device)) } }
            readGeosubmit(call, loop) { answer in loop.execute { reply(answer) } }
        }
    }

    private func readGeosubmit(
        _ call: DeviceCall, _ loop: any EventLoop, _ reply: @escaping @Sendable (Answer) -> Void
    ) {
        let device = call.device!
        do throws(DeviceAPIError) {
            guard let kind = geosubmitKind else { throw DeviceAPIError(.notFound) }
            let wanted = try call.head.upload(kind, arrivedAt: clock.now())
            guard wanted.format == .json else { throw .unsupportedGeosubmitType }
            let key = try call.head.uploadKey()
            let read = try call.body.withUnsafeReadableBytes { bytes in
                Result { () throws(DeviceAPIError) in
                    try reader.readGeosubmit(bytes, of: device, key: key, as: wanted)
                }
            }.get()
            metrics.geosubmit.count(read.tally)
            guard let upload = read.upload else { return reply(.taken) }
            if let problem = admission.refuses(rows: upload.rowCount, of: device.ordinal) { throw problem }
            let (token, listsAll) = (call.keyedToken, wanted.listsAll)
            queue.offer(
                .upload(upload) { [self] result in
                    var answer = answer(of: result, to: device, rows: upload.rowCount)
                    if !listsAll, case .success = result { answer = answer.with(body: Answer.taken.body) }
                    let trust = (try? result.get())?.trust, told = answer
                    loop.execute {
                        if let trust, let token { self.directory.learn(trust, of: token) }
                        reply(told)
                    }
                })
        } catch { reply(refused(error, of: device)) }
    }

    /// Makes a key with which apps may send for the device; the one before is worthless from now on.
    func makeUploadKey(_ call: DeviceCall) async throws(DeviceAPIError) -> Answer {
        let key = UploadKey()
        switch await queue.ask(UploadKeyChange(device: call.device!.ordinal, keyHash: key.hash.bytes)) {
        case .success(let time):
            var json = JSONWriter()
            json.raw("{\"key\":\"\(key.text)\",\"path\":\"\(key.path)\",")
            json.time("made_at", time)
            json.raw("}")
            return Answer(201, json: json.bytes)
        case .failure(let problem): throw problem
        }
    }
}

/// A new upload key, as it is told once.
package struct UploadKey {
    package let text: String

    package init() {
        var random = SystemRandomNumberGenerator()
        text = DeviceToken.text((0..<32).map { _ in UInt8.random(in: .min ... .max, using: &random) })
    }

    package var hash: TokenHash { DeviceToken.hash(text[...]) }
    /// What an app is given behind the address of the service.
    package var path: String { "\(DeviceRoute.geosubmit.rawValue)?key=\(text)" }
}

extension Answer {
    /// What apps that speak Geosubmit are told of every body that was taken.
    fileprivate static let taken = Answer(receipt: Array("{}".utf8))
}

extension DeviceAPIError {
    fileprivate static let unsupportedGeosubmitType = DeviceAPIError(
        .unsupportedType, "Geosubmit is JSON", field: "Content-Type", accept: "application/json")
}
