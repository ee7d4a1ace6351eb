import Channels
import Models
import NotifierMessages
import ServiceKit
import Storage
import SubjectRights
import Testing

@testable import Notifier

/// What channels are told, and when.
@Suite struct TellingTests {
    private let id = "62401-1222-1"

    @Test func `an alarm is told when it is raised, when it gets worse and when it is over, each once`() throws {
        let bench = try NotifierBench()
        try bench.webhook()
        try bench.alarm()
        #expect(try bench.deliver() == ["hook \(id) raised"])
        try bench.alarm()
        try bench.alarm(id, .critical)
        try bench.alarm(id, .major)
        #expect(try bench.deliver() == ["hook \(id) changed:1", "hook \(id) changed:2"])
        try bench.clear()
        try bench.clear()
        #expect(try bench.deliver() == ["hook \(id) cleared"])
        #expect(try bench.toldOnLane().values.allSatisfy { $0 == .delivered })
    }

    @Test func `a listener of TMF642 is told the events that it wants, of alarms that it wants until their end`() throws
    {
        let bench = try NotifierBench()
        try bench.listener(
            "eventType=AlarmCreateEvent,AlarmStateChangeEvent&perceivedSeverity=major,critical&place=1222")
        try bench.alarm(id, .minor)
        #expect(try bench.deliver().isEmpty)
        try bench.alarm()
        try bench.alarm(id, .minor)
        #expect(try bench.deliver() == ["hub \(id) raised"])
        try bench.clear()
        #expect(try bench.deliver() == ["hub \(id) cleared"])
    }

    @Test func `a clear that was committed before a kill is told after the restart`() throws {
        let bench = try NotifierBench()
        try bench.webhook()
        try bench.alarm()
        try bench.deliver()
        try bench.clear()
        try bench.restart()
        #expect(try bench.deliver() == ["hook \(id) cleared"])
    }

    @Test func `a call that was on its way at a kill is made again under the same name`() throws {
        let bench = try NotifierBench()
        try bench.webhook()
        try bench.alarm()
        let first = try bench.calls()
        try bench.restart()
        let again = try bench.calls()
        #expect(first.count == 1 && again.map(\.call.deliveries) == first.map(\.call.deliveries))
    }

    @Test func `an alarm that was told before a kill is told as over after one`() throws {
        let bench = try NotifierBench()
        try bench.webhook()
        try bench.alarm()
        try bench.deliver()
        try bench.restart()
        try bench.clear()
        #expect(try bench.deliver() == ["hook \(id) cleared"])
    }

    @Test func `what one alarm did is told in order, also after failures`() throws {
        let bench = try NotifierBench()
        try bench.webhook()
        try bench.alarm()
        let first = try bench.calls()
        try bench.alarm(id, .critical)
        try bench.clear()
        try bench.answer(first[0].number, .failed("down"))
        #expect(try bench.calls().isEmpty)
        try bench.tick(after: 1_300)
        #expect(try bench.deliver() == ["hook \(id) raised", "hook \(id) changed:1", "hook \(id) cleared"])
    }

    @Test func `a channel that comes later is told of what goes on, whichever lane comes first`() throws {
        let bench = try NotifierBench()
        try bench.alarm("62401-1-1")
        try bench.alarm("62401-1-2")
        try bench.clear("62401-1-2")
        try bench.webhook()
        #expect(try bench.deliver() == ["hook 62401-1-1 raised"])
    }

