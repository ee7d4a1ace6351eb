extension PromptPolicy {
    /// The name of the built-in policy; another number whenever it changes.
    public static let builtInName = "default-1"

    /// The policy in force where none was published: seldom, never at night, and less often for who does not answer.
    public static func builtIn(timeZone: String) -> PromptPolicy {
        PromptPolicy(
            version: 0, timeZone: timeZone,
            rules: Rules(
                callDrop: CallDrop(drops: 1, withinMinutes: 60),
                slowSpeed: SlowSpeed(belowPercent: 40, withoutMedianBelowKbps: 256),
                noService: NoService(afterSeconds: 60)),
            pause: Pause(betweenMinutes: 60, afterIgnoredMinutes: 240, factor: 2, longestMinutes: 10_080),
            quietHours: QuietHours(from: "21:00", to: "07:00"), dailyMaximum: 3, emergencyBypass: true)
    }
}
