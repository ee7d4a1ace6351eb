import AggregatorReleasing
import Foundation
import GRDB
import Lanes
import Models
import QoE
import Releases
import Storage
import SubjectRights
import Wire

/// Releases in a run: each that the aggregator issues must be the model's of the rows that it had when it made it, and is issued once.
///
/// Nobody sees when a release was begun, so the rows of any moment within ``patience`` are right: of what came meanwhile all or nothing
/// is in it, and nobody who is erased.
final class SimulatedReleases {
    /// Virtual milliseconds in which a release is made.
    private static let patience: Int64 = 30_000

    private struct Arrival {
        let at: Int64
        let row: ReferenceRow
    }

    private unowned let simulation: Simulation
    private let plan: ReleasesPlan
    private let model: ReferenceReleases
    /// Rows as the aggregator has committed them.
    private var arrivals: [Arrival] = []
    /// Lines of each release that was issued, by its identifier.
    private var issued: [String: [String]] = [:]
    private var issuedSeries: Set<ReferenceReleases.Series> = []
    private var atoms: [String: [ReleasedAtom]] = [:]
    private var seen: UInt64 = 0
    /// Erasures that the aggregator has ever heard of.
    private var heard: Set<String> = []
    private var sealedThrough = 0
    private var decoder = ColumnDecoder()

    init?(in simulation: Simulation) {
        guard let plan = simulation.releases else { return nil }
        self.simulation = simulation
        self.plan = plan
        model = ReferenceReleases(k: plan.k, trust: plan.trust) { [root = plan.root] device, day in
            DeviceClasses(root: root, day: Int64(day)).of(UInt32(device)).name
        }
    }

    /// How the aggregator makes them.
    var settings: ReleaseSettings {
        ReleaseSettings(rules: ReleaseRules(k: plan.k), trust: TrustPolicy(plan.trust), root: plan.root)
    }

    /// The aggregator has committed the effects of blocks, or of time alone.
    func applied(_ blocks: [LaneBlock]) throws {
        for block in blocks {
            guard let kind = [RecordKind.report, .feedback].first(where: { $0.id == block.block.header.kind }) else {
                continue
            }
            let columns = try block.block.columns(with: &decoder)
            for row in 0..<columns.rowCount {
                let one = StoredRawRow(kind, columns, row)
                guard let row = simulation.row(device: one.device, id: one.id) else { continue }
                arrivals.append(Arrival(at: simulation.clock.now, row: row))
            }
        }
    }

    /// Looks at what was issued in the last commit.
    func look(into database: ServiceDatabase) throws {
        let kinds: Set = [RecordKind.release.id, RecordKind.releaseAtom.id]
        let page = try Journal.read(
            lane: .rollups, from: database.reader(), after: seen, kinds: kinds,
            limit: JournalPage.Limit(blocks: .max, bytes: .max), sealer: simulation.sealer)
        heard.formUnion(try database.read { try String.fetchAll($0, sql: "SELECT request FROM erasures") })
        for block in page.blocks where kinds.contains(block.header.kind) {
            seen = max(seen, block.header.number)
            let columns = try block.columns(with: &decoder)
            if block.header.kind == RecordKind.release.id {
                for (_, document) in try columns.documents(ReleaseDocument.self) { try take(document.head) }
            } else {
                for row in 0..<columns.rowCount {
                    let key = String(decoding: columns[ColumnID.key]?.value(row) ?? [], as: UTF8.self)
                    let atom = columns[ColumnID.document]?.withBytes(row) { ReleasedAtom($0) } ?? nil
                    guard let atom else { throw SimulationFailure("atom \(key) cannot be read") }
                    atoms[String(key.prefix { $0 != "/" }), default: []].append(atom)
                }
            }
        }
        try lookAtSealing(database)
    }

    private func take(_ head: ReleaseHead) throws {
        let series = ReferenceReleases.Series(
            kind: head.releaseClass, network: head.network, start: Int(head.fromMs / 1_000))
        let found = (atoms.removeValue(forKey: head.id) ?? []).map { Self.line($0, of: head.id) }.sorted()
        guard issuedSeries.insert(series).inserted, issued.updateValue(found, forKey: head.id) == nil else {
            throw SimulationFailure("release \(head.id) was issued twice")
        }
        let candidates = candidates.map { model.lines($0)[series] ?? [] }
        guard candidates.contains(found) else {
            throw SimulationFailure("release \(head.id) is \(found), expected \(candidates.last ?? [])")
        }
        simulation.note(.released)
        if head.releaseClass == "final" { simulation.note(.dayReleased) }
    }

    /// The rows that the aggregator had at each moment lately, the present one last, without those who are erased.
    private var candidates: [[ReferenceRow]] {
        let gone = Set(
            simulation.model.erasedRequests.filter { heard.contains($0.key) }.flatMap(\.value).map {
                "\($0.device) \($0.id)"
            })
        let from = simulation.clock.now - Self.patience
        let counts = Set(arrivals.indices.filter { arrivals[$0].at >= from } + [arrivals.count]).sorted()
        return counts.map { count in
            arrivals.prefix(count).map(\.row).filter { !gone.contains("\($0.device) \($0.id)") }
        }
    }

    /// Of a day that is closed everything is released that could be.
    private func lookAtSealing(_ database: ServiceDatabase) throws {
        let through = try database.read { try Int.fetchOne($0, sql: "SELECT through FROM sealing") ?? 0 }
        guard through > sealedThrough else { return }
        defer { sealedThrough = through }
        // What came in the last moment may have come after its day was released.
        for rows in candidates.prefix(1) {
            for (series, _) in model.lines(rows) where series.kind != "provisional" {
                guard (sealedThrough..<through).contains(series.start), !issuedSeries.contains(series) else { continue }
                // Somebody who asked for it since then has perhaps left too few.
                guard simulation.model.erasedRows.isEmpty else { continue }
                throw SimulationFailure(
                    "day \(series.start) of \(series.network) was closed without its \(series.kind) release")
            }
        }
    }

    /// The exporter has every release as it was issued, and no other.
    func compare(_ exporter: ServiceDatabase) throws {
        let rows = try exporter.read { db in
            try Row.fetchAll(
                db,
                sql: "SELECT id, atom FROM releases JOIN release_atoms ON release = number WHERE document IS NOT NULL")
        }
        let stored = try Dictionary(grouping: rows) { $0[0] as String }.mapValues { rows in
            try rows.map { row in
                let bytes = [UInt8](row[1] as Data)
                guard let atom = bytes.withUnsafeBytes({ ReleasedAtom($0) }) else {
                    throw SimulationFailure("an atom of \(row[0] as String) cannot be read")
                }
                return Self.line(atom, of: row[0])
            }.sorted()
        }
        guard stored == issued else {
            throw SimulationFailure("the exporter has the releases \(stored), issued were \(issued)")
        }
    }

    private static func line(_ atom: ReleasedAtom, of release: String) -> String {
        let metric = Metric(rawValue: atom.metric)?.name ?? "?"
        let isByTechnology = release.hasPrefix("technology-")
        let technology = isByTechnology ? Technology(rawValue: Int64(atom.stratum))?.name ?? "?" : "-"
        let figures = atom.figures
        return """
            \(metric) \(atom.hour) \(technology) \(atom.cell?.text ?? "-") devices=\(figures.devices) \
            samples=\(figures.samples) effective=\(figures.effectiveDevices)
            """
    }
}
