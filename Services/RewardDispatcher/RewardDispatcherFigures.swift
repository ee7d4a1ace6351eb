internal import Logging
internal import Models
internal import ServiceKit

/// The dispatcher's figures at `/metrics`, and what is worth a line in the log. Called on the engine's thread.
struct RewardDispatcherFigures: Sendable {
    private let grants: Counter
    private let refusals: [GrantRefusal: Counter]
    private let changes: [GrantState: Counter]
    private let open: [GrantState: Gauge]
    private let erasedOpen: Gauge
    private let calls: [String: Counter]
    private let inFlight: Gauge
    private let unusable: Counter
    private let payouts: [String: Counter]
    private let callbacks: [CallbackBook.Outcome: Counter]
    private let held: Counter
    private let paced: Counter
    private let unaddressed: Counter
    private let silent: Gauge
    private let unreadableNicknames: Counter
    private let isUnfunded: Gauge
    private let unfunded: Counter
    private let suspected: [Suspicion: Counter]
    private let decisions: [String: Counter]
    private let contradictions: Counter
    private let log: Logger

    init(_ metrics: Metrics, _ log: Logger) {
        self.log = log
        grants = metrics.counter("nkul_reward_grants_total", "Grants made.")
        refusals = Self.by(GrantRefusal.allCases) { reason in
            metrics.counter(
                "nkul_reward_refusals_total", "Feedback without a grant, by reason.",
                labels: ["reason": reason.rawValue])
        }
        changes = Self.by(GrantState.allCases) { state in
            metrics.counter(
                "nkul_reward_changes_total", "Grants that came to a state.", labels: ["state": state.rawValue])
        }
        open = Self.by(GrantState.allCases.filter { !$0.isFinal }) { state in
            metrics.gauge("nkul_reward_open_grants", "Grants that are not settled.", labels: ["state": state.rawValue])
        }
        erasedOpen = metrics.gauge(
            "nkul_reward_erased_open_grants", "Grants of erased subscribers that are not settled.")
        calls = Self.by(ProviderAnswer.words) { answer in
            metrics.counter("nkul_reward_answers_total", "Answers of the provider.", labels: ["answer": answer])
        }
        inFlight = metrics.gauge("nkul_reward_calls_in_flight", "Calls to the provider that are not answered.")
        payouts = Self.by(["kept", "removed", "unreadable"]) { outcome in
            metrics.counter(
                "nkul_reward_payout_numbers_total", "Payout numbers that came, by what became of them.",
                labels: ["outcome": outcome])
        }
        callbacks = Self.by(CallbackBook.Outcome.allCases) { outcome in
            metrics.counter(
                "nkul_reward_callbacks_total", "Calls of the provider that came by the edge, by what they were.",
                labels: ["outcome": outcome.rawValue])
        }
        held = metrics.counter(
            "nkul_reward_held_total", "Times a grant was due and was held, as too many devices share its number.")
        paced = metrics.counter(
            "nkul_reward_paced_total", "Times a grant was due and waited, as its number was paid to a moment ago.")
        unaddressed = metrics.counter(
            "nkul_reward_unaddressed_total",
            "Times a grant was due and waited, as its device has given no payout number.")
        silent = metrics.gauge(
            "nkul_reward_provider_silent", "1 while the provider is left alone, as it does not answer.")
        unreadableNicknames = metrics.counter(
            "nkul_reward_unreadable_nicknames_total", "Names for standings that are none, and are left out.")
        isUnfunded = metrics.gauge(
            "nkul_reward_provider_unfunded", "1 while orders wait, as nothing was left with the provider to pay from.")
        suspected = Self.by(Suspicion.allCases) { suspicion in
            metrics.counter(
                "nkul_reward_suspected_total", "Grants that are held for a person, by what is odd.",
                labels: ["check": suspicion.rawValue])
        }
        unfunded = metrics.counter(
            "nkul_reward_unfunded_total", "Times a grant was due and waited, as nothing was left to pay from.")
        decisions = Self.by(DecidedResult.allCases.map(\.rawValue) + ["too_late"]) { outcome in
            metrics.counter(
                "nkul_reward_decisions_total", "Decisions of persons about grants, by what they were.",
                labels: ["decision": outcome])
        }
        contradictions = metrics.counter(
            "nkul_reward_contradictions_total", "Answers of the provider that contradict what it has said before.")
        unusable = metrics.counter(
            "nkul_reward_unusable_campaigns_total", "Campaigns that could not be read or paid, and count as removed.")
    }

