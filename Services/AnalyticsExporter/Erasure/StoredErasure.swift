internal import Foundation
internal import GRDB
internal import Models
internal import Storage

/// An erasure as the regulator sees it.
struct StoredErasure: Sendable, Equatable {
    static let columns = "request, state, source, whole, requested_at, due_at, completed_at, signed"

    /// A service that has signed that nothing is left with it.
    struct Signature: Codable, Sendable, Equatable {
        let service: String
        let signed_at_ms: Int64
    }

    let request: String
    let state: String
    let source: String
    /// False if it takes the records of a time or a place only.
    let isWhole: Bool
    let requestedAt: UnixMilliseconds
    let dueAt: UnixMilliseconds
    let completedAt: UnixMilliseconds?
    let signed: [Signature]

    init(_ row: Row) throws {
        request = row[0]
        state = row[1]
        source = row[2]
        isWhole = row[3]
        requestedAt = row[4]
        dueAt = row[5]
        completedAt = row[6]
        signed = try JSONDecoder().decode([Signature].self, from: Data(Blob.bytes(row, 7)))
    }
}
