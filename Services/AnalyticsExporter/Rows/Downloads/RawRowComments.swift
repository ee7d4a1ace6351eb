internal import Models
internal import Wire

/// The comments of bad ratings, as phones sent them.
package struct RawRowComments {
    /// More comments than these are refused, so that memory and time stay bounded.
    package static let mostRows = 20_000

    package struct Comment: Sendable {
        package let device: Int64
        package let text: String
    }

    package struct Found: Sendable {
        package var comments: [Comment] = []
        /// Bad ratings, with a comment or without.
        package var ratings = 0
    }

    private let scan: RawRowScan
    private let worst: Int64

    /// - Parameter upTo: a rating that is bad still.
    package init(_ scan: RawRowScan, upTo worst: Int64) {
        self.scan = scan
        self.worst = worst
    }

    /// Reads them; call on a thread that may block. Throws as ``RawRowScan`` does.
    package func read(_ files: RawRowFiles.Opener) throws -> Found {
        try scan.read(files, into: Found(), atMost: Self.mostRows) { columns, row, found in
            if let rating = columns[ColumnID.rating]?.integer(row), rating <= worst {
                found.ratings += 1
                if let bytes = columns[ColumnID.comment]?.value(row), !bytes.isEmpty {
                    found.comments.append(
                        Comment(
                            device: columns[ColumnID.device]?.integer(row) ?? 0,
                            text: String(decoding: bytes, as: UTF8.self)))
                }
            }
            return found.comments.count
        }
    }
}
