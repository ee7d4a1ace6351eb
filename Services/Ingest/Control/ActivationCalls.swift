internal import IngestCommit
internal import IngestUploads
internal import Lanes
internal import Models
internal import ServiceKit

/// What ingest answers about activation codes on its control socket: `code.add`, `code.list`, `code.revoke`.
struct ActivationCalls: Sendable {
    let requests: WriterRequests<IngestEngine>
    let clock: WallClock

    /// The answer to `code.add`: the only time that codes are told.
    struct Added: Encodable, Sendable {
        let batch: Int64
        let note: String
        let expires_at_ms: UnixMilliseconds
        let codes: [String]
    }

    /// The answer to `code.list`.
    struct List: Encodable, Sendable {
        let batches: [ActivationBatch]
    }

    /// Codes of one batch at most; more is another call.
    static let mostCodes: Int64 = 10_000
    static let longestDays: Int64 = 366

    var all: [ControlCall] {
        [
            .typed("code.add", JSONValue.self) { try await add($0) },
            .typed("code.list", JSONValue.self) { _ in
                List(batches: try await requests.perform { [clock] in try $0.codeBatches(now: clock.now()) })
            },
            .typed("code.revoke", JSONValue.self) { arguments in
                let batch = try arguments.integer("batch")
                return try await requests.perform { [clock] in try $0.revokeCodes(of: batch, now: clock.now()) }
            },
        ]
    }

    func add(_ arguments: JSONValue) async throws -> Added {
        let count = try arguments.integer("count", in: 1...Self.mostCodes)
        let days = try arguments.integer("expires_in_days", in: 1...Self.longestDays)
        let note = try arguments.optionalText("note") ?? ""
        guard note.utf8.count <= 128 else { throw ControlError.argument("note", "has more than 128 bytes") }
        var random = SystemRandomNumberGenerator()
        let codes = (0..<count).map { _ in ActivationCode(&random) }
        let hashes = codes.map(\.hash), now = clock.now(), expiresAt = now + days * 86_400_000
        let batch = try await requests.perform {
            try $0.addCodes(hashes, note: note, expiresAt: expiresAt, now: now)
        }
        return Added(batch: batch, note: note, expires_at_ms: expiresAt, codes: codes.map(\.text))
    }
}
