internal import Alarms
internal import Crypto
internal import Foundation
package import IngestCommit
package import IngestSupport
package import IngestUploads
package import Logging
internal import Models
package import ServiceKit

/// Takes messages of alarm panels and answers them: `ACK` once what they report is on disk, and never before.
///
/// A message becomes an upload of the site's panel device, and goes the way of all uploads from there: duplicates, the journal, the lane.
package struct PanelReceiver: Sendable {
    /// What became of a message; the value of `outcome` of the metric that counts them.
    package enum Outcome: String, Sendable, CaseIterable {
        /// ACK: it is on disk, also if it was before.
        case stored
        /// ACK: the panel tried whether it is heard.
        case test
        /// No answer: it did not come over whole.
        case damaged
        /// DUH: it is whole, and no message.
        case malformed
        /// DUH: no sensor has the account, or it is encrypted otherwise than the account's key says.
        case unknownAccount = "unknown_account"
        /// DUH: no sensor is that zone, or its site has no panel device that may send.
        case unknownZone = "unknown_zone"
        /// DUH: it reports what is not kept, or its records were refused for a reason that the log names.
        case notKept = "not_kept"
        /// NAK: its clock is wrong, or somebody sends an old message again.
        case clock
        /// No answer: it could not be stored now, and the panel sends again.
        case busy
    }

    /// How far the time of an encrypted message may be behind and ahead (DC-09, 5.5.1.9), milliseconds.
    static let behind: UnixMilliseconds = 40_000, ahead: UnixMilliseconds = 20_000
    /// A message without a time of its own is one with another of the same number and content within so long.
    static let repetition: UnixMilliseconds = 3_600_000

    let panels: PanelDirectory
    let keys: PanelKeys
    let directory: DeviceDirectory
    let reader: UploadReader
    let queue: CommitQueue
    let clock: WallClock
    private let logger: Logger
    private let counted: @Sendable (Outcome) -> Void

    package init(
        panels: PanelDirectory, keys: PanelKeys, directory: DeviceDirectory, reader: UploadReader, queue: CommitQueue,
        clock: WallClock, logger: Logger, counted: @escaping @Sendable (_ outcome: Outcome) -> Void
    ) {
        self.panels = panels
        self.keys = keys
        self.directory = directory
        self.reader = reader
        self.queue = queue
        self.clock = clock
        self.logger = logger
        self.counted = counted
    }

    /// A message was thrown away before anybody looked at it.
    func noteBusy() { counted(.busy) }

    /// What is sent back for what came between LF and CR; nil: nothing.
    func answer(_ bytes: [UInt8]) async -> [UInt8]? {
        guard let body = try? DC09Frame.message(in: bytes) else {
            counted(.damaged)
            return nil
        }
        guard let message = DC09Message(body) else {
            counted(.malformed)
            return DC09Frame.bytes("\"DUH\"0000R0L0A0[]")
        }
        let outcome: Outcome
        do {
            outcome = try await take(message)
        } catch let problem as DeviceAPIError {
            outcome = Outcome(problem.reason) ?? unexpected(problem.code, problem.detail, message)
        } catch {
            logger.error("a panel's message could not be taken", metadata: ["error": "\(error)"])
            outcome = .busy
        }
        counted(outcome)
        switch outcome {
        case .stored, .test: return acknowledgement(of: message)
        case .damaged, .busy: return nil
        case .clock: return DC09Frame.bytes("\"NAK\"0000R0L0A0[]" + DC09Time.text(clock.now()))
        case .malformed, .unknownAccount, .unknownZone, .notKept:
            return DC09Frame.bytes("\"DUH\"" + head(of: message) + "[]")
        }
    }

    private func take(_ message: DC09Message) async throws -> Outcome {
        let bytes: [UInt8]
        if message.isEncrypted {
            guard let opened = keys.open(message.content, of: message.account) else { return .unknownAccount }
            bytes = opened
        } else {
            bytes = message.content
        }
        guard let content = DC09Content(bytes[...]) else { return message.isEncrypted ? .unknownAccount : .malformed }
        let account = message.account.isEmpty ? content.account : message.account
        // Whichever place names the account: one with a key is not heard in clear text.
        guard keys.has(account) == message.isEncrypted else { return .unknownAccount }
        guard content.account.isEmpty || content.account == account, !account.isEmpty else { return .malformed }
        let now = clock.now()
        if message.isEncrypted {
            guard let sentAt = content.sentAt, sentAt > now - Self.behind, sentAt < now + Self.ahead else {
                return .clock
            }
        }
        let data = PanelData(token: message.token, content.data)
        guard case .events(let events) = data else {
            guard try await panels.find(account, zones: []).isKnown else { return .unknownAccount }
            return data == .test ? .test : .notKept
        }
        return try await store(events, of: account, message, content, now)
    }

    private func store(
        _ events: [PanelEvent], of account: String, _ message: DC09Message, _ content: DC09Content,
        _ now: UnixMilliseconds
    ) async throws -> Outcome {
        let found = try await panels.find(account, zones: events.map(\.zone))
        guard found.isKnown else { return .unknownAccount }
        let zones = found.zones.compactMap(\.self)
        guard zones.count == events.count, let device = zones.first?.device,
            zones.allSatisfy({ $0.device == device }),
            let identity = try await directory.consent(
                of: DeviceIdentity(ordinal: UInt64(device), consent: [], consentVersion: 0))?.identity,
            !directory.isRevoked(identity.ordinal)
        else { return .unknownZone }
        let records = zip(events, zones).enumerated().map { place, pair in
            record(pair.0, pair.1, id: identifier(account, message, content, place, now), at: content.sentAt ?? now)
        }
        let body = Array("[\(records.joined(separator: ","))]".utf8)
        let upload = try body.withUnsafeBytes { bytes in
            try reader.read(bytes, of: identity, as: UploadRequest(kind: .sensorEvent, arrivedAt: now))
        }
        let result = await withUnsafeContinuation { waiting in
            queue.offer(.upload(upload) { waiting.resume(returning: $0) })
        }
        let receipt = try result.get()
        guard let rejected = receipt.items.first(where: { $0.status == .rejected }) else { return .stored }
        return rejected.code.flatMap(RowCode.init).flatMap(Outcome.init)
            ?? unexpected(rejected.code ?? "", rejected.detail, message)
    }

    /// A refusal that no panel can bring about: another try does not help.
    private func unexpected(_ code: String, _ detail: String?, _ message: DC09Message) -> Outcome {
        logger.error(
            "what a panel reports is refused",
            metadata: [
                "account": "\(message.account)", "token": "\(message.token)", "code": "\(code)",
                "detail": "\(detail ?? "")",
            ])
        return .notKept
    }

    private func record(
        _ event: PanelEvent, _ zone: PanelDirectory.Zone, id: String, at time: UnixMilliseconds
    ) -> String {
        "{\"id\":\"\(id)\",\"captured_at_ms\":\(time),\"site\":\(zone.site),\"sensor\":\(zone.sensor),"
            + "\"state\":\"\(event.isHigh ? "HIGH" : "LOW")\",\"tamper\":\(event.isTamper),\"code\":\"\(event.code)\"}"
    }

    /// The same for a message that comes again. Panels number their messages from 0001 to 9999 and then anew, so that the time is part
    /// of it.
    private func identifier(
        _ account: String, _ message: DC09Message, _ content: DC09Content, _ place: Int, _ now: UnixMilliseconds
    ) -> String {
        let time = content.sentAt.map { "at \($0)" } ?? "in \(now / Self.repetition)"
        let name =
            "\(account)\n\(message.line)\n\(message.sequence)\n\(message.token)\n\(content.data)\n\(time)\n\(place)"
        var bytes = Array(SHA256.hash(data: Array(name.utf8)).prefix(16))
        // A UUID of version 8 (RFC 9562).
        bytes[6] = bytes[6] & 0x0F | 0x80
        bytes[8] = bytes[8] & 0x3F | 0x80
        return UUID(
            uuid: (
                bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5], bytes[6], bytes[7], bytes[8], bytes[9],
                bytes[10], bytes[11], bytes[12], bytes[13], bytes[14], bytes[15]
            )
        ).uuidString.lowercased()
    }

    private func acknowledgement(of message: DC09Message) -> [UInt8] {
        guard message.isEncrypted else { return DC09Frame.bytes("\"ACK\"" + head(of: message) + "[]") }
        let sealed = keys.seal(
            "]" + DC09Time.text(clock.now()), of: message.account, random: { .random(in: .min ... .max) })
        return DC09Frame.bytes("\"*ACK\"" + head(of: message) + "[" + (sealed ?? ""))
    }

    private func head(of message: DC09Message) -> String {
        message.sequence + message.receiver + message.line + (message.account.isEmpty ? "" : "#\(message.account)")
    }
}

extension PanelReceiver.Outcome {
    /// What the refusal of an upload means to a panel; nil if no panel can bring it about.
    init?(_ problem: ProblemCode) {
        switch problem {
        case .deviceErased, .noMeasurementConsent: self = .unknownZone
        case _ where problem.status >= 500: self = .busy
        default: return nil
        }
    }

    /// What the rejection of a record means to a panel; nil if no panel can bring it about.
    init?(_ code: RowCode) {
        switch code {
        // The panel is to set its clock.
        case .tooOld, .inFuture: self = .clock
        case .notConsented, .erased: self = .unknownZone
        default: return nil
        }
    }
}
