internal import GRDB
internal import Models
internal import SubjectRights
internal import Wire

/// Wishes to erase in the transaction of a commit: the device is revoked or the scope blocked at once, and the requests lane is
/// told with the barrier. Confined to one transaction.
struct ErasureWriter {
    /// Parts of its records that a device may have erased in a day: each is a search through every service.
    static let mostParts = 16
    /// How long an erased device's token still reads how its erasure stands.
    static let statusKept: UnixMilliseconds = 30 * 86_400_000

    private let store: IngestStore
    private let key: SuppressionKey
    private let now: UnixMilliseconds
    private let isFull: Bool
    private var begun: [(subject: ErasureSubject, change: ErasureChange)] = []

    init(_ store: IngestStore, _ key: SuppressionKey, now: UnixMilliseconds, isFull: Bool) {
        self.store = store
        self.key = key
        self.now = now
        self.isFull = isFull
    }

    /// Takes a wish.
    ///
    /// - Returns: when it was taken.
    mutating func begin(_ change: ErasureChange, _ gate: inout ErasureGate) throws -> Result<UnixMilliseconds, Problem>
    {
        // What was ordered before a restore is taken in any case.
        let isRestored = change.source == .restore
        guard isRestored || !isFull else { return .failure(.full(.requests)) }
        if let problem = gate.refusal(of: change.device) { return .failure(problem) }
        guard let names = try store.names(of: change.device) else { return .failure(.deviceErased(nil)) }
        if let signedAt = change.signedAt {
            guard try store.takeSignature(of: change.device, madeAt: signedAt) else {
                return .failure(.signatureReplayed)
            }
        }
        let asked =
            try change.scope.isEverything || isRestored ? 0 : store.erasures(of: change.device, since: now - 86_400_000)
        guard asked < Self.mostParts else {
            return .failure(
                Problem(.rateLimited, "\(Self.mostParts) erasures of a device in a day", retryAfter: 3_600))
        }
        let mark = Hexadecimal.text(key.mark(ofDevice: names.id))
        let document = ErasureSubjectDocument(
            request: change.request, subject: mark, scope: change.scope, barriers: [])
        let subject = ErasureSubject(device: change.device, document: document)
        if change.scope.isEverything {
            try store.revoke(change.device, now: now)
            try store.note(
                token: key.mark(ofToken: names.tokenHash), of: change.request, until: now + Self.statusKept)
        }
        // A copy that is on its way would have what is erased.
        try store.closeAccess(of: change.device)
        gate.close(to: subject)
        begun.append((subject, change))
        return .success(now)
    }

    var isEmpty: Bool { begun.isEmpty }

    /// The subjects with the barrier, and what the requests lane is told of them; to be asked for when all other rows of the
    /// commit are in their journals.
    func finish(barriers: [Position]) throws -> (subjects: [ErasureSubject], columns: Columns) {
        var rows = RequestRows(), subjects: [ErasureSubject] = []
        for (subject, change) in begun {
            var document = subject.document
            document.barriers = barriers
            let request = ErasureRequestDocument(
                subject: document, requestedAt: now, dueAt: change.dueAt, source: change.source)
            try rows.append(subject.device, request)
            try store.save(request, of: subject.device)
            subjects.append(ErasureSubject(device: subject.device, document: document))
        }
        return (subjects, rows.columns(now))
    }
}

extension Problem {
    /// - Parameter request: the erasure, if it is known.
    static func deviceErased(_ request: String?) -> Problem {
        Problem(.deviceErased, request.map { "its erasure is request \($0)" }, request: request)
    }
}
