package import ExporterSupport
internal import Foundation
internal import GRDB
package import Models
internal import Storage

/// An erasure as the regulator sees it.
package struct StoredErasure: Sendable, Equatable {
    static let columns = "request, state, source, whole, requested_at, due_at, completed_at, signed"

    /// A service that has signed that nothing is left with it.
    package struct Signature: Codable, Sendable, Equatable {
        let service: String
        let signed_at_ms: Int64
    }

    package let request: String
    package let state: String
    package let source: String
    /// False if it takes the records of a time or a place only.
    package let isWhole: Bool
    package let requestedAt: UnixMilliseconds
    package let dueAt: UnixMilliseconds
    package let completedAt: UnixMilliseconds?
    package let signed: [Signature]

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
package struct ErasureSummary: Sendable, Equatable {
    package var counts: [ErasureOrderDocument.State: Int] = [:]
    /// When the oldest one that is not completed was requested.
    package var oldestOpen: UnixMilliseconds?
    /// Not completed, though the time has passed by which they must be.
    package var late = 0
    /// Completed, but after that time.
    package var completedLate = 0
    /// Milliseconds from request to completion: the median, of the nearest rank, and the most.
    package var median: Int64?
    package var longest: Int64?
}

/// A place in the list of erasures, as clients hold it: `<requested at>-<request>`.
package struct ErasureCursor: Sendable, Equatable {
    let requestedAt: UnixMilliseconds
    let request: String

    package init(_ erasure: StoredErasure) {
        requestedAt = erasure.requestedAt
        request = erasure.request
    }

    /// Reads a cursor that a client gives back.
    package init(text: String) throws(ParameterFault) {
        let parts = text.split(separator: "-", maxSplits: 1)
        guard parts.count == 2, let time = Int64(parts[0]) else {
            throw ParameterFault("cursor", "\"\(text)\": expected the value of next of the page before")
        }
        (requestedAt, request) = (time, String(parts[1]))
    }

    package var text: String { "\(requestedAt)-\(request)" }
}
