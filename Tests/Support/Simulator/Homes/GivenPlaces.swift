import Foundation
import GRDB
import ServiceKit
import Storage

/// Places of the exporter that clients count by: blocks of raw rows and changes of alarms. What was given out in a life that
/// was lost is never given out again.
struct GivenPlaces {
    /// The last ones that were given out.
    struct Last {
        var rawBlock = 0
        var alarmChange = 0

        /// - Parameter db: the exporter's.
        init(_ db: Database) throws {
            rawBlock = try Int.fetchOne(db, sql: "SELECT value FROM figures WHERE name = 'raw_sequence'") ?? 0
            alarmChange =
                try Int.fetchOne(db, sql: "SELECT seq FROM sqlite_sequence WHERE name = 'alarm_changes'") ?? 0
        }
    }

    private var lost: [(after: Last, through: Last)] = []

    /// A home was restored: what was given out after its backup was lost.
    mutating func restored(_ backedUp: Last, lost: Last) { self.lost.append((backedUp, lost)) }

    /// - Parameters:
    ///   - home: with the exporter's day files.
    ///   - exporter: its database.
    /// - Throws: `SimulationFailure` if a place was given out twice.
    func check(_ home: Home, _ exporter: ServiceDatabase) throws {
        let changes = try exporter.read { try Int.fetchAll($0, sql: "SELECT sequence FROM alarm_changes") }
        try expectNone(changes, of: "alarm changes") { ($0.after.alarmChange, $0.through.alarmChange) }
        let raw = home.directory(of: .analyticsExporter) + "/raw"
        for name in try FileManager.default.contentsOfDirectory(atPath: raw) where name.hasSuffix(".sqlite") {
            let file = try ReadOnlyDatabase(path: "\(raw)/\(name)")
            let blocks = try file.read { try Int.fetchAll($0, sql: "SELECT sequence FROM blocks") }
            try expectNone(blocks, of: "raw rows") { ($0.after.rawBlock, $0.through.rawBlock) }
            try file.close()
        }
    }

    private func expectNone(
        _ places: [Int], of what: String, _ range: (_ loss: (after: Last, through: Last)) -> (after: Int, through: Int)
    ) throws {
        for loss in lost {
            let (after, through) = range(loss)
            guard let place = places.first(where: { after < $0 && $0 <= through }) else { continue }
            throw SimulationFailure("place \(place) of \(what) was given out in a lost life, too")
        }
    }
}
