import AlarmRules
import Foundation
import GRDB
import Lanes
import Models
import QoE
import Storage
import SubjectRights
import TemporaryFiles
import Wire

@testable import AlertRouter

/// The router's two engines over databases in a directory: the windows find, the router takes over.
final class WindowsBench {
    static let start: UnixMilliseconds = 1_750_000_020_000

    let router: RouterBench
    let database: ServiceDatabase
    private let directory: TemporaryDirectory
    private let sealer: BlockSealer?
    private(set) var windows: WindowsEffects
    private(set) var engine: EffectEngine
    private(set) var desk: TransitionDesk
    private static let key = ReceiptKey(secret: [UInt8](repeating: 3, count: 32), service: "alert-router")

    init(sealer: BlockSealer? = nil) throws {
        self.sealer = sealer
        directory = try TemporaryDirectory()
        router = try RouterBench(.qoe)
        database = try ServiceDatabase(
            path: directory.path + "/windows.sqlite", migrations: WindowsEffects.migrations)
        (windows, engine, desk) = try Self.open(database, sealer)
        router.effects.desk = desk
    }

    /// As after a kill of the router: what was in memory is gone.
    func restart() throws {
        (windows, engine, desk) = try Self.open(database, sealer)
        try router.restart()
        router.effects.desk = desk
    }

    private static func open(
        _ database: ServiceDatabase, _ sealer: BlockSealer?
    ) throws -> (WindowsEffects, EffectEngine, TransitionDesk) {
        let windows = try WindowsEffects(programmes: .qoe, database: database, sealer: sealer)
        let desk = try windows.desk(database)
        windows.taken = { desk.taken }
        windows.told = { desk.wrote(through: $0.newest, reached: $0.reached) }
        let engine = try EffectEngine(
            database: database, reads: WindowsEffects.subscriptions(.qoe), journals: [],
            effects: SubjectRightsEffects(
                windows, windows.subjects, database: database, journals: [], key: key))
        return (windows, engine, desk)
    }

    /// Gives the windows blocks, and the router what they find.
    func step(_ blocks: [LaneBlock], now: UnixMilliseconds) throws {
        try engine.step(blocks, now: now)
        try router.engine.step([], now: now)
    }

    /// The lanes are complete to a moment.
    func complete(to moment: UnixMilliseconds) throws {
        windows.lanesComplete(to: [.realtime: moment, .batch: moment])
        try step([], now: moment)
    }

    /// Alarms of the router's database in short: rule, subject, episode, severity, times, devices.
    func alarms() throws -> [String] {
        try router.database.read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT rule, owner, subject, episode, severity, raised_at, changed_at, cleared_at, devices FROM alarms
                    ORDER BY raised_at, rule, owner, subject, episode
                    """
            ).map { row in row.databaseValues.map { "\($0)" }.joined(separator: " ") }
        }
    }

    func number(_ sql: String) throws -> Int64 { try database.read { try Int64.fetchOne($0, sql: sql) ?? -1 } }

    /// A block of `realtime` or `batch`, by its number, received at the latest of its rows.
    static func block(_ number: UInt64, _ rows: [Urgent], lane: LaneName = .batch) throws -> LaneBlock {
        try LaneBlock(
            lane, number, .report, Urgent.columns(rows), committedAt: rows.map(\.receivedAt).max()!,
            subjects: Set(rows.map { UInt64($0.device) }))
    }

    static func rule(_ number: UInt64, _ id: String, _ document: String?) throws -> LaneBlock {
        try LaneBlock(.operations, number, .rule, ruleColumns(id, document))
    }

    static func ruleColumns(_ id: String, _ document: String?) -> Columns {
        Columns(
            rowCount: 1,
            columns: [
                Column(id: ColumnID.key, strings: [Array(id.utf8)]),
                Column(id: ColumnID.document, strings: [document.map { Array($0.utf8) }]),
            ])
    }

    /// Five hours: phones without service from the 30th minute to the 60th, somebody heard all the time.
    static func outage(seed: UInt64 = 1) throws -> [LaneBlock] {
        var random = SplitMix64(seed: seed)
        return try (0..<300).map { minute in
            let at = start + UnixMilliseconds(minute) * 60_000
            var rows = (0..<3).map { _ in
                Urgent(device: Int64(100 + random.below(40)), receivedAt: at + random.below(30_000))
            }
            if (30..<60).contains(minute) {
                for _ in 0..<3 {
                    let received = at + random.below(60_000)
                    rows.append(
                        Urgent(
                            device: Int64(1 + random.below(9)), receivedAt: received, event: .noService,
                            age: random.below(600_000)))
                }
            }
            return try block(UInt64(minute + 1), rows, lane: .batch)
        }
    }

    /// Plays blocks with the watermark behind each, and starts anew where it is said.
    func play(_ blocks: [LaneBlock], restartsBefore: Set<Int> = []) throws {
        for (place, block) in blocks.enumerated() {
            if restartsBefore.contains(place) { try restart() }
            let at = block.block.header.committedAt
            try step([block], now: at)
            try complete(to: at)
        }
    }
}

extension AlertMessage {
    /// The document that it carries.
    func clear() throws -> [UInt8] { try Inflater.inflate(body, format: .zlib, limit: 10_000) }
}

/// Documents of built-in rules.
enum BuiltIn {
    static let noService = BuiltInRules.documents(.qoe).first { $0.id == "built-in.no_service" }!.document
}
