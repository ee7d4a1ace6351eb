import Foundation
import Testing

@testable import NkulDevice

/// The promise of the kit: whatever happens to phones, each record counts once, and none is lost before its seven days are over.
struct WeekTests {
    /// `NKUL_KITS` says how many there are in all.
    private static let kits = ProcessInfo.processInfo.environment["NKUL_KITS"].flatMap { Int($0) } ?? 24
    private static let shards = 4

    @Test(arguments: 0..<shards)
    func `through deaths, days offline, wrong clocks, full disks and withdrawn consents each record counts once`(
        shard: Int
    ) throws {
        let week = try Week(phones: max(3, Self.kits / Self.shards), seed: 46 + UInt64(shard))
        try week.run()
        #expect(week.failures == [])
        #expect(week.service.twice == 0)
        var lost = 0
        for phone in week.phones { try check(phone, week, &lost) }
        let sum = { (value: (WeekPhone) -> Int) in week.phones.reduce(0) { $0 + value($1) } }
        print(
            "week \(shard): \(week.phones.count) kits, \(sum { $0.truth.count }) records, \(sum(\.deaths)) deaths,",
            "\(sum(\.jumps)) clocks set, \(sum(\.fullDisks)) full disks, \(week.service.duplicates) duplicates,",
            "\(lost) dropped with a reason, most waiting \(week.phones.map(\.mostWaiting).max() ?? 0) bytes")
        // The bad luck was there, or nothing was tried.
        let kits = week.phones.count
        #expect(sum(\.deaths) > 8 * kits && sum(\.jumps) > 2 * kits && sum(\.fullDisks) > 0)
        #expect(week.service.duplicates > 0)
    }

    private func check(_ phone: WeekPhone, _ week: Week, _ lost: inout Int) throws {
        let loop = try #require(phone.loop), counters = loop.store.counters
        #expect(loop.store.facts.isEmpty, "something is unsent after a calm day")
        #expect(phone.mostWaiting <= phone.settings.queueBytes)
        var rows: [Int64: Int64] = [:]
        for token in phone.tokens {
            guard let ordinal = week.service.ordinal(token) else { continue }
            rows.merge(week.service.rows[ordinal] ?? [:]) { first, _ in first }
        }
        #expect(Set(rows.keys).isSubset(of: phone.truth.keys), "rows that were never recorded")
        for (seq, captured) in rows {
            let error = captured - (phone.truth[seq] ?? 0)
            #expect(abs(error) < 5_000, "record \(seq) is told to be captured \(error) ms from when it was")
        }
        let missing = phone.truth.filter { rows[$0.key] == nil }
        let dropped = ["expired", "overflow", "withdrawn", "rejected_not_consented"].reduce(Int64(0)) {
            $0 + (counters[$1] ?? 0)
        }
        #expect(missing.count <= dropped, "lost without a reason: \(counters)")
        lost += missing.count
        #expect(counters.keys.allSatisfy { !$0.hasPrefix("refused") && $0 != "conflicts" }, "\(counters)")
        guard !phone.hasLittleRoom else { return }
        for (seq, at) in missing {
            let isOld = at < week.now - loop.core.settings.keptMilliseconds
            #expect(
                isOld || phone.withdrawals.contains { at <= $0 + 3 * WeekPhone.day },
                "record \(seq) is lost, and was neither old nor withdrawn")
        }
    }
}
