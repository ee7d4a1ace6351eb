public import Models

/// When the provider is called, called again and asked: back-off that doubles, spread by a quarter, with a maximum.
public struct PaymentSchedule: Sendable, Equatable {
    /// Longest that a call may take; then its outcome is unknown.
    public var callTimeout: UnixMilliseconds
    /// How long after the end of a call the provider may still receive it. A "never heard of it" counts only if asked after
    /// that.
    public var settle: UnixMilliseconds
    /// After the first failure that certainly paid nothing, and after the first ask that told nothing.
    public var firstPause: UnixMilliseconds
    /// Between two calls for one grant, at most. Asking goes on at this pace for ever.
    public var longestPause: UnixMilliseconds
    /// Attempts that certainly fail before the grant is rejected.
    public var mostAttempts: Int
    /// How long after a payment is settled the provider is asked whether it still says so, and how long after an answer that
    /// told nothing; nil never asks.
    public var recheck: UnixMilliseconds?
    /// How the provider can be asked.
    public var asking: [AskingMode]

    public init(
        callTimeout: UnixMilliseconds, settle: UnixMilliseconds, firstPause: UnixMilliseconds,
        longestPause: UnixMilliseconds, mostAttempts: Int, recheck: UnixMilliseconds? = nil,
        asking: [AskingMode] = [.reference]
    ) {
        self.callTimeout = callTimeout
        self.settle = settle
        self.firstPause = firstPause
        self.longestPause = longestPause
        self.mostAttempts = mostAttempts
        self.recheck = recheck
        self.asking = asking
    }

    /// The pause after the `count`th call, from 1.
    func pause(after count: Int, _ id: GrantID) -> UnixMilliseconds {
        var pause = firstPause
        for _ in 1..<max(count, 1) where pause < longestPause { pause *= 2 }
        pause = min(pause, longestPause)
        return pause - pause / 4 * id.spread / 65_536
    }
}
