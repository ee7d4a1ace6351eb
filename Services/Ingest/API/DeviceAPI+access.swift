internal import Foundation
internal import IngestCommands
internal import IngestCommit
internal import IngestSupport
internal import IngestUploads
internal import Models
internal import ServiceKit
internal import Storage

/// `/v1/me/data`.
extension DeviceAPI {
    /// Seconds after which a phone asks again for a copy that is not there yet.
    private static let retryAfter = 5

    /// Takes a wish for a copy of everything; who has one on the way is told that one.
    func requestData(_ call: DeviceCall) async throws(DeviceAPIError) -> Answer {
        let signedAt = try await checkSignature(of: call)
        var change = AccessChange(
            device: call.device!.ordinal, request: UUID().uuidString.lowercased(), key: RecipientSeal.newKey(),
            source: .device, signedAt: signedAt)
        change.passkey = try await passkeyUse(of: call)
        switch await queue.ask(change) {
        case .success(let ticket): return Self.notYet(AccessStandingAnswer(ticket: ticket, missing: nil))
        case .failure(let problem): throw failed(problem, call)
        }
    }

    /// Gives the copy, or says what is missing of it.
    func data(_ call: DeviceCall) async throws(DeviceAPIError) -> Answer {
        try await checkSignature(of: call)
        let request = String(call.head.lastPart)
        do {
            guard let ticket = try await directory.access(request), ticket.device == call.device?.ordinal else {
                throw DeviceAPIError(.notFound, "this device has no such request")
            }
            guard ticket.isOpen(at: clock.now()), let key = try await directory.accessKey(request) else {
                throw DeviceAPIError(.dataExpired)
            }
            let parts = try await copies.completeAccess(request)
            let missing = AccessDocument.givers.filter { parts[$0] == nil }
            guard missing.isEmpty else { return Self.notYet(AccessStandingAnswer(ticket: ticket, missing: missing)) }
            let permit = try downloads.take()
            return Answer(
                200, type: "application/x-ndjson",
                stream: AccessDocument(
                    ticket, key: key, parts: parts, copies: copies, directory: directory, contact: dataContact,
                    permit: permit), fields: "cache-control: no-store\r\n")
        } catch let problem as DeviceAPIError { throw problem } catch { throw lookUpFailed(error) }
    }

    private static func notYet(_ standing: AccessStandingAnswer) -> Answer {
        Answer(
            202, json: standing.body,
            fields:
                "cache-control: no-store\r\nretry-after: \(retryAfter)\r\nlocation: /v1/me/data/\(standing.ticket.request)\r\n"
        )
    }
}
