internal import ExporterRows
package import Foundation
package import Models

/// The hour or the day that a file of an export is of: of raw rows that of their reception (UTC), of statistics that of the
/// cells, whose days are local ones.
package struct ExportSpan: Hashable, Sendable {
    package enum Period: String, Sendable, CaseIterable {
        case hour, day

        /// How many hours it has; a local day may have one more or less.
        var hours: Int64 { self == .hour ? 1 : ReceivedHour.ofDay }
    }

    /// What is in the file; the word is the beginning of its name.
    package enum Content: String, Sendable, CaseIterable {
        /// Raw rows.
        case reports
        /// Figures of cells.
        case statistics

        /// In the table.
        var number: Int64 { self == .reports ? 0 : 1 }
    }

    package let content: Content
    package let period: Period
    /// Its first hour; of a local day that of the day (UTC) of the same date.
    package let start: Int64

    static func hour(_ hour: Int64, of content: Content = .reports) -> ExportSpan {
        ExportSpan(content: content, period: .hour, start: hour)
    }

    /// - Parameter day: days since 1970-01-01.
    static func day(_ day: Int64, of content: Content = .reports) -> ExportSpan {
        ExportSpan(content: content, period: .day, start: day * ReceivedHour.ofDay)
    }

    /// The span of statistics that has a stored cell; nil for cells of five minutes, of which there are no files.
    ///
    /// - Parameter begin: of the cell's bucket, Unix seconds.
    package init?(_ bucket: CellKey.Bucket, begin: Int64, in zone: TimeZone) {
        switch bucket {
        case .fiveMinutes: return nil
        case .hour: self = .hour(ReceivedHour.number(of: begin * 1_000), of: .statistics)
        case .day: self = .day(CivilDay.number(of: begin * 1_000, in: zone), of: .statistics)
        }
    }

    /// Its hours; of a local day those of the same date.
    var hours: Range<Int64> { start..<start + period.hours }

    /// From its first to before its end, Unix milliseconds.
    ///
    /// - Parameter zone: whose days statistics go by.
    package func time(in zone: TimeZone) -> Range<UnixMilliseconds> {
        guard content == .statistics, period == .day else {
            return hours.lowerBound * ReceivedHour.milliseconds..<hours.upperBound * ReceivedHour.milliseconds
        }
        let day = ReceivedHour.day(of: start)
        return LocalDay.begin(of: day, in: zone)..<LocalDay.begin(of: day + 1, in: zone)
    }

    /// What the chunks of its file are bound to: a different number for each span.
    package var binding: Int64 { content == .reports ? start : -1 - (start * 2 + (period == .day ? 1 : 0)) }

    /// Whether it has a file of its own: a day of raw rows is its hours, one behind the other.
    package var hasFile: Bool { content == .statistics || period == .hour }

    /// `reports-2026-03-01T14.csv.gz`, and of a day `reports-2026-03-01.csv.gz`.
    package var name: String {
        let day = ReceivedDay.text(of: ReceivedHour.day(of: start)), hour = start % ReceivedHour.ofDay
        return content.rawValue + "-" + day + (period == .hour ? "T\(hour < 10 ? "0" : "")\(hour)" : "") + Self.suffix
    }

    private static let suffix = ".csv.gz"

    init(content: Content, period: Period, start: Int64) {
        self.content = content
        self.period = period
        self.start = start
    }

    /// As the table has it.
    ///
    /// - Parameters:
    ///   - hours: 1 or 24.
    ///   - content: as ``Content/number``.
    init(start: Int64, hours: Int64, content: Int64) {
        self.init(
            content: content == Content.reports.number ? .reports : .statistics, period: hours == 1 ? .hour : .day,
            start: start)
    }

    /// Reads a ``name``; nil for any other text.
    package init?(name: some StringProtocol) {
        guard let content = Content.allCases.first(where: { name.hasPrefix($0.rawValue + "-") }),
            name.hasSuffix(Self.suffix)
        else { return nil }
        let parts = name.dropFirst(content.rawValue.count + 1).dropLast(Self.suffix.count)
            .split(separator: "T", omittingEmptySubsequences: false)
        guard let first = parts.first, let day = ReceivedDay.number(named: String(first)), parts.count <= 2 else {
            return nil
        }
        if parts.count == 1 {
            self = .day(day, of: content)
        } else {
            guard let hour = Int64(parts[1]), (0..<ReceivedHour.ofDay).contains(hour) else { return nil }
            self = .hour(day * ReceivedHour.ofDay + hour, of: content)
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