    @Test func `a child is told by its parent, but one that was told before ends`() throws {
        let bench = try NotifierBench()
        try bench.webhook()
        try bench.alarm("62401-1-1", parent: true)
        try bench.alarm("62401-1-2")
        try bench.alarm("62401-1-2", .critical, parent: true)
        try bench.clear("62401-1-1")
        try bench.clear("62401-1-2")
        #expect(
            try bench.deliver() == [
                "hook 62401-1-2 raised", "hook 62401-1-2 changed:1", "hook 62401-1-2 cleared",
            ])
    }

    @Test func `a symptom is told by its cause, and on its own once it has none`() throws {
        let bench = try NotifierBench()
        try bench.webhook()
        try bench.alarm("62401-1-1", cause: "62401-1-0")
        #expect(try bench.deliver() == [])
        try bench.alarm("62401-1-1", state: "updated")
        try bench.clear("62401-1-1")
        try bench.alarm("62401-1-2", cause: "62401-1-0")
        try bench.alarm("62401-1-2", .cleared, state: "cleared", cause: "62401-1-0")
        #expect(try bench.deliver() == ["hook 62401-1-1 raised", "hook 62401-1-1 cleared"])
    }

    @Test func `a tenant is told of its own networks only, serving ones too`() throws {
        let bench = try NotifierBench()
        try bench.tenant("mtn", ["62401"])
        try bench.webhook(tenant: "mtn")
        try bench.alarm("a", plmn: "62402")
        try bench.alarm("b", plmn: "62402", networks: "62403 62401")
        try bench.alarm("c")
        #expect(try bench.deliver() == ["hook b raised", "hook c raised"])
    }

    @Test func `a channel of a tenant that is not there tells nothing until the tenant comes`() throws {
        let bench = try NotifierBench()
        try bench.webhook(tenant: "mtn")
        try bench.alarm()
        #expect(try bench.deliver().isEmpty && bench.effects.book.problems["hook"] != nil)
        try bench.tenant("mtn", ["62401"])
        #expect(try bench.deliver() == ["hook \(id) raised"])
    }

    @Test func `a filter decides what begins, not what ends`() throws {
        let bench = try NotifierBench()
        try bench.webhook(filter: ["severity": "major", "rules": ["urgent"], "places": ["1222"]])
        try bench.alarm("a", .minor)
        try bench.alarm("b", place: "0000000000000000")
        try bench.alarm("c", rule: "other")
        try bench.alarm("d", .major)
        try bench.alarm("d", .warning)
        try bench.clear("d")
        #expect(try bench.deliver() == ["hook d raised", "hook d changed:1", "hook d cleared"])
    }

    @Test func `so many messages leave in a minute, and the others later`() throws {
        let bench = try NotifierBench()
        try bench.webhook(perMinute: 3)
        for number in 0..<5 { try bench.alarm("a\(number)") }
        #expect(try bench.deliver().count == 3)
        #expect(bench.effects.nextTick == bench.now + 60_000)
        try bench.tick(after: 59_999)
        #expect(try bench.deliver().isEmpty)
        try bench.tick(after: 1)
        #expect(try bench.deliver() == ["hook a3 raised", "hook a4 raised"])
    }

    @Test func `what fails is tried again, then dead, and can be sent again`() throws {
        var settings = NotifierSettings()
        settings.schedule.mostAttempts = 3
        let bench = try NotifierBench(settings)
        try bench.webhook()
        try bench.alarm()
        for pause in [0, 1_000, 2_000] as [Int64] {
            try bench.tick(after: pause)
            #expect(try bench.deliver(.failed("answered 500")).count == 1)
        }
        try bench.tick(after: 3_600_000)
        let letter = try #require(try bench.outbox { try $0.page(channel: "hook", state: .dead, limit: 2) }.first)
        #expect(try bench.deliver().isEmpty && letter.reason == "answered 500" && letter.attempts == 3)
        #expect(bench.reports.reduce(0) { $0 + $1.dead } == 1)
        var again = letter
        (again.state, again.attempts, again.dueAt, again.createdAt) = (.waiting, 0, bench.now, bench.now)
        try bench.database.write { try OutboxStore($0).restart(again) }
        bench.effects.hurry("hook")
        #expect(try bench.deliver() == ["hook \(id) raised"])
    }

    @Test func `a peer that asks for time is given it, and nothing is tried for longer than a day`() throws {
        let bench = try NotifierBench()
        try bench.webhook()
        try bench.alarm()
        #expect(try bench.deliver(.failed("answered 503", retryAfter: 30_000)).count == 1)
        try bench.tick(after: 29_999)
        #expect(try bench.deliver().isEmpty)
        try bench.tick(after: 1)
        #expect(try bench.deliver(.failed("down")).count == 1)
        try bench.tick(after: 86_400_000)
        #expect(try bench.deliver(.failed("down")).count == 1)
        #expect(try bench.outbox { try $0.count(.dead) } == 1)
    }

    @Test func `a channel for which too much waits is not told of more, but of ends`() throws {
        var settings = NotifierSettings()
        settings.mostWaiting = 2
        let bench = try NotifierBench(settings)
        try bench.webhook()
        for name in ["a", "b", "c"] { try bench.alarm(name) }
        for name in ["a", "b", "c"] { try bench.clear(name) }
        #expect(bench.reports.reduce(0) { $0 + $1.refused } == 1)
        #expect(try bench.deliver().sorted() == ["hook a cleared", "hook a raised", "hook b cleared", "hook b raised"])
    }

    @Test func `a subscription that is gone ends its channel until it is set anew`() throws {
        let bench = try NotifierBench()
        try bench.webhook()
        for name in ["a", "b"] { try bench.alarm(name) }
        #expect(try bench.deliver(.gone("answered 410")) == ["hook a raised"])
        #expect(bench.effects.book.usable.isEmpty)
        #expect(try bench.outbox { try $0.count(.dead) } == 2)
        try bench.restart()
        #expect(bench.effects.book.usable.isEmpty)
        try bench.webhook(perMinute: 100)
        #expect(try bench.deliver() == ["hook a raised", "hook b raised"])
    }

    @Test func `a channel that is removed ends what waits, and one of its name begins anew`() throws {
        let bench = try NotifierBench()
        try bench.webhook()
        try bench.alarm()
        try bench.channel("hook", nil)
        #expect(try bench.deliver().isEmpty)
        #expect(
            try bench.outbox { try $0.page(channel: "hook", state: .dead, limit: 9) }.map(\.reason) == [
                "the channel was removed"
            ])
        try bench.webhook()
        #expect(try bench.deliver() == ["hook \(id) raised"])
    }

    @Test func `a digest is one message for what happens within its time`() throws {
        let bench = try NotifierBench()
        try bench.channel("mail", ["kind": "email", "tenant": "regulator", "to": "noc@mtn.cm"])
        try bench.alarm("a")
        try bench.tick(after: 30_000)
        try bench.alarm("b")
        try bench.clear("a")
        #expect(try bench.calls().isEmpty)
        try bench.tick(after: 30_000)
        let calls = try bench.calls()
        #expect(calls.map { $0.call.deliveries.map(\.transition) } == [["raised", "raised", "cleared"]])
        try bench.answer(calls[0].number, .delivered)
        try bench.alarm("c")
        #expect(try bench.calls().isEmpty && bench.effects.nextTick == bench.now + 60_000)
    }

    @Test func `what ended long ago goes, from the lane too`() throws {
        let bench = try NotifierBench()
        try bench.webhook()
        try bench.alarm()
        try bench.deliver()
        try bench.tick(after: 31 * 86_400_000)
        #expect(try bench.outbox { try $0.count(.delivered) } == 0)
    }

    @Test func `an erasure waits for the router, and for what subscribers have asked for`() throws {
        let subjects = try NotifierBench().effects.subjects()
        #expect(subjects.waitsFor == ["alert-router"] && subjects.reads.contains(.requests))
    }
}
