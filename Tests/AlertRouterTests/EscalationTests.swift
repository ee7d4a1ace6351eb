import Foundation
import Models
import ServiceKit
import Testing

@testable import AlertRouter

/// Who is called about an alarm that nobody takes, and when.
@Suite struct EscalationTests {
    private static let minute: UnixMilliseconds = 60_000

    /// The schedule has ann on weekdays from 08:00 to 20:00 in Douala; the bench begins on Sunday, 2025-06-15, 16:06 there.
    private static let steps: JSONValue = [
        ["after_minutes": 1, "contacts": ["ann"]], ["after_minutes": 10, "schedule": "noc"],
        ["after_minutes": 5, "channel": "boss"],
    ]

    private func bench(_ steps: JSONValue = Self.steps, filter: JSONValue = .null) throws -> HandlingBench {
        let bench = try HandlingBench()
        try bench.set(
            .schedule, "noc",
            [
                "zone": "Africa/Douala",
                "shifts": [
                    ["days": ["sun"], "from": "08:00", "to": "20:00", "contact": "bob"],
                    ["days": ["mon"], "from": "08:00", "to": "20:00", "contact": "cleo"],
                ],
            ])
        try bench.set(.escalation, "night", ["steps": steps, "filter": filter])
        // The alarm that the bench begins with was there before.
        try bench.give(try bench.command(.clear, "c0"))
        bench.now += 1_000
        try bench.raise()
        return bench
    }

    @Test func `each step calls its own at its time, once, over restarts`() throws {
        let bench = try bench()
        try bench.wait(Self.minute - 1)
        #expect(bench.calls == [])
        try bench.bench.restart()
        try bench.wait(1)
        #expect(bench.calls == ["step 1 of night: ann"])
        try bench.bench.restart()
        try bench.wait(10 * Self.minute)
        try bench.bench.restart()
        try bench.wait(5 * Self.minute)
        try bench.bench.restart()
        try bench.wait(86_400_000)
        #expect(
            bench.calls == [
                "step 1 of night: ann", "step 2 of night: bob", "step 3 of night: channel boss",
            ])
        let handling = try #require(try bench.handling())
        #expect(handling.escalation?.calls == 3 && handling.escalation?.nextAt == nil)
        #expect(try bench.handling(of: "regulator") == nil)
        #expect(try bench.document(of: bench.mtn.tenant)["escalationStep"] as? Int == 3)
    }

    @Test func `after an acknowledgement between two steps nothing starts`() throws {
        let bench = try bench()
        try bench.wait(Self.minute)
        try bench.give(try bench.command(.acknowledge, "t1", until: bench.now + 3_600_000))
        try bench.bench.restart()
        try bench.wait(59 * Self.minute)
        #expect(bench.calls == ["step 1 of night: ann"])
        #expect(try bench.handling()?.escalation?.contacts == [])
    }

    @Test func `who has seen the alarm before a step may still take it`() throws {
        let bench = try bench()
        try bench.wait(Self.minute)
        var command = try bench.command(.acknowledge, "t1")
        command.version = 0
        try bench.give(command)
        #expect(bench.outcome("t1") == "done")
    }

    @Test func `an acknowledgement in the transaction in which a step is due comes before it`() throws {
        let bench = try bench()
        bench.now += Self.minute
        try bench.give(try bench.command(.acknowledge, "t1"))
        try bench.wait(0)
        #expect(bench.calls == [])
    }

    @Test func `what is taken back or runs out begins anew, and its calls are further ones`() throws {
        let bench = try bench()
        try bench.wait(Self.minute)
        try bench.give(try bench.command(.acknowledge, "t1", until: bench.now + Self.minute))
        try bench.wait(Self.minute)
        try bench.wait(Self.minute)
        #expect(bench.calls == ["step 1 of night: ann", "step 1 of night: ann"])
        #expect(try bench.handling()?.escalation?.calls == 2)
        try bench.give(try bench.command(.acknowledge, "t2"), try bench.command(.unacknowledge, "t3"))
        try bench.wait(Self.minute)
        #expect(bench.calls.count == 3)
    }

    @Test func `nobody is called of an old acknowledged alarm after the clock was set or a home restored`() throws {
        let bench = try bench()
        try bench.wait(Self.minute)
        try bench.give(try bench.command(.acknowledge, "t1"))
        try bench.bench.restart()
        try bench.wait(3 * 86_400_000)
        try bench.wait(86_400_000)
        #expect(bench.calls == ["step 1 of night: ann"])
        let handling = try #require(try bench.handling())
        #expect(handling.owner == nil && handling.reminders == 0)
        // Set back: nothing is due.
        try bench.wait(-2 * 86_400_000)
        #expect(bench.calls.count == 1)
    }

    @Test func `steps that were missed are not taken all at once`() throws {
        let bench = try bench()
        try bench.bench.restart()
        try bench.wait(3_600_000)
        #expect(bench.calls == ["step 1 of night: ann"])
        try bench.wait(10 * Self.minute)
        #expect(bench.calls == ["step 1 of night: ann", "step 2 of night: bob"])
    }

    @Test func `a step that reaches nobody says so, and the next is taken at once`() throws {
        let bench = try bench([["schedule": "nights"], ["after_minutes": 30, "contacts": ["ann"]]])
        try bench.wait(0)
        #expect(bench.calls == ["step 1 of night: nobody", "step 2 of night: ann"])
        let first = try #require(bench.told.first { ($0.document?["code"] as? String) == "nobody" })
        #expect(first.document?["state"] as? String == "failed")
    }

    @Test func `the end stops it, and so do shelving and the end of the escalation`() throws {
        for act in [AlarmCommand.Act.clear, .shelve] {
            let bench = try bench()
            try bench.give(try bench.command(act, "t1", until: bench.now + 3_600_000, text: "known"))
            try bench.wait(59 * Self.minute)
            #expect(bench.calls == [])
        }
        let bench = try bench()
        try bench.set(.escalation, "night", nil)
        try bench.wait(59 * Self.minute)
        #expect(bench.calls == [])
        #expect(try bench.handling()?.dueAt == nil)
    }

    @Test func `an escalation is for alarms that its filter takes, of its own tenant`() throws {
        let bench = try bench(filter: ["networks": ["62402"]])
        try bench.wait(3_600_000)
        #expect(try bench.handling() == nil)
        try bench.set(.escalation, "all", of: "orange", ["steps": Self.steps])
        bench.now += 1_000
        try bench.give(try bench.command(.clear, "c1"))
        try bench.raise()
        try bench.wait(3_600_000)
        #expect(try bench.handling(of: "orange") == nil && bench.calls == [])
    }
}
