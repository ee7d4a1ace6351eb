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

/// How erasures stand, all together.
struct ErasureSummary: Sendable, Equatable {
    var counts: [ErasureOrderDocument.State: Int] = [:]
    /// When the oldest one that is not completed was requested.
    var oldestOpen: UnixMilliseconds?
    /// Not completed, though the time has passed by which they must be.
    var late = 0
    /// Completed, but after that time.
    var completedLate = 0
    /// Milliseconds from request to completion: the median, of the nearest rank, and the most.
    var median: Int64?
    var longest: Int64?
}

/// A place in the list of erasures, as clients hold it: `<requested at>-<request>`.
struct ErasureCursor: Sendable, Equatable {
    let requestedAt: UnixMilliseconds
    let request: String

    init(_ erasure: StoredErasure) {
        requestedAt = erasure.requestedAt
        request = erasure.request
    }

    /// Reads a cursor that a client gives back.
    init(text: String) throws(ParameterFault) {
        let parts = text.split(separator: "-", maxSplits: 1)
        guard parts.count == 2, let time = Int64(parts[0]) else {
            throw ParameterFault("cursor", "\"\(text)\": expected the value of next of the page before")
        }
        (requestedAt, request) = (time, String(parts[1]))
    }

    var text: String { "\(requestedAt)-\(request)" }
}
