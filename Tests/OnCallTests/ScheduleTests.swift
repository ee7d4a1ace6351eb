import Models
import ServiceKit
import Testing

@testable import OnCall

/// Who is on call, over whole years and the days on which clocks change.
@Suite struct ScheduleTests {
    /// Every minute of the week is somebody's; hand-overs fall into hours that clocks skip or show twice.
    private static func whole(_ zone: String) throws -> Schedule {
        try Schedule(
            compiling: [
                "tenant": "mtn", "zone": .string(zone),
                "shifts": [
                    ["days": ["mon", "tue", "wed", "thu", "fri"], "from": "08:00", "to": "20:00", "contact": "ann"],
                    ["days": ["mon", "tue", "wed", "thu"], "from": "20:00", "to": "08:00", "contact": "bob"],
                    ["days": ["fri"], "from": "20:00", "to": "24:00", "contact": "bob"],
                    ["days": ["sat"], "from": "00:00", "to": "24:00", "contact": "cleo"],
                    ["days": ["sun"], "from": "00:00", "to": "01:30", "contact": "dan"],
                    ["days": ["sun"], "from": "01:30", "to": "02:00", "contact": "eve"],
                    ["days": ["sun"], "from": "02:00", "to": "02:30", "contact": "fay"],
                    ["days": ["sun"], "from": "02:30", "to": "03:00", "contact": "gil"],
                    ["days": ["sun"], "from": "03:00", "to": "08:00", "contact": "hal"],
                    ["days": ["sun"], "from": "08:00", "to": "24:00", "contact": "ida"],
                    ["days": ["mon"], "from": "00:00", "to": "08:00", "contact": "ida"],
                ],
            ], id: "noc")
    }

    /// The same read off clocks, minute by minute: the hand-over is when they first show its time.
    private static func contact(shown minute: Int64) -> String {
        let day = (minute / 1_440 + 3) % 7, time = minute % 1_440
        switch (day, time) {
        case (0, ..<480): return "ida"
        case (0...4, 480..<1_200): return "ann"
        case (0...3, 1_200...), (1...4, ..<480), (4, 1_200...): return "bob"
        case (5, _): return "cleo"
        case (6, ..<90): return "dan"
        case (6, ..<120): return "eve"
        case (6, ..<150): return "fay"
        case (6, ..<180): return "gil"
        case (6, ..<480): return "hal"
        default: return "ida"
        }
    }

    @Test(arguments: ["America/Chicago", "Africa/Casablanca"])
    func `over four years somebody is on call each minute, and it is who clocks say`(_ zone: String) throws {
        let schedule = try Self.whole(zone)
        // 2024-01-01 to 2028-01-01.
        let minutes = Int64(28_401_120)..<Int64(30_504_960)
        let turns = schedule.turns(in: minutes.lowerBound * 60_000..<minutes.upperBound * 60_000)
        #expect(turns.first?.period.lowerBound == minutes.lowerBound * 60_000)
        #expect(turns.last?.period.upperBound == minutes.upperBound * 60_000)
        #expect(zip(turns, turns.dropFirst()).allSatisfy { $0.period.upperBound == $1.period.lowerBound })
        #expect(turns.allSatisfy { $0.contact != nil })
        var changes = try #require(ZoneChanges.all[zone]), offset = changes.removeFirst().offset / 60
        var place = 0, highest = minutes.lowerBound - 1_440, wrong: [Int64] = [], expected = ""
        for minute in minutes {
            while let next = changes.first, next.at <= minute * 60 { offset = changes.removeFirst().offset / 60 }
            // What clocks have shown does not come again: an hour that is shown twice stays with who had its end.
            let shown = minute + offset
            if shown > highest {
                highest = shown
                expected = Self.contact(shown: shown)
            }
            while turns[place].period.upperBound <= minute * 60_000 { place += 1 }
            if turns[place].contact != expected { wrong.append(minute) }
        }
        #expect(wrong.isEmpty, "\(wrong.count) minutes, first \(wrong.first ?? 0)")
    }

