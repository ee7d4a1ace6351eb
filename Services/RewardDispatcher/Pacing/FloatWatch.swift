internal import Logging
internal import ServiceKit
internal import ServiceLifecycle

/// Looks from time to time how much is left with the provider to pay from, and says when it is little.
struct FloatWatch: Service {
    private let provider: any RewardProvider
    private let pause: Duration
    private let low: Int64
    private let float: Gauge
    private let isLow: Gauge
    private let failures: Counter
    private let told: @Sendable (FloatNews.Look) -> Void
    private let log: Logger

    /// - Parameters:
    ///   - pause: between two looks.
    ///   - low: whole XAF; with less there is an alarm.
    ///   - told: takes each look that brought an answer.
    init(
        _ provider: any RewardProvider, every pause: Duration, low: Int64, _ metrics: Metrics, _ log: Logger,
        told: @escaping @Sendable (FloatNews.Look) -> Void = { _ in }
    ) {
        self.told = told
        self.provider = provider
        self.pause = pause
        self.low = low
        self.log = log
        float = metrics.gauge(
            "nkul_reward_float_xaf", "What is left with the provider to pay from; -1 if it does not say.")
        isLow = metrics.gauge("nkul_reward_float_low", "1 if less is left with the provider than the settings want.")
        failures = metrics.counter("nkul_reward_float_failures_total", "Looks at what is left that brought no answer.")
        float.set(-1)
    }

    /// Until the program is asked to stop.
    func run() async throws {
        try? await cancelWhenGracefulShutdown {
            var wasLow = false
            while !Task.isCancelled {
                wasLow = await look(wasLow: wasLow)
                try await Task.sleep(for: pause)
            }
        }
    }

    /// - Returns: whether it is low now.
    func look(wasLow: Bool) async -> Bool {
        let left: Int64?
        do { left = try await provider.float() } catch {
            failures.add()
            log.warning("the provider does not say what is left", metadata: ["why": "\(Self.words(of: error))"])
            return wasLow
        }
        float.set(left ?? -1)
        told(FloatNews.Look(left: left, low: low))
        guard let left else {
            isLow.set(0)
            return false
        }
        let isLow = left < low
        self.isLow.set(isLow ? 1 : 0)
        if isLow, !wasLow {
            log.error("little is left with the provider", metadata: ["left_xaf": "\(left)", "least_xaf": "\(low)"])
        } else if wasLow, !isLow {
            log.notice("enough is left with the provider again", metadata: ["left_xaf": "\(left)"])
        }
        return isLow
    }

    private static func words(of error: any Error) -> String { (error as? ProviderSilence)?.reason ?? "\(error)" }
}
