internal import Logging
internal import ServiceKit

/// The notifier's figures at `/metrics`, and what is worth a line in the log. Called on the engine's thread.
struct NotifierMetrics: Sendable {
    private let deliveries: Counter
    private let calls: [String: Counter]
    private let dead: Counter
    private let refused: Counter
    private let unreadable: Counter
    private let unreachable: Counter
    private let codesUnsent: Counter
    private let questions: [QuestionEnd: Counter]
    private let subscriptions: Gauge
    private let waiting: Gauge
    private let inFlight: Gauge
    private let usable: Gauge
    private let unusable: Gauge
    private let log: Logger

    init(_ metrics: Metrics, _ log: Logger) {
        self.log = log
        deliveries = metrics.counter("nkul_notifier_deliveries_total", "Deliveries that were put into the outbox.")
        calls = Dictionary(
            uniqueKeysWithValues: ["delivered", "failed", "gone"].map { outcome in
                (
                    outcome,
                    metrics.counter(
                        "nkul_notifier_calls_total", "Messages sent by channels, by what became of them.",
                        labels: ["outcome": outcome])
                )
            })
        dead = metrics.counter("nkul_notifier_dead_total", "Deliveries that were given up.")
        refused = metrics.counter(
            "nkul_notifier_refused_total", "Alarms that a channel was not told of, as too much waits for it.")
        unreadable = metrics.counter(
            "nkul_notifier_unreadable_total", "Rows of lanes that cannot be read and are left out.")
        unreachable = metrics.counter(
            "nkul_notifier_unreachable_total",
            "Contacts and channels that an escalation calls and that no usable channel reaches.")
        codesUnsent = metrics.counter(
            "nkul_notifier_codes_unsent_total",
            "One-time codes that were over, or whose contact has no usable channel of kind email or sms.")
        questions = QuestionEnd.allCases.reduce(into: [:]) { counters, end in
            counters[end] = metrics.counter(
                "nkul_notifier_questions_total", "Questions to subscribers by Web Push, by what became of them.",
                labels: ["outcome": end.rawValue])
        }
        subscriptions = metrics.gauge(
            "nkul_notifier_push_subscriptions", "Browsers of subscribers that are asked questions.")
        waiting = metrics.gauge(
            "nkul_notifier_waiting_deliveries", "Deliveries that wait, alarms that fire among them.")
        inFlight = metrics.gauge("nkul_notifier_calls_in_flight", "Messages that are not answered.")
        usable = metrics.gauge(
            "nkul_notifier_channels", "Channels, by whether they can be used.", labels: ["usable": "yes"])
        unusable = metrics.gauge(
            "nkul_notifier_channels", "Channels, by whether they can be used.", labels: ["usable": "no"])
    }

    func show(_ report: NotifierReport) {
        deliveries.add(report.made)
        for (outcome, count) in report.calls { calls[outcome]?.add(count) }
        dead.add(report.dead)
        refused.add(report.refused)
        unreadable.add(report.unreadable)
        unreachable.add(report.unreachable.count)
        codesUnsent.add(report.codesUnsent)
        for (end, count) in report.questions { questions[end]?.add(count) }
        subscriptions.set(report.subscriptions)
        waiting.set(report.waiting)
        inFlight.set(Int64(report.inFlight))
        usable.set(Int64(report.usable))
        if let problems = report.problems {
            unusable.set(Int64(problems.count))
            for (channel, problem) in problems.sorted(by: { $0.key < $1.key }) {
                log.warning("channel cannot be used", metadata: ["channel": "\(channel)", "problem": "\(problem)"])
            }
        }
        for (channel, reason) in report.failures {
            log.info("channel failed", metadata: ["channel": "\(channel)", "reason": "\(reason)"])
        }
        for name in report.unreachable {
            log.warning("an escalation calls somebody whom no channel reaches", metadata: ["called": "\(name)"])
        }
        if report.codesUnsent > 0 {
            log.warning("one-time codes are not sent", metadata: ["count": "\(report.codesUnsent)"])
        }
        if report.dead > 0 { log.warning("deliveries are given up", metadata: ["count": "\(report.dead)"]) }
        if report.refused > 0 {
            log.warning(
                "channels are not told of alarms, as too much waits for them", metadata: ["alarms": "\(report.refused)"]
            )
        }
    }
}