    @Test(arguments: ["America/Chicago", "Africa/Casablanca"])
    func `what is said of an instant is what is said of its turn`(_ zone: String) throws {
        let schedule = try Self.whole(zone)
        for change in ZoneChanges.all[zone]!.dropFirst() {
            let around = (change.at - 2 * 86_400) * 1_000..<(change.at + 2 * 86_400) * 1_000
            for turn in schedule.turns(in: around) {
                for time in [turn.period.lowerBound, turn.period.upperBound - 1] {
                    #expect(schedule.contact(at: time) == turn.contact, "\(zone) \(time)")
                }
            }
        }
    }

    @Test func `an override stands before the shifts, and hours of nobody are nobody's`() throws {
        let schedule = try Schedule(
            compiling: [
                "tenant": "mtn", "zone": "Africa/Douala",
                "shifts": [["days": ["thu", "fri"], "from": "22:00", "to": "06:00", "contact": "ann"]],
                "overrides": [["from": "2026-12-24T22:00:00Z", "to": "2026-12-25T00:00:00Z", "contact": "bob"]],
            ], id: "noc")
        // Thursday 2026-12-24, an hour ahead of UTC.
        let hour: Int64 = 3_600_000, thursday: Int64 = 1_798_066_800_000
        #expect(schedule.contact(at: thursday + 21 * hour) == nil)
        #expect(schedule.contact(at: thursday + 22 * hour) == "ann")
        let night = schedule.turns(in: thursday + 12 * hour..<thursday + 36 * hour)
        #expect(night.map(\.contact) == [nil, "ann", "bob", "ann", nil])
        #expect(
            night.map { ($0.period.lowerBound - thursday) / hour } == [12, 22, 23, 25, 30])
    }

    private func problems(_ changes: [String: JSONValue]) -> [String] {
        var members: [String: JSONValue] = [
            "tenant": "mtn", "zone": "Africa/Douala",
            "shifts": [["days": ["mon"], "from": "08:00", "to": "20:00", "contact": "ann"]],
        ]
        members.merge(changes) { $1 }
        do throws(DocumentRefusal) {
            _ = try Schedule(compiling: .object(members), id: "s")
            return []
        } catch { return error.problems.map(\.path) }
    }

    @Test func `a document that is none is refused, by every member that is wrong`() {
        func shift(_ days: JSONValue, _ from: JSONValue, _ to: JSONValue) -> JSONValue {
            ["days": days, "from": from, "to": to, "contact": "ann"]
        }
        #expect(problems([:]) == [])
        #expect(problems(["zone": "Africa/Atlantis"]) == ["zone"])
        #expect(problems(["zone": "GMT+1"]) == ["zone"])
        #expect(problems(["shifts": []]) == ["shifts"])
        #expect(problems(["shifts": [shift(["mon"], "08:00", "08:00")]]) == ["shifts[0].to"])
        #expect(problems(["shifts": [shift(["mon"], "24:00", "8:00")]]) == ["shifts[0].from", "shifts[0].to"])
        #expect(problems(["shifts": [shift(["moonday"], "08:00", "09:00")]]) == ["shifts[0].days[0]"])
        #expect(
            problems(["shifts": [shift(["mon"], "08:00", "20:00"), shift(["mon"], "19:59", "21:00")]]) == ["shifts[1]"])
        // Over the end of the week.
        #expect(
            problems(["shifts": [shift(["mon"], "01:00", "02:00"), shift(["sun"], "23:00", "01:01")]]) == ["shifts[1]"])
        #expect(problems(["shifts": [shift(["mon"], "01:00", "02:00"), shift(["sun"], "23:00", "01:00")]]) == [])
        let day = ["from": "2026-01-01T00:00:00Z", "contact": "bob"] as [String: JSONValue]
        for (end, paths) in [
            ("2026-01-01T00:00:00Z", ["overrides[0].to"]), ("2027-01-01T00:00:00Z", ["overrides[0].to"]),
            ("soon", ["overrides[0].to"]), ("2026-01-02T00:00:00+01:00", []),
        ] {
            #expect(
                problems(["overrides": [.object(day.merging(["to": .string(end)]) { $1 })]]) == paths, "\(end)")
        }
        let long = JSONValue.object(day.merging(["to": "2026-01-03T00:00:00Z"]) { $1 })
        #expect(problems(["overrides": [long, long]]) == ["overrides[1]"])
        #expect(problems(["colour": "red"]) == ["colour"])
    }
}
