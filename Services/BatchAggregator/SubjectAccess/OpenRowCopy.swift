import AggregatorCells
import AggregatorDeriving
import GRDB
import Models
import Storage
import SubjectRights
import Wire

/// What the aggregator holds about a subscriber: the open rows, by which a record counts in statistics.
final class OpenRowCopy: SubjectCopy {
    /// Blocks looked at and blocks decoded for a page.
    private static let bounds = ErasureBounds()

    private let open: OpenRowDirectory
    private var decoder = ColumnDecoder()

    private let rules: CountingRules

    init(_ open: OpenRowDirectory, _ rules: CountingRules) {
        self.open = open
        self.rules = rules
    }

    let held = [
        HeldKind(
            "statistics_row",
            what: BilingualText(
                en: "by which bins a record of this device counts in statistics of a cell and of 5 minutes",
                fr:
                    "par quelles classes une mesure de cet appareil compte dans les statistiques d'une cellule et de 5 minutes"
            ),
            why: BilingualText(
                en: "maps and figures of network quality; no figure names a device",
                fr: "cartes et chiffres de la qualité des réseaux ; aucun chiffre ne nomme un appareil"),
            kept: BilingualText(
                en: "while late records may still come; afterwards only sums without devices",
                fr: "tant que des mesures tardives peuvent arriver ; ensuite seulement des sommes sans appareils"),
            members: [
                HeldMember("captured_ms", .integer, "begin of the 5 minutes of capture, Unix milliseconds"),
                HeldMember("cell", .string, "quadkey by which it counts; left out if it counts without a place"),
                HeldMember("network", .string, "MCC and MNC of the network that served the phone"),
                HeldMember("sim_network", .string, "MCC and MNC of the SIM, if that is another"),
                HeldMember("technology", .string, "generation of the network"),
                HeldMember(
                    "scope", .string, "of other programmes than QoE, instead of the networks: whose the record is"),
                HeldMember("stratum", .string, "of such programmes, if they tell records apart by more"),
                HeldMember(
                    "record_kind", .string, "report, feedback or another; left out of rows older than that was kept"),
                HeldMember(
                    "flags", .integer,
                    "sum of 4: not shared with operators, 8: not for research, 32: device not trusted, 64: enrolled less than 24 hours before; left out if none"
                ),
                HeldMember("bins", .object, "number of the bin by the name of the metric"),
            ])
    ]

    private struct Line: Encodable {
        let captured_ms: UnixMilliseconds
        let cell: String?
        let network: String?
        let sim_network: String?
        let technology: String?
        let scope: String?
        let stratum: String?
        let record_kind: String?
        let flags: Int64?
        let bins: [String: Int64]
    }

    /// After a place: `<day>/<lane>/<generation>/<block>`, the last block that was looked at.
    func page(of device: UInt64, after place: String?, in db: Database) throws -> SubjectPage {
        let after = place.map { $0.split(separator: "/").compactMap { Int64($0) } } ?? []
        let days = try open.existingDays()
        guard let day = days.first(where: { $0 >= after.first ?? .min }), let ordinal = UInt32(exactly: device) else {
            return SubjectPage(lines: [], next: nil)
        }
        let isSame = day == after.first && after.count == 4
        let begin =
            isSame ? BlockKey(lane: UInt8(truncatingIfNeeded: after[1]), generation: after[2], block: after[3]) : .none
        var lines: [SubjectLine] = []
        if let last = try look(into: day, after: begin, for: ordinal, &lines) {
            return SubjectPage(lines: lines, next: "\(day)/\(last.lane)/\(last.generation)/\(last.block)")
        }
        return SubjectPage(lines: lines, next: days.contains { $0 > day } ? "\(day + 1)" : nil)
    }

    /// - Returns: the last block that was looked at; nil at the end of the day.
    private func look(
        into day: Int64, after place: BlockKey, for device: UInt32, _ lines: inout [SubjectLine]
    ) throws -> BlockKey? {
        var found: [BlockKey] = []
        return try open.file(day).read { db in
            let last = try OpenRowFile.forEachBlock(after: place, limit: Self.bounds.searched, db) { key, subjects in
                // Of what an older program wrote nobody knows whose it is.
                if try subjects.isEmpty || holds(device, subjects, key) { found.append(key) }
                return found.count < Self.bounds.decoded
            }
            for key in found {
                guard let rows = try OpenRowFile.rows(of: key, db, &decoder) else { continue }
                lines += try self.lines(of: device, in: rows)
            }
            return last
        }
    }

    private func holds(_ device: UInt32, _ subjects: UnsafeRawBufferPointer, _ key: BlockKey) throws -> Bool {
        guard let holds = DeviceSet.holds(any: [device], subjects) else {
            throw AggregatorError.openRowsCorrupt("devices of block \(key.block)")
        }
        return holds
    }

    private func lines(of device: UInt32, in rows: Columns) throws -> [SubjectLine] {
        let keys = try OpenRowColumns(rows), kind = try rules.kind(keys.kind)
        return try (0..<rows.rowCount).filter { try keys.device($0) == device }.map { row in
            let scope = Scope(scheme: kind.scope.scheme, number: rows[OpenRowColumn.scope]?.integer(row) ?? 0)
            let sim = rows[OpenRowColumn.simPLMN]?.integer(row).map { Scope(scheme: Scope.plmn, number: $0) }
            let stratum = kind.strata.name(UInt8(truncatingIfNeeded: rows[OpenRowColumn.stratum]?.integer(row) ?? 0))
            let isOfNetworks = kind.scope == .networks
            let line = Line(
                captured_ms: keys.capturedAt(row), cell: keys.cell(row)?.text,
                network: isOfNetworks ? Self.name(scope) : nil, sim_network: sim.map(Self.name),
                technology: isOfNetworks ? stratum : nil,
                scope: isOfNetworks ? nil : "\(scope.scheme):\(Self.name(scope))",
                stratum: isOfNetworks || kind.strata == .one ? nil : stratum,
                record_kind: name(of: rows[OpenRowColumn.kind]?.integer(row)),
                flags: rows[OpenRowColumn.flags]?.integer(row), bins: bins(row, of: rows, kind))
            return try SubjectLine("statistics_row", at: line.captured_ms, line)
        }
    }

    private static func name(_ scope: Scope) -> String { scope.number == 0 ? "unknown" : scope.name }

    private func name(of kind: Int64?) -> String? {
        kind.map { UInt8(exactly: $0).flatMap { rules.programmes.record($0)?.name } ?? "\($0)" }
    }

    private func bins(_ row: Int, of rows: Columns, _ kind: CountingRules.Kind) -> [String: Int64] {
        let metrics = rules.programmes.all.first { $0.number == kind.programme }?.metrics ?? []
        var bins: [String: Int64] = [:]
        for metric in kind.metrics { bins[metrics[Int(metric.place)].name] = rows[metric.column]?.integer(row) }
        return bins
    }
}
