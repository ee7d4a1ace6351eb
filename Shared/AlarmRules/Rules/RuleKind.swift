/// What a rule looks for.
public enum RuleKind: String, Sendable, CaseIterable {
    /// A record with a bad value.
    case urgent
    /// So many devices with a bad value.
    case count
    /// So great a share of devices whose latest value is bad.
    case ratio
    /// A subject that falls silent.
    case silence
    /// Ratings that fall below what is usual.
    case collapse

    /// True if devices with a bad value are counted, which raises at once.
    var isCounting: Bool { self == .urgent || self == .count }
    /// True if what is seen is compared with what is usual.
    var hasBaseline: Bool { self == .silence || self == .collapse }
}
