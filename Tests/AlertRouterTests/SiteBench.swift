import Alarms
import Foundation
import GRDB
import Lanes
import Models
import SubjectRights
import Testing
import Wire

@testable import AlertRouter

/// A router with tenant harbour, its site 12, the sensors 7 (entry delay 30 s), 8 (smoke, always armed) and 9, and the door 3 with a key
/// of ann for Mondays, 08:00 to 18:00 in Douala. Device 5 reports for the site and opens the door.
final class SiteBench {
    /// Monday, 2026-11-30, 10:00 in Douala.
    static let monday: UnixMilliseconds = 1_796_029_200_000

    let bench: RouterBench
    let harbour: Added, hill: Added
    private(set) var told: [(kind: RecordKind, key: String, document: [String: Any]?)] = []
    var now = SiteBench.monday
    private var operations: UInt64 = 1, realtime: UInt64 = 0

    init() throws {
        harbour = try Added("harbour", 1, [], scopes: ["site:12"])
        hill = try Added("hill", 2, [], scopes: ["site:13"])
        bench = try RouterBench(.ofThisBuild)
        try step([Added.block(1, [harbour, hill])])
        try set(
            .site, "12",
            SiteDocument(
                compiling: Array(#"{"name":"Quay","zone":"Africa/Douala","devices":[5],"exit_delay_s":60}"#.utf8),
                id: 12))
        for (id, more) in [(7, #","entry_delay_s":30"#), (8, #","always":true,"severity":"critical""#), (9, "")] {
            try set(
                .sensor, "\(id)",
                SensorDocument(
                    compiling: Array("{\"site\":12,\"name\":\"Sensor \(id)\"\(more)}".utf8), id: Int64(id)))
        }
        try set(.door, "3", DoorDocument(compiling: Array(#"{"site":12,"name":"Gate","device":5}"#.utf8), id: 3))
        try set(
            .doorKey, "k1",
            DoorKeyDocument(
                compiling: Array(
                    #"{"door":3,"tenant":"harbour","contact":"ann","schedule":[{"days":["mon"],"from":"08:00","to":"18:00"}]}"#
                        .utf8), id: "k1"))
    }

    func set(_ kind: RecordKind, _ key: String, _ document: some Encodable) throws {
        operations += 1
        try step([LaneBlock(.operations, operations, kind, .documents([(key, document)]))])
    }

    func remove(_ kind: RecordKind, _ key: String) throws {
        operations += 1
        try step([LaneBlock(.operations, operations, kind, .tombstones([(key, nil)]))])
    }

    /// What a sensor reports now, or reported a while ago.
    func report(
        _ sensor: Int64, high: Bool, value: Int64? = nil, tamper: Bool = false, by device: Int64 = 5, site: Int64 = 12,
        ago: UnixMilliseconds = 0
    ) throws {
        realtime += 1
        let columns = Columns(
            rowCount: 1,
            columns: [
                Column(id: ColumnID.device, values: [device]),
                Column(id: ColumnID.receivedAt, encoding: .delta, values: [now]),
                Column(id: ColumnID.capturedAt, encoding: .delta, values: [now - ago]),
                Column(id: SensorEvent.site, values: [site]), Column(id: SensorEvent.sensor, values: [sensor]),
                Column(id: SensorEvent.state, values: [high ? 1 : 0]), Column(id: SensorEvent.value, values: [value]),
                Column(id: SensorEvent.tamper, values: [tamper ? 1 : 0]),
            ])
        try step([
            LaneBlock(.realtime, realtime, .sensorEvent, columns, committedAt: now, subjects: [UInt64(device)])
        ])
    }

    /// What a device says of a command.
    func answer(_ task: String, _ outcome: CommandResult.Outcome, by device: Int64 = 5) throws {
        realtime += 1
        let columns = Columns(
            rowCount: 1,
            columns: [
                Column(id: ColumnID.device, values: [device]),
                Column(id: ColumnID.receivedAt, encoding: .delta, values: [now]),
                Column(id: CommandResult.site, values: [12]), Column(id: CommandResult.door, values: [3]),
                Column(id: CommandResult.command, strings: [Array(task.utf8)]),
                Column(id: CommandResult.result, values: [outcome.rawValue]),
            ])
        try step([
            LaneBlock(.realtime, realtime, .commandResult, columns, committedAt: now, subjects: [UInt64(device)])
        ])
    }

    func give(
        _ act: SiteCommand.Act, _ target: SiteCommand.Target, _ id: Int64, _ task: String, by contact: String = "ann",
        of tenant: String = "harbour", code: String? = nil, at: UnixMilliseconds? = nil
    ) throws {
        operations += 1
        let command = SiteCommand(
            task: task, act: act, target: target, id: id, tenant: tenant, contact: contact, at: at ?? now, code: code)
        try step([LaneBlock(.operations, operations, .siteCommand, .documents([(task, command)]))])
    }

    func wait(seconds: Int64) throws {
        now += seconds * 1_000
        try step([])
    }

    func step(_ blocks: [LaneBlock]) throws {
        let outcome = try bench.engine.step(blocks, now: now)
        var decoder = ColumnDecoder()
        for block in outcome.appended.flatMap(\.blocks) {
            let columns = try block.columns(with: &decoder)
            guard let keys = columns[ColumnID.key], let kind = Programmes.ofThisBuild.record(block.header.kind) else {
                continue
            }
            for row in 0..<columns.rowCount {
                let document = try columns[ColumnID.document]?.value(row).map {
                    try JSONSerialization.jsonObject(with: Data($0)) as? [String: Any] ?? [:]
                }
                told.append((kind, String(decoding: keys.value(row) ?? [], as: UTF8.self), document))
            }
        }
    }

    /// State, code and result of a task, as the lane tells it; nil if it was not told.
    func outcome(_ task: String) -> String? {
        guard let document = told.last(where: { $0.kind == .siteTask && $0.key == task })?.document else { return nil }
        return ["state", "code", "result"].compactMap { document[$0] as? String }.joined(separator: " ")
    }

    /// How often something was told of a key.
    func count(_ kind: RecordKind, _ key: String) -> Int { told.count { $0.kind == kind && $0.key == key } }

    func arming(of sensor: Int) -> String? {
        told.last { $0.kind == .sensorState && $0.key == "\(sensor)" }?.document?["arming"] as? String
    }

    /// Topics that the tenant's subscribers were told, since the last look.
    func topics() -> [String] {
        let all = bench.messages(of: harbour.tenant).map(\.topic)
        defer { seen = all.count }
        return Array(all.dropFirst(seen))
    }
    private var seen = 0

    /// Documents of the last alarm told on the lane.
    var alarm: [String: Any] { told.last { $0.kind == .alarm }?.document ?? [:] }
}
