internal import GRDB
internal import Lanes
internal import Models
internal import Storage
internal import SubjectRights
internal import Wire
internal import Foundation

/// Wishes for a copy of everything in the transaction of a commit: the private key is kept, the requests lane is told the public
/// one. Confined to one transaction.
struct AccessWriter {
    /// How long a copy is kept, milliseconds: then its key is deleted.
    static let kept: UnixMilliseconds = 86_400_000
    /// When a copy is there at the latest if every service runs, milliseconds after the request.
    static let expected: UnixMilliseconds = 3_600_000
    /// Copies of a device in ``kept``: each is a search through every service.
    static let most = 3

    private let store: IngestStore
    private let suppression: SuppressionKey
    private let now: UnixMilliseconds
    private let isFull: Bool
    private var begun: [(change: AccessChange, subject: String)] = []

    init(_ store: IngestStore, _ suppression: SuppressionKey, now: UnixMilliseconds, isFull: Bool) {
        self.store = store
        self.suppression = suppression
        self.now = now
        self.isFull = isFull
    }

    /// Takes a wish. Who has an open request is given that one.
    mutating func begin(_ change: AccessChange, _ gate: ErasureGate) throws -> Result<AccessTicket, Problem> {
        guard !isFull else { return .failure(.full(.requests)) }
        if let problem = gate.refusal(of: change.device) { return .failure(problem) }
        guard let names = try store.names(of: change.device) else { return .failure(.deviceErased(nil)) }
        if let signedAt = change.signedAt {
            guard try store.takeSignature(of: change.device, madeAt: signedAt) else {
                return .failure(.signatureReplayed)
            }
        }
        if let open = try store.openAccess(of: change.device, by: change.source, now: now) { return .success(open) }
        let asked = try store.accessTimes(of: change.device, after: now - Self.kept)
        if asked.count >= Self.most, let first = asked.first {
            let seconds = (first + Self.kept - now + 999) / 1_000
            return .failure(
                Problem(.rateLimited, "\(Self.most) copies of a device in 24 hours", retryAfter: Int(max(1, seconds))))
        }
        let ticket = AccessTicket(
            request: change.request, device: change.device, requestedAt: now, expiresAt: now + Self.kept,
            source: change.source, isOpen: true)
        try store.save(ticket, key: change.key)
        begun.append((change, Hexadecimal.text(suppression.mark(ofDevice: names.id))))
        return .success(ticket)
    }

    var isEmpty: Bool { begun.isEmpty }

    /// What the requests lane is told; to be asked for when all other rows of the commit are in their journals.
    func finish(barriers: [Position]) throws -> Columns {
        var rows = RequestRows()
        for (change, subject) in begun {
            let order = AccessOrderDocument(
                request: change.request, subject: subject,
                publicKey: Data(try RecipientSeal.publicKey(of: change.key)).base64EncodedString(),
                barriers: barriers, requestedAt: now, expiresAt: now + Self.kept)
            try rows.append(change.device, AccessRequestDocument(order: order, source: change.source))
        }
        return rows.columns(now)
    }
}
