package import ExporterSupport
package import Models
internal import Wire

/// Two columns of raw rows of one kind, row by row: for what goes with what.
///
/// A row counts for the network of its SIM, and not if an app set its position, as in statistics.
package struct RawRowPairs {
    /// More rows than these are refused, so that memory and time stay bounded.
    package static let mostRows = 100_000
    /// So are more blocks.
    package static let mostBlocks = 100_000

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

    private let query: RawRowQuery
    private let kind: RecordKind
    private let networks: NetworkScope
    private let x: UInt8
    private let y: UInt8
    private let isWanted: @Sendable (_ place: Quadkey?, _ networkType: Int64?) -> Bool

    /// - Parameters:
    ///   - x: a column of the kind, as is `y`.
    ///   - scope: what the caller may see at all.
    ///   - networks: what is asked for of that.
    ///   - isWanted: by the finest cell of a row, nil if it has no place, and the code of its network type.
    package init(
        of kind: RecordKind, x: UInt8, y: UInt8, _ layout: RawRowLayout, period: Range<UnixMilliseconds>,
        scope: NetworkScope, networks: NetworkScope,
        isWanted: @escaping @Sendable (_ place: Quadkey?, _ networkType: Int64?) -> Bool
    ) {
        query = RawRowQuery(layout, kind, period, scope: scope, networks: networks)
        self.kind = kind
        self.networks = networks
        self.x = x
        self.y = y
        self.isWanted = isWanted
    }

    /// Reads them; call on a thread that may block.
    ///
    /// - Throws: ``ParameterFault`` `too_many_rows`; ``ExporterAPIError/busy`` if rows were erased again and again meanwhile.
    package func read(_ files: RawRowFiles.Opener) throws -> Found {
        for _ in 0..<3 {
            let before = files.rewritten.count
            let reader = try files.reader(after: .start)
            let found = try read(reader)
            // What was erased meanwhile must not be in it.
            if !files.rewritten.touch(1...max(1, reader.position), since: before) { return found }
        }
        throw ExporterAPIError.busy
    }

    private func read(_ reader: RawRowReader) throws -> Found {
        var found = Found(), blocks = 0
        while let block = try reader.next(query) {
            blocks += 1
            let rows = query.rows(of: block)
            add(rows, of: block, to: &found)
            guard blocks <= Self.mostBlocks, found.pairs.count + found.withoutX <= Self.mostRows else {
                throw ParameterFault(
                    "from",
                    "more than \(Self.mostRows) rows, or \(Self.mostBlocks) blocks of them; ask for a shorter period",
                    code: "too_many_rows")
            }
        }
        return found
    }

    private func add(_ rows: [Int], of block: StoredBlock, to found: inout Found) {
        let columns = block.columns, owners = RowOwners(columns, query.layout.scope(of: block.kind.id))
        let ys = columns[y], xs = columns[x], devices = columns[ColumnID.device], mock = columns[ColumnID.mockLocation]
        let latitudes = columns[ColumnID.latitude], longitudes = columns[ColumnID.longitude]
        let accuracies = columns[ColumnID.accuracy], types = columns[ColumnID.networkType]
        let field = query.layout.scope(of: block.kind.id)
        for row in rows {
            guard let y = ys?.integer(row), mock?.integer(row) != 1,
                networks == .everything || networks.contains(owners.first(row), of: field),
                isWanted(
                    Self.place(latitudes?.integer(row), longitudes?.integer(row), accuracies?.integer(row)),
                    types?.integer(row))
            else { continue }
            guard let x = xs?.integer(row) else {
                found.withoutX += 1
                continue
            }
            found.pairs.append(Pair(device: devices?.integer(row) ?? 0, x: x, y: y))
        }
    }

    /// Nil without a place, or where it is not certain to 10 km, as in statistics.
    private static func place(_ latitude: Int64?, _ longitude: Int64?, _ accuracy: Int64?) -> Quadkey? {
        guard let latitude, let longitude, (accuracy ?? 0) <= 100_000 else { return nil }
        return Quadkey(latitude: latitude, longitude: longitude)
    }
}
