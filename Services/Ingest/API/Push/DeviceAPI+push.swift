internal import IngestCommands
internal import IngestCommit
internal import IngestSupport
internal import IngestUploads
internal import Models
internal import NIOHTTP1
internal import NIOPosix
internal import ServiceKit
internal import Storage

/// `/v1/me/push`: whether a browser is asked about alarms that its reports helped to raise.
extension DeviceAPI {
    /// Tells whether it is on and by which key to subscribe, turns it on or off.
    func push(_ call: DeviceCall) async throws(DeviceAPIError) -> Answer {
        let device = call.device!, key = try await pushKey()
        switch call.head.head.method {
        case .PUT:
            try call.head.requireJSON()
            // Sealed here, before it is handed to any other thread.
            let subscription = try PushRequest.read(call.bytes, pushAddresses)
            guard device.consent.contains(.measurement) else { throw .noMeasurementConsent }
            guard let key else { throw DeviceAPIError(.pushKeyUnknown, retryAfter: 60) }
            let change: PushChange
            do { change = try PushChange(subscription, of: device.ordinal, to: key) } catch {
                throw lookUpFailed(error)
            }
            return Self.answer(key, try await ask(change))
        case .DELETE: return Self.answer(key, try await ask(PushChange(endOf: device.ordinal)))
        default:
            do { return Self.answer(key, try await directory.pushSince(of: device.ordinal)) } catch {
                throw lookUpFailed(error)
            }
        }
    }

    private func ask(_ change: PushChange) async throws(DeviceAPIError) -> UnixMilliseconds? {
        try await queue.ask(change).get()
    }

    /// The notifier's keys; nil where there is none, or nobody has heard of them yet.
    private func pushKey() async throws(DeviceAPIError) -> ChannelKeyDocument? {
        guard hasNotifier else { return nil }
        do { return try await copies.channelKey() } catch { throw lookUpFailed(error) }
    }

    private static func answer(_ key: ChannelKeyDocument?, _ since: UnixMilliseconds?) -> Answer {
        var json = JSONWriter()
        json.raw("{\"is_on\":\(since != nil),\"vapid_key\":\(key.map { "\"\($0.vapidKey)\"" } ?? "null")")
        if let since {
            json.raw(",")
            json.time("since", since)
        }
        json.raw("}")
        return Answer(200, json: json.bytes)
    }
}

extension DeviceDirectory {
    /// Since when a device's browser is asked; nil if it is not.
    func pushSince(of device: UInt64) async throws -> UnixMilliseconds? {
        try await NIOThreadPool.singleton.runIfActive { [reader] in
            try reader.readOne { try IngestStore($0).pushSince(of: device) }
        }
    }
}
