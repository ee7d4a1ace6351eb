internal import Lanes
internal import Models
internal import ServiceKit
internal import Storage

/// What the dispatcher answers on its control socket about its books: `rewards.balance` and `rewards.reconcile`.
struct BookCalls: Sendable {
    let loop: EffectLoop
    let reader: ReadOnlyDatabase
    let clock: WallClock

    var all: [ControlCall] {
        [
            .typed("rewards.balance", JSONValue.self) { _ in try reader.read { try TrialBalance($0) } },
            .typed("rewards.reconcile", JSONValue.self) { try await reconcile($0) },
        ]
    }

    /// `{path, from_ms?, to_ms?}`. Differences are asked about.
    private func reconcile(_ arguments: JSONValue) async throws -> Reconciliation {
        let statement = ResultFile(try PayoutFileCalls.text(in: try arguments.text("path")))
        let from = try arguments.integer("from_ms", default: 0), to = try arguments.integer("to_ms", default: 0)
        guard to == 0 || from < to else { throw ControlError.argument("to_ms", "is \(to); expected more than from_ms") }
        let found = try reader.read { try Reconciliation(statement, period: to > 0 ? from..<to : nil, $0) }
        try await PayoutFileCalls.hint(found.doubtful, loop, now: clock.now())
        return found
    }
}
