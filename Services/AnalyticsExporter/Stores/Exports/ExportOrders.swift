internal import ExporterRows
internal import ExporterSupport
internal import Foundation
internal import GRDB
internal import Models

/// What is to be done next for exports, as the tables say.
struct ExportOrders {
    enum Order {
        /// Files of raw rows of before an hour, statistics of before another one, and those that nobody asks for any more are to go.
        case expire(before: Int64, statistics: Int64)
        /// An hour is to be made.
        case hour(Int64, Tenant)
        /// A day is to be made of its hours.
        case day([StoredExport])
        /// Figures of an hour or a day are to be made.
        case statistics(ExportSpan, Tenant)
    }

    /// From where to where.
    struct Limits {
        /// The first hour of which a file is kept.
        let floor: Int64
        /// Hours before it are complete.
        let closed: Int64
        /// Who has not asked since then is not made anything for.
        let asked: UnixMilliseconds
        /// What has been stale since then or before is made anew.
        let settled: UnixMilliseconds
        /// Of which hours and days there are figures; nil where no files of statistics are made.
        let figures: Figures?
    }

    /// Of which hours and days there are figures.
    struct Figures {
        /// Whose cells.
        let programmes: [UInt8]
        /// In which days begin.
        let zone: TimeZone
        /// What ends before is whole.
        let closed: UnixMilliseconds
        /// What has been outdated since then or before is made anew.
        let settled: UnixMilliseconds

        func isWhole(_ span: ExportSpan) -> Bool { span.time(in: zone).upperBound <= closed }

        /// First hours of the spans from one on that are whole.
        func starts(_ period: ExportSpan.Period, from first: Int64) -> [Int64] {
            var starts: [Int64] = [], start = first
            while isWhole(ExportSpan(content: .statistics, period: period, start: start)) {
                starts.append(start)
                start += period.hours
            }
            return starts
        }
    }

    private(set) var next: Order?
    /// Files that are to be made for the first time, and those that are stale.
    private(set) var waiting = 0
    private(set) var stale = 0

    init() {}

    /// The first hour of which a file is kept.
    ///
    /// - Parameter days: whole days before today's; with 0 there is none.
    static func floor(days: Int64, now: UnixMilliseconds) -> Int64 {
        days == 0 ? .max : (ReceivedDay.number(of: now) - days) * ReceivedHour.ofDay
    }

    /// - Parameter rawDays: days that there are raw rows of.
    init(_ db: Database, _ limits: Limits, rawDays: [String]) throws {
        // Before the first day that has rows nobody could tell a day without any from one that is gone.
        let firstDay = rawDays.compactMap(ReceivedDay.number(named:)).min()
        let first = max(firstDay.map { $0 * ReceivedHour.ofDay } ?? .min, limits.floor)
        if try ExportStore.isAnyOver(before: first, statistics: limits.floor, asked: limits.asked, db) {
            next = .expire(before: first, statistics: limits.floor)
        }
        let readers = try ExportStore.readers(db)
        let tenants = try ([Tenant.builtIn] + TenantStore.living(db).map(\.asTenant)).filter {
            readers.contains($0.number)
        }
        stale = try ExportStore.staleCount(db)
        if firstDay != nil {
            for period in ExportSpan.Period.allCases {
                try choose(tenants) { tenant in
                    try Self.missing(period, of: tenant, from: first, to: limits.closed, db)
                } order: { start, tenant in
                    try Self.order(ExportSpan(content: .reports, period: period, start: start), tenant, db)
                }
            }
        }
        if let figures = limits.figures { try chooseStatistics(figures, from: limits.floor, tenants, db) }
        guard next == nil else { return }
        for export in try ExportStore.stale(before: limits.settled, db) where next == nil {
            guard let tenant = tenants.first(where: { $0.number == export.tenant }) else { continue }
            let isWhole =
                export.span.content == .reports
                ? firstDay != nil && export.span.hours.upperBound <= limits.closed
                : limits.figures?.isWhole(export.span) ?? false
            if isWhole { next = try Self.order(export.span, tenant, db) }
        }
        if next == nil { try chooseOutdated(limits, tenants, db) }
    }

    /// Counts the spans that tenants have no file of yet, and orders the oldest of them if nothing is ordered.
    private mutating func choose(
        _ tenants: [Tenant], missing: (Tenant) throws -> [Int64], order: (Int64, Tenant) throws -> Order?
    ) throws {
        let spans = try tenants.map { ($0, try missing($0)) }
        waiting += spans.reduce(0) { $0 + $1.1.count }
        let oldest = spans.compactMap { spans in spans.1.first.map { (spans.0, $0) } }.min { $0.1 < $1.1 }
        guard next == nil, let (tenant, start) = oldest else { return }
        next = try order(start, tenant)
    }

    /// From the first hour, and the first day, that have cells.
    private mutating func chooseStatistics(
        _ figures: Figures, from floor: Int64, _ tenants: [Tenant], _ db: Database
    ) throws {
        guard !tenants.isEmpty, floor < .max,
            let firstCells = try ExportStore.firstHourOfCells(figures.programmes, db)
        else { return }
        let firstDay = CivilDay.number(of: firstCells * ReceivedHour.milliseconds, in: figures.zone)
        for (period, first) in [
            (ExportSpan.Period.hour, max(firstCells, floor)), (.day, max(firstDay * ReceivedHour.ofDay, floor)),
        ] {
            let whole = figures.starts(period, from: first)
            try choose(tenants) { tenant in
                let there = try ExportStore.starts(.statistics, period, of: tenant.number, from: first, db)
                return whole.filter { !there.contains($0) }
            } order: { start, tenant in
                .statistics(ExportSpan(content: .statistics, period: period, start: start), tenant)
            }
        }
    }

    private mutating func chooseOutdated(_ limits: Limits, _ tenants: [Tenant], _ db: Database) throws {
        guard let figures = limits.figures, let export = try ExportStore.outdated(before: figures.settled, db),
            let tenant = tenants.first(where: { $0.number == export.tenant })
        else { return }
        next = .statistics(export.span, tenant)
    }

    /// First hours of the spans that a tenant has no file of yet and could have, ascending.
    private static func missing(
        _ period: ExportSpan.Period, of tenant: Tenant, from first: Int64, to closed: Int64, _ db: Database
    ) throws -> [Int64] {
        let wanted = stride(from: first, to: closed - period.hours + 1, by: Int(period.hours))
        let there = try ExportStore.starts(.reports, period, of: tenant.number, from: first, db)
        return wanted.filter { !there.contains($0) }
    }

    /// Nil if it cannot be made yet: rows of the day are about to go, or hours of it are stale.
    private static func order(_ span: ExportSpan, _ tenant: Tenant, _ db: Database) throws -> Order? {
        guard span.content == .reports else { return .statistics(span, tenant) }
        guard try !RawErasurePlan.isAny(of: ReceivedDay.text(of: ReceivedHour.day(of: span.start)), db) else {
            return nil
        }
        if span.period == .hour { return .hour(span.start, tenant) }
        let hours = try ExportStore.hours(of: span, of: tenant.number, db)
        return hours.count == Int(ReceivedHour.ofDay) && hours.allSatisfy(\.isCurrent) ? .day(hours) : nil
    }
}
