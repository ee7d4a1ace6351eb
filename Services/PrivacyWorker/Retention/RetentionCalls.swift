internal import Foundation
internal import Models
internal import ServiceKit
internal import Storage

/// What the privacy worker answers about retention on its control socket: `retention.show`, `retention.list`,
/// `retention.order`, `retention.run`.
struct RetentionCalls: Sendable {
    let policy: RetentionPolicy
    let reader: ReadOnlyDatabase
    let runRequests: RetentionRunRequests
    let clock: WallClock

    /// Orders of one list at most.
    static let mostOrders: Int64 = 400

    /// A kind of data, how long it is kept and what the last run left.
    struct Line: Encodable, Sendable {
        let kind: String
        let days: Int
        /// Left out where nothing changes the days.
        let setting: String?
        let services: [String]
        /// Of the last run; left out before the first.
        let removed: Int?
        let bytes: Int?
        let oldest_ms: UnixMilliseconds?
    }

    /// What `retention.show` tells.
    struct Show: Encodable, Sendable {
        let policy: [Line]
        /// Local time of day.
        let at: String
        let time_zone: String
        let next_run_ms: UnixMilliseconds?
        let last_run: Order?
        let last_dry_run: Order?
    }

    /// An order and who has executed it.
    struct Order: Encodable, Sendable {
        let order: String
        let issued_at_ms: UnixMilliseconds
        let dry_run: Bool
        let source: String
        let completed_at_ms: UnixMilliseconds?
        let was_late: Bool
        let removed: Int
        let bytes: Int
        let missing: [String]
        let cutoffs: [String: UnixMilliseconds]
        let reports: [RetentionReportDocument]
    }

    var all: [ControlCall] {
        [
            .typed("retention.show", JSONValue.self) { _ in try show() },
            .typed("retention.list", JSONValue.self) { try list($0) },
            .typed("retention.order", JSONValue.self) { try order($0) },
            .typed("retention.run", JSONValue.self) { ["order": .string(try await run($0))] as JSONValue },
        ]
    }

    private func show() throws -> Show {
        try reader.read { db in
            let orders = RetentionOrders(db)
            let last = try orders.newest(limit: 1, isDryRun: false).first
            let figures = last?.figures ?? [:]
            let lines = RetentionKind.allCases.map { kind in
                Line(
                    kind: kind.rawValue, days: policy.days[kind] ?? kind.rule.days,
                    setting: kind.rule.isFixed ? nil : RetentionPolicy.key(of: kind), services: kind.rule.keepers,
                    removed: figures[kind.rawValue]?.removed, bytes: figures[kind.rawValue]?.bytes,
                    oldest_ms: figures[kind.rawValue]?.oldest)
            }
            return Show(
                policy: lines, at: policy.schedule.text, time_zone: policy.schedule.zone.identifier,
                next_run_ms: try orders.lastScheduled().map { policy.schedule.next(after: min($0, clock.now())) },
                last_run: last.map(Order.init),
                last_dry_run: try orders.newest(limit: 1, isDryRun: true).first.map(Order.init))
        }
    }

    private func list(_ arguments: JSONValue) throws -> [Order] {
        let limit = Int(try arguments.integer("limit", default: 50, in: 1...Self.mostOrders))
        return try reader.read { try RetentionOrders($0).newest(limit: limit).map(Order.init) }
    }

    private func order(_ arguments: JSONValue) throws -> Order {
        let name = try arguments.text("order")
        guard let standing = try reader.read({ try RetentionOrders($0).order(name) }) else {
            throw ControlError.notFound("there is no retention order \"\(name.prefix(64))\"")
        }
        return Order(standing)
    }

    private func run(_ arguments: JSONValue) async throws -> String {
        try await runRequests.make(isDryRun: arguments["dry_run"] == true)
    }
}

extension RetentionCalls.Order {
    init(_ standing: RetentionStanding) {
        let figures = standing.figures.values
        self.init(
            order: standing.order.order, issued_at_ms: standing.order.issuedAt, dry_run: standing.order.isDryRun,
            source: standing.order.source.rawValue, completed_at_ms: standing.completedAt,
            was_late: standing.wasLate, removed: figures.reduce(0) { $0 + $1.removed },
            bytes: figures.reduce(0) { $0 + $1.bytes }, missing: standing.missing, cutoffs: standing.order.cutoffs,
            reports: standing.reports)
    }
}
