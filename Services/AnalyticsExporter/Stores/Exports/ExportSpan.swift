internal import ExporterRows
package import Models

/// The hour or the day (UTC) whose rows a file of an export has: those that were received in it.
package struct ExportSpan: Hashable, Sendable {
    package enum Period: String, Sendable, CaseIterable {
        case hour, day

        /// How many hours it has.
        var hours: Int64 { self == .hour ? 1 : ReceivedHour.ofDay }
    }

    package let period: Period
    /// Its first hour.
    package let start: Int64

    static func hour(_ hour: Int64) -> ExportSpan { ExportSpan(period: .hour, start: hour) }

    /// - Parameter day: days since 1970-01-01.
    static func day(_ day: Int64) -> ExportSpan { ExportSpan(period: .day, start: day * ReceivedHour.ofDay) }

    var hours: Range<Int64> { start..<start + period.hours }

    /// From its first to before its end, Unix milliseconds.
    package var time: Range<UnixMilliseconds> {
        hours.lowerBound * ReceivedHour.milliseconds..<hours.upperBound * ReceivedHour.milliseconds
    }

    /// `reports-2026-03-01T14.csv.gz`, and of a day `reports-2026-03-01.csv.gz`.
    package var name: String {
        let day = ReceivedDay.text(of: ReceivedHour.day(of: start)), hour = start % ReceivedHour.ofDay
        return Self.prefix + day + (period == .hour ? "T\(hour < 10 ? "0" : "")\(hour)" : "") + Self.suffix
    }

    private static let prefix = "reports-"
    private static let suffix = ".csv.gz"

    private init(period: Period, start: Int64) {
        self.period = period
        self.start = start
    }

    /// - Parameter hours: 1 or 24.
    init(start: Int64, hours: Int64) { self.init(period: hours == 1 ? .hour : .day, start: start) }

    /// Reads a ``name``; nil for any other text.
    package init?(name: some StringProtocol) {
        guard name.hasPrefix(Self.prefix), name.hasSuffix(Self.suffix) else { return nil }
        let parts = name.dropFirst(Self.prefix.count).dropLast(Self.suffix.count)
            .split(separator: "T", omittingEmptySubsequences: false)
        guard let first = parts.first, let day = ReceivedDay.number(named: String(first)), parts.count <= 2 else {
            return nil
        }
        if parts.count == 1 {
            self = .day(day)
        } else {
            guard let hour = Int64(parts[1]), (0..<ReceivedHour.ofDay).contains(hour) else { return nil }
            self = .hour(day * ReceivedHour.ofDay + hour)
        }
        // Nothing is called by two names.
        guard self.name == name else { return nil }
    }
}

/// An hour of one tenant.
package struct TenantHour: Hashable, Sendable {
    let tenant: Int64
    let hour: Int64
}
