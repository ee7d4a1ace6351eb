import Foundation
import GRDB
import Lanes
import Models
import QoE
import ServiceKit
import Storage
import Testing
import Wire

@testable import AlertRouter

/// A router with tenant mtn and one open emergency of its network.
final class HandlingBench {
    static let start: UnixMilliseconds = 1_750_000_000_000

    let bench: RouterBench
    let mtn: Added, orange: Added
    private var operations: UInt64 = 1, realtime: UInt64 = 0
    private(set) var told: [(kind: UInt8, key: String, document: [String: Any]?)] = []
    private var outcomes: [String: String] = [:]
    var now = HandlingBench.start

    init() throws {
        mtn = try Added("mtn", 1, ["62401"])
        orange = try Added("orange", 2, ["62402"])
        bench = try RouterBench()
        try step([Added.block(1, [mtn, orange])])
        try raise()
    }

    func raise(latitude: Int64 = 40_510_000, mnc: Int64 = 1, servedBy: Int64? = nil) throws {
        realtime += 1
        var urgent = Urgent.emergency(device: Int64(realtime), at: now)
        (urgent.latitude, urgent.mnc, urgent.servedBy) = (latitude, mnc, servedBy)
        try step([Urgent.block(realtime, [urgent])])
    }

    /// The handling of an alarm by a tenant.
    func handling(about alarm: String, by tenant: String = "mtn") throws -> AlarmHandling? {
        try bench.database.read { db in
            try AlarmHandlingRows.number(of: alarm, db).flatMap {
                try AlarmHandlingRows.handling(of: $0, by: tenant, db)
            }
        }
    }

    var alarm: String { get throws { try text("SELECT id FROM alarms ORDER BY number DESC LIMIT 1") } }

    func text(_ sql: String) throws -> String {
        try bench.database.read { try String.fetchOne($0, sql: sql) ?? "" }
    }

    func command(
        _ act: AlarmCommand.Act, _ task: String, by contact: String = "ann", of tenant: String = "mtn",
        until: UnixMilliseconds? = nil, text: String? = nil, at: UnixMilliseconds? = nil
    ) throws -> AlarmCommand {
        AlarmCommand(
            task: task, alarm: try alarm, act: act, tenant: tenant, contact: contact, at: at ?? now, until: until,
            text: text)
    }

    /// Commands as the exporter puts them on the lane.
    func block(_ commands: [AlarmCommand]) throws -> LaneBlock {
        operations += 1
        return try LaneBlock(
            .operations, operations, .alarmCommand,
            Columns(
                rowCount: commands.count,
                columns: [
                    Column(id: ColumnID.key, strings: commands.map { Array($0.task.utf8) }),
                    Column(id: ColumnID.document, strings: try commands.map { try SortedJSON.bytes(of: $0) }),
                ]))
    }

    func give(_ commands: AlarmCommand...) throws { try step([block(commands)]) }

    func step(_ blocks: [LaneBlock]) throws {
        let outcome = try bench.engine.step(blocks, now: now)
        var decoder = ColumnDecoder()
        for block in outcome.appended.flatMap(\.blocks) {
            let columns = try block.columns(with: &decoder)
            guard let keys = columns[ColumnID.key] else { continue }
            for row in 0..<columns.rowCount {
                let document = try columns[ColumnID.document]?.value(row).map {
                    try JSONSerialization.jsonObject(with: Data($0)) as! [String: Any]
                }
                let key = String(decoding: keys.value(row) ?? [], as: UTF8.self)
                told.append((block.header.kind, key, document))
                guard block.header.kind == RecordKind.alarmTask.id, let state = document?["state"] as? String else {
                    continue
                }
                outcomes[key] = (document?["code"] as? String).map { "\(state) \($0)" } ?? state
            }
        }
    }

    /// State and code of a task, as the lane tells it.
    func outcome(_ task: String) -> String? { outcomes[task] }

    func handling(of tenant: String = "mtn") throws -> AlarmHandling? {
        try bench.database.read { db in
            let number = try Int64.fetchOne(db, sql: "SELECT max(number) FROM alarms") ?? 0
            return try AlarmHandlingRows.handling(of: number, by: tenant, db)
        }
    }

    /// The last document that a tenant's subscribers were sent.
    func document(of tenant: AlertTenant) throws -> [String: Any] {
        let message = try #require(bench.messages(of: tenant).last)
        let body = try Inflater.inflate(message.body, format: .zlib, limit: 1 << 20)
        return try JSONSerialization.jsonObject(with: Data(body)) as! [String: Any]
    }

    /// Sets a schedule, an escalation or planned work, as the exporter puts it on the lane; nil removes it.
    func set(_ kind: RecordKind, _ name: String, of tenant: String = "mtn", _ document: JSONValue?) throws {
        operations += 1
        let members = document.map {
            JSONValue.object($0.object!.merging(["tenant": .string(tenant)]) { old, _ in old })
        }
        try step([
            LaneBlock(
                .operations, operations, kind,
                Columns(
                    rowCount: 1,
                    columns: [
                        Column(id: ColumnID.key, strings: [Array("\(tenant)/\(name)".utf8)]),
                        Column(id: ColumnID.document, strings: [members.map { Array($0.text.utf8) }]),
                    ]))
        ])
    }

    /// So many milliseconds pass, and what is due is done.
    func wait(_ milliseconds: UnixMilliseconds) throws {
        now += milliseconds
        for _ in 0..<10 {
            try step([])
            guard bench.effects.nextTick ?? .max <= now else { return }
        }
    }

    /// A tenant is another one now.
    func change(_ tenant: Added) throws {
        operations += 1
        try step([Added.block(operations, [tenant])])
    }

    /// What the lane told of calls since the beginning: whom, by which step.
    var calls: [String] {
        told.compactMap { _, _, document in
            guard let command = document?["command"] as? [String: Any], command["act"] as? String == "escalate" else {
                return nil
            }
            return "\(command["text"] as? String ?? ""): \(command["to"] as? String ?? "nobody")"
        }
    }
}
