/// When a phone asks its subscriber how it felt: thresholds, pauses, quiet hours, a daily maximum. The document of a record of
/// kind `prompt_policy`, and what `GET /v1/me/prompt-policy` serves.
///
/// A rule that is not there is off. ``decide(_:at:after:)`` says what it all means.
public struct PromptPolicy: Codable, Sendable, Equatable {
    /// Ask after so many call drops within a time.
    public struct CallDrop: Codable, Sendable, Equatable {
        public var drops: Int64
        package var withinMinutes: Int64

        public init(drops: Int64, withinMinutes: Int64) {
            self.drops = drops
            self.withinMinutes = withinMinutes
        }

        enum CodingKeys: String, CodingKey {
            case drops
            case withinMinutes = "within_minutes"
        }
    }

    /// Ask when a download is markedly slow for where the phone is.
    public struct SlowSpeed: Codable, Sendable, Equatable {
        /// Of the cell's median.
        public var belowPercent: Int64
        /// Where the phone knows no median; nil: it does not ask there.
        package var withoutMedianBelowKbps: Int64?

        public init(belowPercent: Int64, withoutMedianBelowKbps: Int64? = nil) {
            self.belowPercent = belowPercent
            self.withoutMedianBelowKbps = withoutMedianBelowKbps
        }

        enum CodingKeys: String, CodingKey {
            case belowPercent = "below_percent"
            case withoutMedianBelowKbps = "without_median_below_kbps"
        }
    }

    /// Ask when there was no service for at least so long.
    public struct NoService: Codable, Sendable, Equatable {
        package var afterSeconds: Int64

        public init(afterSeconds: Int64) { self.afterSeconds = afterSeconds }

        enum CodingKeys: String, CodingKey { case afterSeconds = "after_seconds" }
    }

    public struct Rules: Codable, Sendable, Equatable {
        public var callDrop: CallDrop?
        package var slowSpeed: SlowSpeed?
        public var noService: NoService?

        public init(callDrop: CallDrop? = nil, slowSpeed: SlowSpeed? = nil, noService: NoService? = nil) {
            self.callDrop = callDrop
            self.slowSpeed = slowSpeed
            self.noService = noService
        }

        enum CodingKeys: String, CodingKey {
            case callDrop = "call_drop"
            case slowSpeed = "slow_speed"
            case noService = "no_service"
        }
    }

    /// For how long a phone leaves its subscriber alone after it has asked.
    public struct Pause: Codable, Sendable, Equatable {
        /// After any prompt.
        package var betweenMinutes: Int64
        /// After one that was ignored or dismissed; after each further one in a row `factor` times as long, up to
        /// `longestMinutes`.
        package var afterIgnoredMinutes: Int64
        public var factor: Int64
        package var longestMinutes: Int64

        public init(betweenMinutes: Int64, afterIgnoredMinutes: Int64, factor: Int64, longestMinutes: Int64) {
            self.betweenMinutes = betweenMinutes
            self.afterIgnoredMinutes = afterIgnoredMinutes
            self.factor = factor
            self.longestMinutes = longestMinutes
        }

        enum CodingKeys: String, CodingKey {
            case factor
            case betweenMinutes = "between_minutes"
            case afterIgnoredMinutes = "after_ignored_minutes"
            case longestMinutes = "longest_minutes"
        }
    }

    /// Local hours without prompts, `HH:MM`; they may pass midnight.
    public struct QuietHours: Codable, Sendable, Equatable {
        public var from: String
        public var to: String

        public init(from: String, to: String) {
            self.from = from
            self.to = to
        }
    }

    /// Rises with each policy that is published; 0 is the built-in one.
    public var version: Int64
    /// Name of the time zone of quiet hours and of the daily maximum's days.
    public var timeZone: String
    public var rules: Rules
    public var pause: Pause
    public var quietHours: QuietHours?
    /// Prompts of one local day; 0: the phone never asks by itself.
    public var dailyMaximum: Int64
    /// Whether a prompt about an emergency minds neither pauses nor quiet hours nor the daily maximum.
    public var emergencyBypass: Bool

    public init(
        version: Int64, timeZone: String, rules: Rules, pause: Pause, quietHours: QuietHours?, dailyMaximum: Int64,
        emergencyBypass: Bool
    ) {
        self.version = version
        self.timeZone = timeZone
        self.rules = rules
        self.pause = pause
        self.quietHours = quietHours
        self.dailyMaximum = dailyMaximum
        self.emergencyBypass = emergencyBypass
    }

    enum CodingKeys: String, CodingKey {
        case version, rules, pause
        case timeZone = "time_zone"
        case quietHours = "quiet_hours"
        case dailyMaximum = "daily_maximum"
        case emergencyBypass = "emergency_bypass"
    }

    /// How phones name it in the outcomes of prompts: `7`, or `default-1` for the built-in one.
    public var name: String { version == 0 ? Self.builtInName : "\(version)" }
}

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
