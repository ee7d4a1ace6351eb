import Foundation
import Models
import QoE
import Testing

@testable import Laboratory

/// The recordings of other people, where they are there (`NKUL_TRAFFIC`, or `traffic` beside the checkout).
struct RealTrafficTests {
    static let folder: String? = {
        let own = ProcessInfo.processInfo.environment["NKUL_TRAFFIC"]
        let beside = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
            "../../../shared/traffic")
        return [own, beside.standardizedFileURL.path].compactMap { $0 }.first {
            FileManager.default.fileExists(atPath: $0)
        }
    }()

    private func files(_ part: String) throws -> [String] {
        let folder = try #require(Self.folder) + "/\(part)"
        return try FileManager.default.contentsOfDirectory(atPath: folder).sorted().map { "\(folder)/\($0)" }
    }

    @Test(.enabled(if: folder != nil))
    func `every row of the G-NetTrack logs is taken, with the dirt that is known to be in them`() throws {
        var ledger = ImportLedger()
        let read = try files("gnettrack").map { try ImportFile.read($0, ImportSettings(), &ledger) }
        #expect(read.reduce(0) { $0 + $1.count } == 22_893)
        #expect(ledger.files.allSatisfy { $0.left == 0 && $0.taken + $0.mended == $0.rows })
        let expected: [ImportRule: Int] = [
            .zonelessTime: 22_893, .operatorWithoutNumber: 22_871, .operatorIsNumber: 21, .operatorMissing: 1,
            .sentinel: 71, .idleThroughput: 3_924, .pingAllLost: 25, .sameSecond: 1_798,
        ]
        #expect(ledger.files.reduce(0) { $0 + ($1.unused["NRxRSRP"] ?? 0) } > 10_000)
        let latencies = read.joined().count { $0.row.values[ColumnID.latency] != nil }
        #expect(latencies > 700 && read.joined().count { $0.row.values[ColumnID.jitter] != nil } == latencies)
        for (rule, count) in expected { #expect(ledger.entries[rule]?.count == count, "\(rule)") }
    }

    @Test(.enabled(if: folder != nil))
    func `relocated traces are valid rows in Cameroon on one day`() throws {
        var ledger = ImportLedger()
        let paths = try files("gnettrack") + files("feedback")
        let read = try paths.map { try ImportFile.read($0, ImportSettings(), &ledger) }
        let towns = try Town.read(#require(Self.folder) + "/cameroon_places.csv")
        let rows = ImportAssembly.rows(read, Relocation(towns: towns, seed: 1))
        #expect(rows.count == 23_193)
        #expect(rows.last!.capturedAt - rows[0].capturedAt < 2 * 86_400_000)
        for row in rows {
            for field in RecordingColumns.fields() {
                if let value = row.values[field.column] {
                    #expect(field.range.contains(value), "\(field.name) \(value)")
                }
            }
        }
        let places = rows.filter { $0.values[ColumnID.latitude] != nil }
        #expect(places.allSatisfy { (10_000_000...140_000_000).contains($0.values[ColumnID.latitude]!) })
        #expect(rows.count { $0.kind == .feedback } == 297)
        #expect(rows.count(where: \.isUrgent) == 74)
    }
}
