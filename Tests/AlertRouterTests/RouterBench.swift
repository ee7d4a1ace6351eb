import Foundation
import GRDB
import Lanes
import Models
import Storage
import Wire

@testable import AlertRouter

/// An engine with the router's effects over a database in a directory of its own.
final class RouterBench {
    private let directory: TemporaryDirectory
    let database: ServiceDatabase
    let engine: EffectEngine
    private let published = Published()

    /// - Parameter keep: milliseconds messages are kept.
    init(keep: UnixMilliseconds = 8 * 86_400_000, mostMessages: Int64 = 1_000_000) throws {
        directory = try TemporaryDirectory()
        let path = directory.path + "/state.sqlite"
        database = try ServiceDatabase(path: path, migrations: AlertRouterEffects.migrations)
        let published = published
        let effects = try AlertRouterEffects(database: database, keepMilliseconds: keep, mostMessages: mostMessages) {
            published.messages += $0
        }
        engine = try EffectEngine(
            database: database, reads: [LaneSubscription(lane: .realtime, kinds: [.report, .feedback])],
            journals: [Journal(lane: .alerts, in: database, newGeneration: { 5 })], effects: effects)
    }

    /// What left by `publish` so far.
    var messages: [AlertMessage] { published.messages }

    /// What the store would replay.
    func stored(_ request: ReplayRequest = .replay(after: 0, prefix: [])) throws -> [AlertMessage] {
        let reader = ReplayReader(database: try database.reader(), tenant: .regulator)
        var messages: [AlertMessage] = []
        var next: ReplayPage.Next?
        repeat {
            let page = try reader.page(request, next)
            messages += page.messages
            next = page.next
        } while next != nil
        return messages
    }

    func lastSeq() throws -> Int64 {
        try database.read { try AlertMessageStore(tenant: .regulator).lastSeq($0) }
    }

    func number(_ sql: String) throws -> Int64 {
        try database.read { try Int64.fetchOne($0, sql: sql) ?? -1 }
    }

    private final class Published {
        var messages: [AlertMessage] = []
    }
}
