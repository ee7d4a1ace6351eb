internal import ServiceKit
public import Foundation
public import Models

/// For how many days each kind of data is kept, and when what is older is deleted.
public struct RetentionPolicy: Sendable, Equatable {
    public let days: [RetentionKind: Int]
    public let schedule: RetentionSchedule

    /// - Parameter days: kinds that are not in it are kept for as long as their rule says.
    public init(days: [RetentionKind: Int] = [:], schedule: RetentionSchedule) {
        let rules = RetentionKind.allCases.map { ($0, $0.rule.days) }
        self.days = Dictionary(uniqueKeysWithValues: rules).merging(days) { $1 }
        self.schedule = schedule
    }

    /// What is to be deleted now.
    func order(at now: UnixMilliseconds, isDryRun: Bool, source: RetentionOrderDocument.Source)
        -> RetentionOrderDocument
    {
        RetentionOrderDocument(issuedAt: now, isDryRun: isDryRun, source: source, days: days)
    }
}

extension RetentionPolicy {
    /// Reads `NKUL_PRIVACY_WORKER_RETAIN_<KIND>_DAYS` and `NKUL_PRIVACY_WORKER_RETENTION_AT`.
    ///
    /// - Throws: `ServiceError` of code `usage`.
    init(_ settings: Settings, _ common: CommonConfiguration) throws {
        var days: [RetentionKind: Int] = [:]
        for kind in RetentionKind.allCases where !kind.rule.isFixed {
            days[kind] = try settings.value(
                .integer(
                    Self.key(of: kind), default: kind.rule.days, in: kind.rule.range, unit: "days", kind.summary))
        }
        let time = try settings.value(.retentionTime)
        guard let zone = TimeZone(identifier: common.timeZone) else {
            throw ServiceError(.usage, "NKUL_TIME_ZONE: \"\(common.timeZone)\" is not a time zone of this system")
        }
        self.init(days: days, schedule: RetentionSchedule(hour: time.hour, minute: time.minute, zone: zone))
        // Who counted in an alarm cannot outlive it, nor a reward its entries.
        try require(.contributions, noLongerThan: .alarms)
        try require(.rewardLinks, noLongerThan: .ledger)
    }

    /// The setting of a kind.
    static func key(of kind: RetentionKind) -> String {
        "NKUL_PRIVACY_WORKER_RETAIN_\(kind.rawValue.uppercased())_DAYS"
    }

    private func require(_ kind: RetentionKind, noLongerThan other: RetentionKind) throws {
        guard let mine = days[kind], let others = days[other], mine > others else { return }
        throw ServiceError(
            .usage, "\(Self.key(of: kind)): \(mine) days, which is more than the \(others) of \(Self.key(of: other))")
    }
}

extension RetentionKind {
    /// What `--help` says of its setting.
    fileprivate var summary: String {
        switch self {
        case .rawRows: "raw rows, by the UTC day on which they were received"
        case .openRows:
            "rows by which records count in statistics, by the local day of capture; then buckets are sealed"
        case .receipts: "texts of receipts of uploads"
        case .failedAuthentications: "who failed to prove who they are: minute, part of the network, reason"
        case .journals: "a block of an event lane that is older is told of, and who has not read it is to be looked at"
        case .contributions: "which devices helped to raise which alarms"
        case .alarms: "alarms that nothing happened to any more"
        case .rewardLinks: "whose a settled reward was; afterwards it is nobody's"
        case .ledger: "settled rewards and their entries"
        case .erasureNotices: "notices to operators that nobody acknowledged"
        case .consents: "consents that newer ones have taken the place of"
        }
    }
}

extension Setting where Value == (hour: Int, minute: Int) {
    fileprivate static var retentionTime: Setting {
        Setting(
            "NKUL_PRIVACY_WORKER_RETENTION_AT", default: "03:30", range: "HH:MM",
            "local time at which, once a day, what is too old is deleted"
        ) { text in
            let parts = text.split(separator: ":", omittingEmptySubsequences: false)
            guard parts.count == 2, parts.allSatisfy({ $0.count == 2 && $0.allSatisfy(\.isNumber) }),
                let hour = Int(parts[0]), let minute = Int(parts[1]), hour < 24, minute < 60
            else { return nil }
            return (hour, minute)
        }
    }
}

/// Once a day, at a local time. Pure.
public struct RetentionSchedule: Sendable, Equatable {
    public let hour: Int
    public let minute: Int
    public let zone: TimeZone

    public init(hour: Int, minute: Int, zone: TimeZone) {
        self.hour = hour
        self.minute = minute
        self.zone = zone
    }

    /// The first time of day that comes after a moment. Where clocks are put forward over it, the moment after the gap.
    public func next(after time: UnixMilliseconds) -> UnixMilliseconds {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        let date = Date(timeIntervalSince1970: Double(time) / 1_000)
        let next = calendar.nextDate(
            after: date, matching: DateComponents(hour: hour, minute: minute, second: 0), matchingPolicy: .nextTime)
        return next.map { Int64(($0.timeIntervalSince1970 * 1_000).rounded()) }
            ?? time + RetentionOrderDocument.dayMilliseconds
    }

    /// `03:30`.
    var text: String {
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(two(hour)):\(two(minute))"
    }
}
