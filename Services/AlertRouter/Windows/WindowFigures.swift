internal import AlarmRules
internal import Lanes
internal import Logging
internal import Models
internal import ServiceKit
internal import Synchronization

/// What the windows show at `/metrics`, at `/readyz` and in the log.
final class WindowFigures: Sendable {
    private let host: ServiceHost
    private let rows: Counter
    private let skipped: [RuleExclusion: Counter]
    private let changes: [RuleTransition.Change: Counter]
    private let rules, refused, bytes, complete: Gauge
    private let refusals = Mutex<[RuleSet.Refusal]>([])
    private let namedDevice = Atomic<Bool>(false)

    init(_ host: ServiceHost) {
        self.host = host
        let metrics = host.metrics
        rows = metrics.counter("nkul_alert_window_rows_total", "Rows that the rules were given.")
        var skipped: [RuleExclusion: Counter] = [:]
        for reason in RuleExclusion.allCases {
            skipped[reason] = metrics.counter(
                "nkul_alert_window_skipped_rows_total", "Rows that count in no rule, by reason.",
                labels: ["reason": reason.rawValue])
        }
        self.skipped = skipped
        var changes: [RuleTransition.Change: Counter] = [:]
        for change in [RuleTransition.Change.raised, .worse, .revised, .cleared, .withdrawn] {
            changes[change] = metrics.counter(
                "nkul_alert_transitions_total", "What rules found of their alarms.",
                labels: ["change": change.rawValue])
        }
        self.changes = changes
        rules = metrics.gauge("nkul_alert_rules", "Rules at work.")
        refused = metrics.gauge("nkul_alert_refused_rules", "Stored rules that do not compile.")
        bytes = metrics.gauge("nkul_alert_window_bytes", "Windows, baselines, episodes and rows that wait.")
        complete = metrics.gauge("nkul_alert_window_blocks_behind", "Blocks of all lanes that the rules have not had.")
    }

    func show(_ told: WindowsEffects.Told) {
        for (reason, count) in told.skipped { skipped[reason]?.add(count) }
        for (change, count) in told.changes { changes[change]?.add(count) }
        if let device = told.unknownDevice, !namedDevice.exchange(true, ordering: .relaxed) {
            host.logger.error(
                "rows count in no rule: the number of their device is above 32 bits", metadata: ["device": "\(device)"])
        }
        rules.set(Int64(told.rules))
        refused.set(Int64(told.refusals.count))
        bytes.set(Int64(told.windowBytes))
        let isNew = refusals.withLock { known in
            defer { known = told.refusals }
            return known != told.refusals
        }
        guard isNew else { return }
        for one in told.refusals {
            host.logger.error("a rule is not run", metadata: ["rule": "\(one.id)", "reason": "\(one.reason)"])
        }
        let note = told.refusals.map { "\($0.id) is not run: \($0.reason)" }.joined(separator: "; ")
        host.readiness.hold(AlertWindows.condition, note: note.isEmpty ? nil : note)
    }

    func applied(_ count: Int) { rows.add(count) }

    func behind(_ blocks: Int64) { complete.set(blocks) }
}

/// Is told how the windows' loop goes on.
final class WindowsObserver: LaneObserver {
    private let figures: WindowFigures

    init(_ figures: WindowFigures) { self.figures = figures }

    func stepped(_ outcome: EffectOutcome, of batch: LaneBatch, took: Duration, now: UnixMilliseconds) {
        figures.applied(outcome.appliedRows)
    }

    func maintained(_ done: [LaneName: JournalMaintenance]) {}

    func looked(_ survey: LaneSurvey) {
        figures.behind(survey.reads.reduce(0) { $0 + Int64($1.head > $1.cursor ? $1.head - $1.cursor : 0) })
    }

    func pushed(after delay: Duration) {}
}
