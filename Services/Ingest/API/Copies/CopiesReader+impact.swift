internal import Foundation
internal import GRDB
internal import IngestSupport
internal import Models
internal import NIOPosix
internal import Storage

/// What a device helped to raise.
extension CopiesReader {
    /// A page of the alarms in which a device's records count; all of one moment.
    func impact(of device: UInt64, _ query: PageQuery) async throws -> ImpactAnswer {
        let device = Int64(bitPattern: device)
        return try await NIOThreadPool.singleton.runIfActive { [reader] in
            try reader.read { db in
                let found = try Self.alarms(of: device, query, db)
                let alarms = Array(found.prefix(query.limit))
                let counts = try Row.fetchOne(
                    db,
                    sql: """
                        SELECT count(*), count(*) FILTER (WHERE state = 'cleared')
                        FROM contributions JOIN alarms ON alarms.id = alarm WHERE device = ?
                        """, arguments: [device])
                return ImpactAnswer(
                    alarms: alarms, next: found.count > alarms.count ? alarms.last?.position : nil,
                    helped: counts?[0] ?? 0, cleared: counts?[1] ?? 0, asOf: try DocumentCopies.asOf(.alerts, db))
            }
        }
    }

    /// One more than is asked for, if there is one.
    private static func alarms(of device: Int64, _ query: PageQuery, _ db: Database) throws -> [ImpactAnswer.Alarm] {
        let statement = try db.cachedStatement(
            sql: """
                SELECT first_at, name, records, rule, severity, state, acknowledged, raised_at, cleared_at, cell
                FROM contributions JOIN alarms ON alarms.id = alarm
                WHERE device = ? AND (first_at, name) < (?, ?) ORDER BY first_at DESC, name DESC LIMIT ?
                """)
        return try Row.fetchAll(statement, arguments: [device, query.after.time, query.after.name, query.limit + 1]).map
        {
            ImpactAnswer.Alarm(
                position: PagePosition(time: $0[0], name: $0[1]),
                alarm: ImpactAlarm(
                    rule: $0[3], severity: $0[4], state: $0[5], isAcknowledged: $0[6], raisedAt: $0[7],
                    clearedAt: $0[8],
                    cell: $0[9]), records: $0[2])
        }
    }
}
