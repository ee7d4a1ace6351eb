internal import IngestSupport
public import IngestUploads
public import Models
internal import SubjectRights

/// A wish to erase that is to be committed: the device is revoked or the scope blocked at once, and the requests lane is told
/// with the barrier.
public struct ErasureChange: Sendable, Equatable {
    /// The device's ordinal.
    package let device: UInt64
    /// Identifier of the request: a UUID as text.
    package let request: String
    package let scope: ErasureScope
    let source: ErasureRequestDocument.Source
    /// When it must be completed, Unix milliseconds.
    package let dueAt: UnixMilliseconds
    /// When its request was signed, Unix seconds; nil if the device has no key, or an operator asks.
    var signedAt: Int64?
    /// The passkey that was used, if the device asks.
    package var passkey = PasskeyUse.notNeeded

    /// - Parameters:
    ///   - device: the device's ordinal.
    ///   - request: a UUID as text.
    public init(
        device: UInt64, request: String, scope: ErasureScope, source: ErasureRequestDocument.Source,
        dueAt: UnixMilliseconds, signedAt: Int64? = nil
    ) {
        self.device = device
        self.request = request
        self.scope = scope
        self.source = source
        self.dueAt = dueAt
        self.signedAt = signedAt
    }
}

extension ErasureChange: IngestCommand {
    public static var stage: CommandStage { .erasing }

    /// Parts of its records that a device may have erased in a day: each is a search through every service.
    static let mostParts = 16
    /// How long an erased device's token still reads how its erasure stands.
    static let statusKept: UnixMilliseconds = 30 * 86_400_000

    /// Takes the wish.
    ///
    /// - Returns: when it was taken.
    public func apply(in commit: inout CommandCommit) throws -> Result<UnixMilliseconds, DeviceAPIError> {
        let store = commit.store, now = commit.now
        // What was ordered before a restore is taken in any case.
        guard isRestored || !commit.isFull else { return .failure(.full(.requests)) }
        if let problem = commit.gate.refusal(of: device) { return .failure(problem) }
        guard let names = try store.names(of: device) else { return .failure(.deviceErased(nil)) }
        if let problem = try store.problem(of: passkey, device) { return .failure(problem) }
        if let signedAt {
            guard try store.takeSignature(of: device, madeAt: signedAt) else { return .failure(.signatureReplayed) }
        }
        guard try partsToday(store, now: now) < Self.mostParts else {
            return .failure(
                DeviceAPIError(.rateLimited, "\(Self.mostParts) erasures of a device in a day", retryAfter: 3_600))
        }
        if scope.isEverything {
            let key = try store.uploadKey(of: device).map(commit.suppression.mark(ofUploadKey:))
            for mark in [commit.suppression.mark(ofToken: names.tokenHash), key].compactMap(\.self) {
                try store.note(token: mark, of: request, until: now + Self.statusKept)
            }
            try store.revoke(device, now: now)
        }
        // A copy that is on its way would have what is erased.
        try store.closeAccess(of: device)
        let document = ErasureSubjectDocument(
            request: request, subject: Hexadecimal.text(commit.suppression.mark(ofDevice: names.id)), scope: scope,
            barriers: [])
        commit.gate.close(to: ErasureSubject(device: device, document: document))
        commit.tellLast(Self.stage) { try order(document, barriers: $1, in: &$0) }
        return .success(now)
    }

    private var isRestored: Bool { source == .restore }

    /// Parts that the device had erased in a day; none where that is not limited.
    private func partsToday(_ store: IngestStore, now: UnixMilliseconds) throws -> Int {
        try scope.isEverything || isRestored ? 0 : store.erasures(of: device, since: now - 86_400_000)
    }

    /// Orders it with the barrier: nothing of the subject comes behind the blocks that are there by now.
    private func order(
        _ subject: ErasureSubjectDocument, barriers: [Position], in commit: inout CommandCommit
    ) throws {
        var subject = subject
        subject.barriers = barriers
        let document = ErasureRequestDocument(
            subject: subject, requestedAt: commit.now, dueAt: dueAt, source: source)
        try commit.tell(.erasureRequest, of: device, document)
        try commit.store.save(document, of: device)
        try commit.erasures.hear(ErasureSubject(device: device, document: subject), commit.store.db)
    }
}
