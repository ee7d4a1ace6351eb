internal import Foundation
internal import IngestCommands
internal import IngestCommit
internal import IngestSupport
internal import IngestUploads
internal import Models
internal import NIOPosix
internal import ServiceKit
internal import Storage

/// `/v1/me/erasures`, `/.well-known/nkul-keys.json`.
extension DeviceAPI {
    /// Takes a wish to erase. From the answer on, the token of a device that is erased as a whole is worthless.
    func erase(_ call: DeviceCall) async throws(DeviceAPIError) -> Answer {
        let signedAt = try await checkSignature(of: call)
        try call.head.requireJSON()
        let now = clock.now(), device = call.device!
        var change = ErasureChange(
            device: device.ordinal, request: UUID().uuidString.lowercased(),
            scope: try ErasureWish.read(call.bytes, now: now), source: .device, dueAt: now + erasureDeadline,
            signedAt: signedAt)
        change.passkey = try await passkeyUse(of: call)
        let taken = try await take(change, call)
        let standing = ErasureStandingAnswer(change, requestedAt: taken)
        return Answer(
            202, json: standing.body,
            fields: "cache-control: no-store\r\nlocation: /v1/me/erasures/\(change.request)\r\n")
    }

    private func take(_ change: ErasureChange, _ call: DeviceCall) async throws(DeviceAPIError) -> UnixMilliseconds {
        switch await queue.ask(change) {
        case .success(let time):
            if change.scope.isEverything { directory.revoke(change.device) }
            return time
        case .failure(let problem): throw failed(problem, call)
        }
    }

    /// Tells how an erasure stands: to the device that asked for it, or to the token of the one that was erased by it.
    func erasure(_ call: DeviceCall) async throws(DeviceAPIError) -> Answer {
        if call.erasedBy == nil { try await checkSignature(of: call) }
        let request = String(call.head.lastPart)
        do {
            let known = try await directory.erasure(request)
            guard let known, call.erasedBy == request || known.device == call.device?.ordinal else {
                throw DeviceAPIError(.notFound, "this device has no such erasure")
            }
            let order = try await copies.erasureOrder(request)
            return Answer(200, json: ErasureStandingAnswer(known.document, order).body)
        } catch let problem as DeviceAPIError { throw problem } catch { throw lookUpFailed(error) }
    }

    /// The public keys that services announced.
    func verificationKeys(_ call: DeviceCall) async throws(DeviceAPIError) -> Answer {
        if let problem = admission.refusesStranger(call.address) { throw problem }
        do {
            let keys = try await copies.verificationKeys()
            return Answer(
                200, json: try SortedJSON.bytes(of: ["keys": keys]), fields: "cache-control: public, max-age=300\r\n")
        } catch { throw lookUpFailed(error) }
    }
}

extension DeviceDirectory {
    /// A request for erasure, and the device that asked for it if that is still known; nil if there is none.
    func erasure(_ request: String) async throws -> (document: ErasureRequestDocument, device: UInt64?)? {
        try await NIOThreadPool.singleton.runIfActive { [reader] in
            try reader.readOne { try IngestStore($0).erasure(request) }
        }
    }
}
