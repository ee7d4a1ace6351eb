package import Models
package import Wire

/// The key columns of a table of open rows, checked.
package struct OpenRowColumns {
    private let devices: [Int64]
    private let buckets: [Int64]
    private let scopes: [Int64]
    private let strata: [Int64]
    private let levels: [Int64]?
    private let codes: [Int64]?
    private let sims: Column?
    /// Of all rows, as a table is made of one block. Tables of before there were populations are of QoE, whose kinds count alike.
    package let kind: UInt8
    private let hasPopulations: Bool
    private let flags: [Int64]?

    package init(_ rows: Columns) throws {
        func integers(_ id: UInt8) throws -> [Int64] {
            guard let column = rows[id], column.encoding.isInteger else {
                throw AggregatorError.openRowsCorrupt("column \(id) is missing")
            }
            return column.integers
        }
        devices = try integers(OpenRowColumn.device)
        buckets = try integers(OpenRowColumn.bucket)
        scopes = try integers(OpenRowColumn.scope)
        strata = try integers(OpenRowColumn.stratum)
        levels = rows[OpenRowColumn.level] == nil ? nil : try integers(OpenRowColumn.level)
        codes = rows[OpenRowColumn.code] == nil ? nil : try integers(OpenRowColumn.code)
        sims = rows[OpenRowColumn.simPLMN]
        hasPopulations = rows[OpenRowColumn.kind] != nil
        kind = try hasPopulations ? Self.kind(integers(OpenRowColumn.kind)) : OpenRowColumn.olderKind
        flags = rows[OpenRowColumn.flags] == nil ? nil : try integers(OpenRowColumn.flags)
    }

    private static func kind(_ kinds: [Int64]) throws -> UInt8 {
        guard let first = kinds.first else { return OpenRowColumn.olderKind }
        guard let kind = UInt8(exactly: first), kinds.allSatisfy({ $0 == first }) else {
            throw AggregatorError.openRowsCorrupt("kinds \(Set(kinds).sorted()) in one table")
        }
        return kind
    }

    @inline(__always)
    package func device(_ row: Int) throws -> UInt32 {
        guard let device = UInt32(exactly: devices[row]) else {
            throw AggregatorError.openRowsCorrupt("device ordinal \(devices[row])")
        }
        return device
    }

    /// When the row's record was captured, to its bucket.
    package func capturedAt(_ row: Int) -> UnixMilliseconds { buckets[row] * OpenRowColumn.bucketSeconds * 1_000 }

    /// The cell by which the row entered; nil if it counts without a cell.
    package func cell(_ row: Int) -> Quadkey? {
        guard let level = levels?[row], level > 0, let code = codes?[row] else { return nil }
        return Quadkey(level: Int(level), code: UInt64(truncatingIfNeeded: code))
    }

    /// False for tables of before there were populations, which do not say who shares.
    package var saysWhoShares: Bool { hasPopulations }
    package func flags(_ row: Int) -> RowFlags { RowFlags(rawValue: flags?[row] ?? 0) }
    package func stratum(_ row: Int) -> Int64 { strata[row] }
    /// The network for which radio figures count, or another programme's scope; 0 where it is not known.
    package func scope(_ row: Int) -> Int64 { scopes[row] }
    /// The SIM's network, where that is another.
    package func simScope(_ row: Int) -> Int64? { sims.flatMap { $0.integer(row) } }

    /// The base cell of the first scope: of mobile networks that for which radio figures count.
    @inline(__always)
    func firstKey(_ row: Int, _ programme: UInt8) throws -> PlaceKey {
        let level = levels?[row] ?? 0
        guard level == 0 || (level >= Quadkey.coarsestLevel && level <= Quadkey.deepestLevel),
            buckets[row] >= 0 && buckets[row] < PlaceKey.buckets
        else {
            throw AggregatorError.openRowsCorrupt("level \(level), bucket \(buckets[row])")
        }
        return key(row, programme, scopes[row])
    }

    /// The base cell of the SIM's network, where that is another.
    @inline(__always)
    func simKey(_ row: Int, _ programme: UInt8) -> PlaceKey? {
        guard let sims, sims.presence[row] else { return nil }
        return key(row, programme, sims.integers[row])
    }

    /// Whether a row is in a stratum.
    func isIn(_ stratum: UInt8?, _ row: Int) -> Bool { stratum.map { strata[row] == Int64($0) } ?? false }

    /// Whether the row's subscriber shares it with operators, as far as is known.
    @inline(__always)
    private func population(_ row: Int) -> CellKey.Population {
        guard hasPopulations else { return .unshared }
        return RowFlags(rawValue: flags?[row] ?? 0).contains(.notForOperators) ? .unshared : .shared
    }

    @inline(__always)
    private func key(_ row: Int, _ programme: UInt8, _ scope: Int64) -> PlaceKey {
        PlaceKey(
            bucket: buckets[row], programme: programme, scope: UInt32(truncatingIfNeeded: scope),
            stratum: UInt8(truncatingIfNeeded: strata[row]), population: population(row),
            level: levels?[row] ?? 0, code: codes?[row] ?? 0)
    }
}
