import Models
import Wire

/// The key columns of a table of open rows, checked.
struct OpenRowColumns {
    private let devices: [Int64]
    private let buckets: [Int64]
    private let plmns: [Int64]
    private let technologies: [Int64]
    private let levels: [Int64]?
    private let codes: [Int64]?
    private let sims: Column?
    /// Without kinds the table is of before there were populations.
    private let hasKinds: Bool
    private let flags: [Int64]?

    init(_ rows: Columns) throws {
        func integers(_ id: UInt8) throws -> [Int64] {
            guard let column = rows[id], column.encoding.isInteger else {
                throw AggregatorError.openRowsCorrupt("column \(id) is missing")
            }
            return column.integers
        }
        devices = try integers(OpenRowColumn.device)
        buckets = try integers(OpenRowColumn.bucket)
        plmns = try integers(OpenRowColumn.plmn)
        technologies = try integers(OpenRowColumn.technology)
        levels = rows[OpenRowColumn.level] == nil ? nil : try integers(OpenRowColumn.level)
        codes = rows[OpenRowColumn.code] == nil ? nil : try integers(OpenRowColumn.code)
        sims = rows[OpenRowColumn.simPLMN]
        hasKinds = rows[OpenRowColumn.kind] != nil
        flags = rows[OpenRowColumn.flags] == nil ? nil : try integers(OpenRowColumn.flags)
    }

    @inline(__always)
    func device(_ row: Int) throws -> UInt32 {
        guard let device = UInt32(exactly: devices[row]) else {
            throw AggregatorError.openRowsCorrupt("device ordinal \(devices[row])")
        }
        return device
    }

    /// When the row's record was captured, to its bucket.
    func capturedAt(_ row: Int) -> UnixMilliseconds { buckets[row] * OpenRowColumn.bucketSeconds * 1_000 }

    /// The cell by which the row entered; nil if it counts without a cell.
    func cell(_ row: Int) -> Quadkey? {
        guard let level = levels?[row], level > 0, let code = codes?[row] else { return nil }
        return Quadkey(level: Int(level), code: UInt64(truncatingIfNeeded: code))
    }

    /// The base cell of the network that radio figures count for.
    @inline(__always)
    func servingKey(_ row: Int) throws -> PlaceKey {
        let level = levels?[row] ?? 0
        guard level == 0 || (level >= Quadkey.coarsestLevel && level <= Quadkey.deepestLevel),
            buckets[row] >= 0 && buckets[row] < PlaceKey.buckets
        else {
            throw AggregatorError.openRowsCorrupt("level \(level), bucket \(buckets[row])")
        }
        return key(row, plmns[row])
    }

    /// The base cell of the SIM's network, where that is another.
    @inline(__always)
    func simKey(_ row: Int) -> PlaceKey? {
        guard let sims, sims.presence[row] else { return nil }
        return key(row, sims.integers[row])
    }

    /// True if the phone had no network: the row counts for that of the SIM too.
    func hasNoNetwork(_ row: Int) -> Bool { technologies[row] == Technology.none.rawValue }

    /// Whether the row's subscriber shares it with operators, as far as is known.
    @inline(__always)
    private func population(_ row: Int) -> CellKey.Population {
        guard hasKinds else { return .unshared }
        return RowFlags(rawValue: flags?[row] ?? 0).contains(.notForOperators) ? .unshared : .shared
    }

    @inline(__always)
    private func key(_ row: Int, _ plmn: Int64) -> PlaceKey {
        PlaceKey(
            bucket: buckets[row], programme: CellKey.mobile, scope: UInt32(truncatingIfNeeded: plmn),
            stratum: UInt8(truncatingIfNeeded: technologies[row]), population: population(row),
            level: levels?[row] ?? 0, code: codes?[row] ?? 0)
    }
}
