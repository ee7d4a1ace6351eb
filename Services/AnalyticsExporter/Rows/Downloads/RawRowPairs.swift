internal import Models
internal import Wire

/// Two columns of raw rows of one kind, row by row: for what goes with what.
package struct RawRowPairs {
    /// More rows than these are refused, so that memory and time stay bounded.
    package static let mostRows = 100_000

    package struct Pair: Sendable {
        package let device: Int64
        package let x: Int64
        package let y: Int64
    }

    package struct Found: Sendable {
        package var pairs: [Pair] = []
        /// Rows with y that do not have x.
        package var withoutX = 0
    }

    private let scan: RawRowScan
    private let x: UInt8
    private let y: UInt8

    /// - Parameter x: a column of the kind, as is `y`.
    package init(_ scan: RawRowScan, x: UInt8, y: UInt8) {
        self.scan = scan
        self.x = x
        self.y = y
    }

    /// Reads them; call on a thread that may block. Throws as ``RawRowScan`` does.
    package func read(_ files: RawRowFiles.Opener) throws -> Found {
        try scan.read(files, into: Found(), atMost: Self.mostRows) { columns, row, found in
            if let y = columns[y]?.integer(row) {
                if let x = columns[x]?.integer(row) {
                    found.pairs.append(Pair(device: columns[ColumnID.device]?.integer(row) ?? 0, x: x, y: y))
                } else {
                    found.withoutX += 1
                }
            }
            return found.pairs.count + found.withoutX
        }
    }
}
