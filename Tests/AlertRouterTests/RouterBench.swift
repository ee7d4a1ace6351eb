import Foundation
import GRDB
import Lanes
import Models
import QoE
import Storage
import SubjectRights
import TemporaryFiles
import Testing
import Wire

@testable import AlertRouter

/// An engine with the router's effects over a database in a directory of its own.
final class RouterBench {
    private let directory: TemporaryDirectory
    let database: ServiceDatabase
    private let programmes: Programmes
    private(set) var engine: EffectEngine
    private(set) var effects: AlertRouterEffects
    private static let key = ReceiptKey(secret: [UInt8](repeating: 3, count: 32), service: "alert-router")
    private let published = Published()

    /// - Parameter keep: milliseconds messages are kept.
    init(
        _ programmes: Programmes = .raisingAll, keep: UnixMilliseconds = 8 * 86_400_000,
        mostMessages: Int64 = 1_000_000,
        trust: TrustPolicy = .any
    ) throws {
        self.programmes = programmes
        directory = try TemporaryDirectory()
        let path = directory.path + "/state.sqlite"
        database = try ServiceDatabase(path: path, migrations: AlertRouterEffects.migrations)
        (engine, effects) = try Self.open(programmes, database, keep, mostMessages, trust, published)
    }

    /// As after a kill: what was in memory is gone, what was committed is there.
    func restart() throws {
        (engine, effects) = try Self.open(programmes, database, 8 * 86_400_000, 1_000_000, .any, published)
    }

    private static func open(
        _ programmes: Programmes, _ database: ServiceDatabase, _ keep: UnixMilliseconds, _ mostMessages: Int64,
        _ trust: TrustPolicy,
        _ published: Published
    ) throws -> (EffectEngine, AlertRouterEffects) {
        let effects = try AlertRouterEffects(
            programmes: programmes, database: database, keepMilliseconds: keep, mostMessages: mostMessages,
            trust: trust,
            skipped: {
                published.skipped.append($1); published.reasons.append($0)
            },
            held: { published.held[$0, default: 0] += $1 },
            unreadable: { task, _ in published.unreadable.append(task) },
            refused: { name, reason in published.refusals.append("\(name): \(reason)") },
            unusable: { document, _ in published.unusable.append(document) },
            publish: { published.messages += $0 })
        let journal = try Journal(lane: .alerts, in: database, newGeneration: { 5 })
        let engine = try EffectEngine(
            database: database, reads: AlertRouterEffects.subscriptions(programmes), journals: [journal],
            effects: SubjectRightsEffects(
                effects, effects.subjects, database: database, journals: [journal], key: key))
        return (engine, effects)
    }

    /// What is read but for the rights of subjects, which bare effects do not know.
    var withoutSubjects: [LaneSubscription] { engine.subscriptions.filter { $0.lane != .privacy } }

    /// What left by `publish` so far.
    var messages: [AlertMessage] { published.messages }

    /// What left for one tenant.
    func messages(of tenant: AlertTenant) -> [AlertMessage] { messages.filter { $0.tenant == tenant.number } }

    /// Tenants of the lane that were refused, and why.
    var refusals: [String] { published.refusals }

    /// Schedules, escalations and plans that cannot be used.
    var unusable: [String] { published.unusable }

    /// How many records each commit left out, reason by reason, and for which.
    var skipped: [Int] { published.skipped }
    var reasons: [AlarmExclusion] { published.reasons }

    /// Alarms of rules that others speak for, and tasks of commands that were set aside.
    var held: [AlarmHold: Int] { published.held }
    var unreadable: [String] { published.unreadable }

    /// What the store would replay.
    func stored(
        _ request: ReplayRequest = .replay(after: 0, prefix: []), of tenant: AlertTenant = .regulator
    ) throws -> [AlertMessage] {
        let reader = ReplayReader(database: try database.reader(), tenant: tenant)
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

    /// Ticks until housekeeping has nothing left to do soon.
    func keepHouse(from now: UnixMilliseconds) throws {
        var now = now
        for _ in 0..<1_000 {
            try engine.step([], now: now)
            let next = try #require(effects.nextTick)
            if next >= now + MessageHousekeeping.interval { return }
            now = max(next, now)
        }
        Issue.record("housekeeping does not end")
    }

    /// The lane of urgent records is complete to a moment, and what follows of it is done.
    func complete(to moment: UnixMilliseconds, now: UnixMilliseconds) throws {
        effects.lanesComplete(to: [.realtime: moment])
        for _ in 0..<100 {
            try engine.step([], now: now)
            guard effects.nextTick == 0 else { return }
        }
        Issue.record("clearing does not end")
    }

    func number(_ sql: String) throws -> Int64 {
        try database.read { try Int64.fetchOne($0, sql: sql) ?? -1 }
    }

    private final class Published {
        var messages: [AlertMessage] = []
        var refusals: [String] = []
        var unusable: [String] = []
        var skipped: [Int] = []
        var reasons: [AlarmExclusion] = []
        var held: [AlarmHold: Int] = [:]
        var unreadable: [String] = []
    }
}
