import AggregatorDeriving
import Foundation
import GRDB
import Lanes
import Models
import Storage
import SubjectRights
import Testing
import Wire

@testable import AggregatorCells
@testable import BatchAggregator

/// Looks for erased rows in everything that the aggregator keeps.
struct FileScan {
    private let world: AggregatorWorld

    init(_ world: AggregatorWorld) { self.world = world }

    func check(_ filter: ErasureFilter, _ rows: [AcceptedRow], _ comment: Comment) throws {
        var decoder = ColumnDecoder()
        var devices: Set<UInt32> = []
        for day in try world.open.existingDays() {
            try world.open.file(day).read { db in
                for (key, subjects) in try blocks(db) {
                    let open = try #require(try OpenRowFile.rows(of: key, db, &decoder))
                    let own = Set(open[OpenRowColumn.device]!.integers.map { UInt32($0) })
                    #expect(try filter.sift(openRows: open).taken.isEmpty, comment)
                    #expect(subjects.isEmpty || Set(subjects) == own, comment)
                    devices.formUnion(own)
                }
                let orphans = try Int.fetchOne(
                    db,
                    sql: """
                        SELECT count(*) FROM open_subjects s WHERE NOT EXISTS (SELECT 1 FROM open_rows r
                            WHERE r.lane = s.lane AND r.generation = s.generation AND r.block = s.block)
                        """)
                #expect(orphans == 0, comment)
            }
        }
        #expect(devices.isDisjoint(with: gone(filter)), comment)
        try checkState(filter, rows, comment)
    }

    private func gone(_ filter: ErasureFilter) -> [UInt32] {
        filter.devices.filter { filter.takesEverything(of: $0) }.map { UInt32($0) }
    }

    private func blocks(_ db: Database) throws -> [(BlockKey, [UInt32])] {
        var blocks: [(BlockKey, [UInt32])] = []
        _ = try OpenRowFile.forEachBlock(after: .none, limit: .max, db) { key, subjects in
            blocks.append((key, DeviceSet.ordinals(subjects)!))
            return true
        }
        return blocks
    }

    /// The sets of devices are those of an aggregator that never saw the erased rows.
    private func checkState(_ filter: ErasureFilter, _ rows: [AcceptedRow], _ comment: Comment) throws {
        let fresh = try CellBench()
        if !rows.isEmpty { try fresh.fold(rows) }
        let expected = try fresh.database.read { try devices($0) }
        try world.database.read { db in
            let stored = try devices(db)
            #expect(Set(stored.keys) == Set(expected.keys), comment)
            for (cell, set) in stored { #expect(set == expected[cell], comment) }
            for table in ["erasing_rows", "erasing_cells", "uncounted_cells"] {
                #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM \(table)") == 0, comment)
            }
            #expect(try Int.fetchOne(db, sql: "SELECT count(device) FROM erasures") == 0, comment)
            #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM erasures WHERE state < 2") == 0, comment)
        }
    }

    /// The devices of every cell, those of references by their sources; a reference without one has none.
    private func devices(_ db: Database) throws -> [CellKey: [UInt32]] {
        var own: [CellKey: [UInt32]] = [:], references: [CellKey: CellKey] = [:]
        for row in try Row.fetchAll(db, sql: "SELECT key, devices, source, samples, histograms FROM cells") {
            let cell = try key(row[0])
            if let source = row[2] as Data? {
                references[cell] = try key(source)
            } else {
                own[cell] = (row[1] as Data).withUnsafeBytes { devices in
                    (row[4] as Data).withUnsafeBytes {
                        CellDevices.ordinals(.init(samples: row[3], devices: devices, histograms: $0))
                    }
                }
            }
        }
        for (cell, source) in references { own[cell] = own[source] ?? [] }
        return own
    }

    private func key(_ bytes: Data) throws -> CellKey { try bytes.withUnsafeBytes { try CellStoreKey.read($0) } }
}
