import Foundation
import Models
import Testing

@testable import Engagement

struct EngagementTests {
    private func facts(_ random: inout SplitMix64, _ count: Int) -> [EngagementFact] {
        (0..<count).map {
            EngagementFact(
                random.chance(percent: 50) ? "a" : "b", RecordIdentifier(high: 1, low: UInt64($0)),
                day: Int64(20_000 + random.below(60)), amount: Int64(1 + random.below(5)))
        }
    }

    private let badges = [
        Badge(id: "ten", .total(measure: "a", 10)), Badge(id: "hundred", .total(measure: "a", 100)),
        Badge(id: "week", .streak(measure: "a", StreakRule(grace: 1), days: 7)),
        Badge(id: "goals", .goalMet(Goal(id: "g", measure: "b", period: .week, target: 8), times: 3)),
    ]

    private func tallies(_ facts: some Sequence<EngagementFact>) -> [String: DayTallies] {
        Dictionary(grouping: facts, by: \.measure).mapValues { DayTallies($0) }
    }

    @Test(arguments: 1...20)
    func `whatever order facts come in, late ones too, and whatever is taken out, the result is that of what is left`(
        seed: Int
    ) {
        var random = SplitMix64(seed: UInt64(seed))
        let all = facts(&random, 80), left = all.filter { _ in random.chance(percent: 70) }
        var grown: [String: DayTallies] = [:]
        for fact in all.shuffled() { grown[fact.measure, default: DayTallies()].add(fact.amount, on: fact.day) }
        for fact in Set(all).subtracting(left).shuffled() { grown[fact.measure]?.add(-fact.amount, on: fact.day) }
        let wanted = tallies(left)
        for measure in ["a", "b"] { #expect(grown[measure] ?? DayTallies() == wanted[measure] ?? DayTallies()) }
        for badge in badges { #expect(badge.dayEarned(grown) == badge.dayEarned(wanted)) }
        let total = left.reduce(0) { $0 + ($1.measure == "a" ? $1.amount : 0) }
        #expect((wanted["a"]?.total ?? 0) == total)
    }

    @Test(arguments: 1...20)
    func `a badge is earned on the first day after which its condition holds`(seed: Int) {
        var random = SplitMix64(seed: UInt64(seed))
        let all = facts(&random, 120)
        for badge in badges {
            // Day by day, as somebody would who looks every evening.
            let evening = (Int64(20_000)..<20_070).first { today in
                let known = tallies(all.filter { $0.day <= today })
                return switch badge.condition {
                case .total(let measure, let amount): known[measure]?.total ?? 0 >= amount
                case .streak(let measure, let rule, let days):
                    known[measure].map { Streak($0, rule, today: today).best >= days } ?? false
                case .goalMet(let goal, let times):
                    known[goal.measure].map { GoalProgress(goal, $0, today: today).timesMet >= times } ?? false
                }
            }
            #expect(badge.dayEarned(tallies(all)) == evening, "\(badge.id)")
        }
    }

    @Test func `periods are those of the Gregorian calendar, leap days and turns of years too`() throws {
        var calendar = Calendar(identifier: .iso8601)
        calendar.timeZone = .gmt
        for day in stride(from: Int64(-30_000), to: 60_000, by: 1) {
            let date = Date(timeIntervalSince1970: Double(day) * 86_400)
            for (period, unit) in [(CalendarPeriod.week, Calendar.Component.weekOfYear), (.month, .month)] {
                let days = period.days(around: day)
                if day % 7 == 0 || days.lowerBound == day || days.upperBound == day + 1 {
                    let wanted = try #require(calendar.dateInterval(of: unit, for: date))
                    try #require(
                        days.lowerBound == Int64(wanted.start.timeIntervalSince1970) / 86_400
                            && days.upperBound == Int64(wanted.end.timeIntervalSince1970) / 86_400,
                        "\(period) of \(day)")
                }
            }
        }
    }

    @Test func `a fact of a day on which clocks went back, or a zone changed, is on the day that people had`() throws {
        // Paris, the night of 2025-10-26: 02:30 comes twice. Samoa had no 2011-12-30.
        for (zone, time, day) in [
            ("Europe/Paris", "2025-10-26T00:30:00Z", "2025-10-26"),
            ("Europe/Paris", "2025-10-26T01:30:00Z", "2025-10-26"),
            ("Europe/Paris", "2025-10-26T23:30:00Z", "2025-10-27"),
            ("Pacific/Apia", "2011-12-30T09:59:00Z", "2011-12-29"),
            ("Pacific/Apia", "2011-12-30T10:01:00Z", "2011-12-31"),
            ("Africa/Douala", "2024-02-29T23:30:00Z", "2024-03-01"),
        ] {
            let milliseconds = Int64(try Date(time, strategy: .iso8601).timeIntervalSince1970) * 1_000
            let wanted = Int64(try Date(day + "T00:00:00Z", strategy: .iso8601).timeIntervalSince1970) / 86_400
            #expect(
                CivilDay.number(of: milliseconds, in: try #require(TimeZone(identifier: zone))) == wanted, "\(time)")
        }
    }

    @Test func `a goal counts a period once, on the day on which it was met`() {
        let goal = Goal(id: "g", measure: "a", period: .week, target: 5)
        var tallies = DayTallies()
        // Monday 1970-01-05 is day 4.
        for (day, amount) in [(4, 2), (6, 3), (10, 9), (11, 4), (25, 7)] as [(Int64, Int64)] {
            tallies.add(amount, on: day)
        }
        #expect(GoalProgress.met(goal, tallies) == [6, 25])
        #expect(GoalProgress(goal, tallies, today: 11) == GoalProgress(goal, tallies, today: 12))
        #expect(
            GoalProgress(goal, tallies, today: 11).done == 4 && GoalProgress(goal, tallies, today: 11).timesMet == 1)
    }

    @Test(arguments: 1...20)
    func `a rank is one more than how many have more, and an erasure moves up who is behind`(seed: Int) throws {
        var random = SplitMix64(seed: UInt64(seed))
        let entries = (1...30).map {
            Standings.Entry(subject: UInt64($0), nickname: "n\($0 % 7)", score: Int64(random.below(8)))
        }
        let standings = Standings(entries.shuffled())
        #expect(standings == Standings(entries))
        #expect(standings.places.count == entries.count { $0.score > 0 })
        for place in standings.places {
            #expect(place.rank == 1 + entries.count { $0.score > place.entry.score })
        }
        let first = try #require(standings.places.first), left = entries.filter { $0.subject != first.entry.subject }
        #expect(Standings(left).places.first?.rank == 1)
        #expect(Standings(left).places.map(\.entry) == standings.places.dropFirst().map(\.entry))
    }

    @Test func `the winners of a competition are final when late records no longer count, and ties all win`() {
        let competition = Competition(id: "c", measure: "a", days: 10..<20, winners: 2, least: 3, lateDays: 8)
        #expect(
            [9, 10, 19, 20, 27, 28].map { competition.phase(today: $0) } == [
                .ahead, .running, .running, .counting, .counting, .over,
            ])
        func winners(_ scores: Int64...) -> [UInt64] {
            competition.winners(
                Standings(
                    scores.enumerated().map { .init(subject: UInt64($0 + 1), nickname: "n\($0)", score: $1) })
            ).map(\.entry.subject)
        }
        #expect(winners(5, 7, 4) == [2, 1])
        #expect(winners(5, 7, 5) == [2, 1, 3])
        #expect(winners(2, 7, 1) == [2])
    }
}