    func show(_ report: RewardReport) {
        grants.add(report.granted)
        for (reason, count) in report.refusals { refusals[reason]?.add(count) }
        for state in report.changed { changes[state]?.add() }
        for (state, gauge) in open { if let open = report.open { gauge.set(open[state] ?? 0) } }
        if let open = report.erasedOpen { erasedOpen.set(open) }
        inFlight.set(Int64(report.inFlight))
        unusable.add(report.unusableCampaigns)
        payouts["kept"]?.add(report.payoutsKept)
        payouts["removed"]?.add(report.payoutsRemoved)
        payouts["unreadable"]?.add(report.unreadablePayouts)
        for (outcome, count) in report.callbacks { callbacks[outcome]?.add(count) }
        held.add(report.held)
        paced.add(report.paced)
        unaddressed.add(report.unaddressed)
        if let isSilent = report.isProviderSilent { silent.set(isSilent ? 1 : 0) }
        if let isUnfunded = report.isProviderUnfunded { self.isUnfunded.set(isUnfunded ? 1 : 0) }
        unfunded.add(report.unfunded)
        for (suspicion, count) in report.suspected { suspected[suspicion]?.add(count) }
        unreadableNicknames.add(report.unreadableNicknames)
        for (result, isBooked) in report.decisions { decisions[isBooked ? result : "too_late"]?.add() }
        contradictions.add(report.contradictions.count)
        for (grant, what) in report.contradictions {
            log.error("the provider contradicts itself", metadata: ["grant": "\(grant.text)", "what": "\(what)"])
        }
        if report.unreadablePayouts > 0 {
            log.warning(
                "payout numbers cannot be opened and are left out", metadata: ["count": "\(report.unreadablePayouts)"])
        }
        if report.unusableCampaigns > 0 {
            log.warning(
                "campaigns cannot be used and count as removed", metadata: ["count": "\(report.unusableCampaigns)"])
        }
        for (call, answer) in report.answers { note(call, answer) }
    }

    private func note(_ call: ProviderCall, _ answer: ProviderAnswer) {
        calls[answer.word]?.add()
        switch answer {
        case .confirmed, .processing, .accepted, .notFound:
            log.debug("provider answered", metadata: Self.metadata(call, answer.word))
        case .reversed(let reason), .rejected(let reason), .failed(let reason), .notTaken(let reason),
            .unfunded(let reason, _), .silent(let reason), .unknown(let reason):
            log.info("provider answered", metadata: Self.metadata(call, "\(answer.word): \(reason)"))
        }
    }

    private static func metadata(_ call: ProviderCall, _ answer: String) -> Logger.Metadata {
        ["grant": "\(call.grant.text)", "call": "\(call.purpose)", "attempt": "\(call.attempt)", "answer": "\(answer)"]
    }

    private static func by<Key: Hashable, Value>(_ keys: [Key], _ value: (Key) -> Value) -> [Key: Value] {
        Dictionary(uniqueKeysWithValues: keys.map { ($0, value($0)) })
    }
}

extension ProviderAnswer {
    fileprivate static let words = [
        "confirmed", "reversed", "rejected", "failed", "not_taken", "unfunded", "not_found", "processing", "accepted",
        "silent", "unknown",
    ]

    /// The word of the metric.
    fileprivate var word: String {
        switch self {
        case .confirmed: "confirmed"
        case .reversed: "reversed"
        case .rejected: "rejected"
        case .failed: "failed"
        case .notTaken: "not_taken"
        case .unfunded: "unfunded"
        case .notFound: "not_found"
        case .processing: "processing"
        case .accepted: "accepted"
        case .silent: "silent"
        case .unknown: "unknown"
        }
    }
}
