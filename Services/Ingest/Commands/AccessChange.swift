internal import Foundation
public import IngestSupport
public import IngestUploads
public import Models
internal import Storage
internal import SubjectRights

/// A wish for a copy of everything that is to be committed: the private key is kept, the requests lane is told the public one.
public struct AccessChange: Sendable, Equatable {
    /// The device's ordinal.
    let device: UInt64
    /// Identifier of the request if it is a new one: a UUID as text.
    let request: String
    /// The one-time private key of the request, 32 bytes.
    let key: [UInt8]
    let source: AccessRequestDocument.Source
    /// When its request was signed, Unix seconds; nil if the device has no key, or an operator asks.
    let signedAt: Int64?
    /// The passkey that was used, if the device asks.
    package var passkey = PasskeyUse.notNeeded

    /// - Parameters:
    ///   - device: the device's ordinal.
    ///   - request: a UUID as text.
    ///   - key: made for this request, `RecipientSeal.newKey()`.
    public init(
        device: UInt64, request: String, key: [UInt8], source: AccessRequestDocument.Source, signedAt: Int64? = nil
    ) {
        self.device = device
        self.request = request
        self.key = key
        self.source = source
        self.signedAt = signedAt
    }
}

extension AccessChange: IngestCommand {
    public static var stage: CommandStage { .copying }

    /// How long a copy is kept, milliseconds: then its key is deleted.
    static let kept: UnixMilliseconds = 86_400_000
    /// When a copy is there at the latest if every service runs, milliseconds after the request.
    package static let expected: UnixMilliseconds = 3_600_000
    /// Copies of a device in ``kept``: each is a search through every service.
    static let most = 3

    /// Takes the wish. Who has an open request is given that one.
    public func apply(in commit: inout CommandCommit) throws -> Result<AccessTicket, DeviceAPIError> {
        let store = commit.store, now = commit.now
        guard !commit.isFull else { return .failure(.full(.requests)) }
        if let problem = commit.gate.refusal(of: device) { return .failure(problem) }
        guard let names = try store.names(of: device) else { return .failure(.deviceErased(nil)) }
        if let problem = try store.problem(of: passkey, device) { return .failure(problem) }
        if let signedAt {
            guard try store.takeSignature(of: device, madeAt: signedAt) else { return .failure(.signatureReplayed) }
        }
        if let open = try store.openAccess(of: device, by: source, now: now) { return .success(open) }
        let asked = try store.accessTimes(of: device, after: now - Self.kept)
        if asked.count >= Self.most, let first = asked.first {
            let seconds = (first + Self.kept - now + 999) / 1_000
            return .failure(
                DeviceAPIError(
                    .rateLimited, "\(Self.most) copies of a device in 24 hours", retryAfter: Int(max(1, seconds))))
        }
        let ticket = AccessTicket(
            request: request, device: device, requestedAt: now, expiresAt: now + Self.kept, source: source, isOpen: true
        )
        try store.save(ticket, key: key)
        let subject = Hexadecimal.text(commit.suppression.mark(ofDevice: names.id))
        commit.tellLast(Self.stage) { try order(subject, barriers: $1, in: &$0) }
        return .success(ticket)
    }

    /// Orders the copy with the barrier: everything up to it is in the copy.
    private func order(_ subject: String, barriers: [Position], in commit: inout CommandCommit) throws {
        let order = AccessOrderDocument(
            request: request, subject: subject,
            publicKey: Data(try RecipientSeal.publicKey(of: key)).base64EncodedString(),
            barriers: barriers, requestedAt: commit.now, expiresAt: commit.now + Self.kept)
        try commit.tell(.accessRequest, of: device, AccessRequestDocument(order: order, source: source))
    }
}
