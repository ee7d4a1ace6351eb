internal import ExporterRows
internal import ExporterSupport
internal import GRDB
internal import Models

/// What is to be done next for exports, as the tables say.
struct ExportOrders {
    enum Order {
        /// Files of before an hour, and those that nobody asks for any more, are to go.
        case expire(before: Int64)
        /// An hour is to be made.
        case hour(Int64, Tenant)
        /// A day is to be made of its hours.
        case day([StoredExport])
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
    }

    private(set) var next: Order?
    /// Hours that are to be made for the first time, and files that are stale.
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
        if try ExportStore.isAnyOver(before: first, asked: limits.asked, db) { next = .expire(before: first) }
        let readers = try ExportStore.readers(db)
        let tenants = try ([Tenant.builtIn] + TenantStore.living(db).map(\.asTenant)).filter {
            readers.contains($0.number)
        }
        stale = try ExportStore.staleCount(db)
        guard firstDay != nil else { return }
        for period in ExportSpan.Period.allCases {
            let spans = try tenants.map { ($0, try Self.missing(period, of: $0, from: first, to: limits.closed, db)) }
            waiting += spans.reduce(0) { $0 + $1.1.count }
            let oldest = spans.compactMap { spans in spans.1.first.map { (spans.0, $0) } }.min { $0.1 < $1.1 }
            guard next == nil, let (tenant, start) = oldest else { continue }
            next = try Self.order(ExportSpan(start: start, hours: period.hours), tenant, db)
        }
        guard next == nil else { return }
        for export in try ExportStore.stale(before: limits.settled, db)
        where next == nil && export.span.hours.upperBound <= limits.closed {
            guard let tenant = tenants.first(where: { $0.number == export.tenant }) else { continue }
            next = try Self.order(export.span, tenant, db)
        }
    }

    /// First hours of the spans that a tenant has no file of yet and could have, ascending.
    private static func missing(
        _ period: ExportSpan.Period, of tenant: Tenant, from first: Int64, to closed: Int64, _ db: Database
    ) throws -> [Int64] {
        let wanted = stride(from: first, to: closed - period.hours + 1, by: Int(period.hours))
        let there = try ExportStore.starts(period, of: tenant.number, from: first, db)
        return wanted.filter { !there.contains($0) }
    }

    /// Nil if it cannot be made yet: rows of the day are about to go, or hours of it are stale.
    private static func order(_ span: ExportSpan, _ tenant: Tenant, _ db: Database) throws -> Order? {
        guard try !RawErasurePlan.isAny(of: ReceivedDay.text(of: ReceivedHour.day(of: span.start)), db) else {
            return nil
        }
        if span.period == .hour { return .hour(span.start, tenant) }
        let hours = try ExportStore.hours(of: span, of: tenant.number, db)
        return hours.count == Int(ReceivedHour.ofDay) && hours.allSatisfy(\.isCurrent) ? .day(hours) : nil
    }
}
