package import ExporterSupport
package import Models
package import Wire

/// Reads the raw rows of one kind that count, row by row, within bounds of memory and time.
///
/// A row counts for the network of its SIM, and not if an app set its position, as in statistics.
package struct RawRowScan {
    /// More blocks than these are refused.
    package static let mostBlocks = 100_000

    private let query: RawRowQuery
    private let networks: NetworkScope
    private let isWanted: @Sendable (_ place: () -> Quadkey?, _ networkType: Int64?) -> Bool

    /// - Parameters:
    ///   - scope: what the caller may see at all.
    ///   - networks: what is asked for of that.
    ///   - isWanted: by the finest cell of a row, which is worked out if it is asked for and nil if the row has no place, and the code
    ///     of its network type.
    package init(
        of kind: RecordKind, _ layout: RawRowLayout, period: Range<UnixMilliseconds>, scope: NetworkScope,
        networks: NetworkScope, isWanted: @escaping @Sendable (_ place: () -> Quadkey?, _ networkType: Int64?) -> Bool
    ) {
        query = RawRowQuery(layout, kind, period, scope: scope, networks: networks)
        self.networks = networks
        self.isWanted = isWanted
    }

    /// Gathers them; call on a thread that may block.
    ///
    /// - Parameters:
    ///   - empty: with what to begin, again where rows were erased meanwhile.
    ///   - atMost: more gathered rows are refused.
    ///   - add: takes a row of columns; tells how many rows are gathered.
    /// - Throws: ``ParameterFault`` `too_many_rows`; ``ExporterAPIError/busy`` if rows were erased again and again meanwhile.
    package func read<Found>(
        _ files: RawRowFiles.Opener, into empty: Found, atMost most: Int,
        _ add: (_ columns: Columns, _ row: Int, _ found: inout Found) -> Int
    ) throws -> Found {
        for _ in 0..<3 {
            let before = files.rewritten.count
            let reader = try files.reader(after: .start)
            let found = try read(reader, empty, most, add)
            // What was erased meanwhile must not be in it.
            if !files.rewritten.touch(1...max(1, reader.position), since: before) { return found }
        }
        throw ExporterAPIError.busy
    }

    private func read<Found>(
        _ reader: RawRowReader, _ empty: Found, _ most: Int, _ add: (Columns, Int, inout Found) -> Int
    ) throws -> Found {
        var found = empty, blocks = 0, gathered = 0
        while let block = try reader.next(query) {
            blocks += 1
            for row in counted(block) { gathered = add(block.columns, row, &found) }
            guard blocks <= Self.mostBlocks, gathered <= most else {
                throw ParameterFault(
                    "from", "more than \(most) rows, or \(Self.mostBlocks) blocks of them; ask for a shorter period",
                    code: "too_many_rows")
            }
        }
        return found
    }

    private func counted(_ block: StoredBlock) -> [Int] {
        let columns = block.columns, field = query.layout.scope(of: block.kind.id)
        let owners = RowOwners(columns, field), mock = columns[ColumnID.mockLocation]
        let latitudes = columns[ColumnID.latitude], longitudes = columns[ColumnID.longitude]
        let accuracies = columns[ColumnID.accuracy], types = columns[ColumnID.networkType]
        return query.rows(of: block).filter { row in
            mock?.integer(row) != 1 && (networks == .everything || networks.contains(owners.first(row), of: field))
                && isWanted(
                    { Self.place(latitudes?.integer(row), longitudes?.integer(row), accuracies?.integer(row)) },
                    types?.integer(row))
        }
    }

    /// Nil without a place, or where it is not certain to 10 km, as in statistics.
    private static func place(_ latitude: Int64?, _ longitude: Int64?, _ accuracy: Int64?) -> Quadkey? {
        guard let latitude, let longitude, (accuracy ?? 0) <= 100_000 else { return nil }
        return Quadkey(latitude: latitude, longitude: longitude)
    }
}
