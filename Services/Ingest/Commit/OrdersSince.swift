internal import Foundation
internal import GRDB
internal import IngestCommands
internal import IngestSupport
internal import Logging
internal import Models
internal import ServiceKit
internal import Storage
internal import SubjectRights

/// Erasures that were ordered after the backup that the home was restored from: each becomes a request again, before anybody
/// is listened to. They name their devices by HMAC only, so all devices are gone through once.
struct OrdersSince {
    /// Requests of one transaction, and devices of one look.
    private static let requestsAtOnce = 200, devicesAtOnce = 10_000

    private let path: String
    private let deadline: UnixMilliseconds
    private let suppression: SuppressionKey

    /// - Parameter deadline: milliseconds in which an erasure must be completed.
    init(_ home: Home, deadline: UnixMilliseconds, _ suppression: SuppressionKey) {
        path = home.ordersSinceFile
        self.deadline = deadline
        self.suppression = suppression
    }

    /// Takes them, if there are any, then removes their file. A crash repeats it: what was taken is known by its request.
    ///
    /// - Throws: `ServiceError` naming the file if it cannot be read, errors of the database.
    func apply(to engine: IngestEngine, now: UnixMilliseconds, _ log: Logger) throws {
        guard let bytes = FileManager.default.contents(atPath: path) else { return }
        let orders: [ErasureOrderDocument]
        do { orders = try JSONDecoder().decode(ErasureOrderList.self, from: bytes).orders } catch {
            throw ServiceError(.home, "\(path) is not what nkul restore writes: \(error)")
        }
        let changes = try changes(orders, engine, now: now)
        var taken = 0
        for first in stride(from: 0, to: changes.count, by: Self.requestsAtOnce) {
            let some = Array(changes[first...].prefix(Self.requestsAtOnce))
            let outcome = try engine.commit([], commands: some, now: now)
            // What is left is refused: a part of what goes as a whole already.
            taken += outcome.answers(to: ErasureChange.self).count { (try? $0.get()) != nil }
        }
        try SmallFile.remove(path)
        log.info(
            "erasures since the backup", metadata: ["ordered": "\(orders.count)", "taken": "\(taken)"])
    }

    /// In the order of their requests: nothing can be asked for after everything was.
    private func changes(
        _ orders: [ErasureOrderDocument], _ engine: IngestEngine, now: UnixMilliseconds
    ) throws -> [ErasureChange] {
        let devices = try devices(Set(orders.map(\.subject)), engine)
        return try engine.database.read { db in
            try orders.compactMap { order in
                guard let device = devices[order.subject], try IngestStore(db).erasure(order.request) == nil else {
                    return nil
                }
                return ErasureChange(
                    device: device, request: order.request, scope: order.scope, source: .restore,
                    dueAt: max(order.dueAt, now + deadline))
            }
        }
    }

    /// Ordinals by HMAC, of those asked for.
    private func devices(_ subjects: Set<String>, _ engine: IngestEngine) throws -> [String: UInt64] {
        guard !subjects.isEmpty else { return [:] }
        var found: [String: UInt64] = [:], after: Int64 = 0
        while true {
            let rows = try engine.database.read { db in
                try Row.fetchAll(
                    db,
                    sql: """
                        SELECT ordinal, device_id FROM device_names JOIN devices USING (ordinal)
                        WHERE ordinal > ? ORDER BY ordinal LIMIT ?
                        """, arguments: [after, Self.devicesAtOnce])
            }
            for row in rows {
                let mark = Hexadecimal.text(suppression.mark(ofDevice: [UInt8](row[1] as Data)))
                if subjects.contains(mark) { found[mark] = UInt64(row[0] as Int64) }
            }
            guard let last = rows.last, rows.count == Self.devicesAtOnce else { return found }
            after = last[0]
        }
    }
}
