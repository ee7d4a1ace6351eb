import Channels
import Models
import NotifierMessages
import ServiceKit
import Testing

@testable import Notifier

/// What contacts make of alarms, and what their channels are told then.
@Suite struct CareTests {
    private let id = "62401-1222-1"

    private func mail(_ contact: String, tells: JSONValue = .null) -> JSONValue {
        [
            "kind": "email", "tenant": "regulator", "to": .string("\(contact)@mtn.cm"), "digest_seconds": 0,
            "contact": .string(contact), "tells": tells,
        ]
    }

    @Test func `an acknowledged alarm is told only if it gets worse, and when that runs out, over restarts`() throws {
        let bench = try NotifierBench()
        try bench.webhook()
        try bench.alarm()
        #expect(try bench.deliver() == ["hook \(id) raised"])
        try bench.acknowledge()
        try bench.alarm(id, .minor)
        try bench.restart()
        #expect(try bench.deliver().isEmpty)
        try bench.alarm(id, .critical)
        #expect(try bench.deliver() == ["hook \(id) changed:1"])
        try bench.alarm(id, .major)
        try bench.restart()
        #expect(try bench.deliver().isEmpty)
        try bench.alarm(id, .critical)
        #expect(try bench.deliver().isEmpty)
        try bench.expire()
        try bench.restart()
        #expect(try bench.deliver() == ["hook \(id) reminded:1"])
        try bench.alarm()
        try bench.clear()
        #expect(try bench.deliver() == ["hook \(id) changed:2", "hook \(id) cleared"])
    }

    @Test func `an offer is told to the contact to whom it is made, once, over restarts`() throws {
        let bench = try NotifierBench()
        for contact in ["ann", "bob"] { try bench.channel(contact, mail(contact)) }
        try bench.alarm()
        try bench.acknowledge()
        #expect(try bench.deliver().isEmpty)
        try bench.offer(to: "bob")
        try bench.restart()
        #expect(try bench.deliver() == ["bob \(id) offered:\(NotifierBench.start)"])
        try bench.alarm()
        try bench.restart()
        #expect(try bench.deliver().isEmpty)
        try bench.clear()
        #expect(try bench.deliver() == ["bob \(id) cleared"])
    }

    @Test func `an acknowledgement that ran out long ago reminds nobody`() throws {
        let bench = try NotifierBench()
        try bench.webhook()
        try bench.alarm()
        try bench.deliver()
        try bench.acknowledge()
        try bench.expire(isReminded: false)
        try bench.restart()
        #expect(try bench.deliver().isEmpty)
    }

    @Test func `a channel that is new is not told of what somebody looks after, until nobody does`() throws {
        let bench = try NotifierBench()
        try bench.alarm()
        try bench.acknowledge()
        try bench.webhook()
        #expect(try bench.deliver().isEmpty)
        try bench.expire()
        #expect(try bench.deliver() == ["hook \(id) raised"])
    }

    @Test func `an end is told whoever looks after it`() throws {
        let bench = try NotifierBench()
        try bench.webhook()
        try bench.alarm()
        try bench.deliver()
        try bench.acknowledge()
        try bench.shelve()
        try bench.alarm(id, .critical)
        try bench.clear()
        #expect(try bench.deliver() == ["hook \(id) cleared"])
    }

    @Test func `a shelved alarm is told once that is over, as it is then`() throws {
        let bench = try NotifierBench()
        try bench.webhook()
        try bench.alarm()
        try bench.deliver()
        try bench.shelve()
        try bench.alarm(id, .critical)
        try bench.restart()
        #expect(try bench.deliver().isEmpty)
        try bench.expire()
        #expect(try bench.deliver() == ["hook \(id) changed:1"])
    }

    @Test func `an alarm of planned work is told at its end if it is open, and never if it is not`() throws {
        let bench = try NotifierBench()
        try bench.webhook()
        for name in ["a", "b"] {
            try bench.handle(name) { $0.planned = .init(maintenance: "masts", reason: "masts", until: 1) }
            try bench.alarm(name)
        }
        try bench.clear("a")
        #expect(try bench.deliver().isEmpty)
        try bench.expire("b", isReminded: false)
        #expect(try bench.deliver() == ["hook b raised"])
    }

    @Test func `what one tenant makes of an alarm is nothing to the channels of another`() throws {
        let bench = try NotifierBench()
        try bench.tenant("mtn", ["62401"])
        try bench.webhook(tenant: "mtn")
        try bench.webhook("all")
        try bench.alarm()
        try bench.deliver()
        try bench.acknowledge(of: "mtn")
        try bench.alarm(id, .minor)
        #expect(try bench.deliver() == ["all \(id) changed:1"])
    }

    @Test func `Alertmanager goes on firing what is acknowledged, and not what is shelved`() throws {
        let bench = try NotifierBench()
        try bench.manager()
        try bench.alarm()
        try bench.deliver()
        try bench.acknowledge()
        try bench.tick(after: 60_000)
        #expect(try bench.deliver() == ["am \(id) firing"])
        try bench.shelve()
        #expect(try bench.deliver() == ["am \(id) shelved:2"])
        try bench.tick(after: 3_600_000)
        #expect(try bench.deliver().isEmpty)
        try bench.expire()
        #expect(try bench.deliver() == ["am \(id) firing"])
        try bench.clear()
        #expect(try bench.deliver() == ["am \(id) cleared"])
    }

    @Test func `a contact is called by its own channels, each step once, and told what becomes of it`() throws {
        let bench = try NotifierBench()
        try bench.channel("ann", mail("ann"))
        try bench.channel("bob", mail("bob"))
        try bench.channel("all", mail("cleo", tells: "all"))
        try bench.alarm()
        #expect(try bench.deliver() == ["all \(id) raised"])
        try bench.call(["ann"])
        try bench.restart()
        #expect(try bench.deliver() == ["ann \(id) escalated:1"])
        try bench.alarm(id, .critical)
        try bench.call(["bob", "ann"], channels: ["all"])
        try bench.restart()
        #expect(
            try bench.deliver().sorted() == [
                "all \(id) changed:1", "all \(id) escalated:2", "ann \(id) changed:1", "ann \(id) escalated:2",
                "bob \(id) escalated:2",
            ])
        try bench.acknowledge()
        try bench.clear()
        #expect(try bench.deliver().sorted() == ["all \(id) cleared", "ann \(id) cleared", "bob \(id) cleared"])
    }

    @Test func `a channel that is called at once is told of the beginning before`() throws {
        let bench = try NotifierBench()
        try bench.webhook()
        try bench.call(channels: ["hook"])
        try bench.alarm()
        #expect(try bench.deliver() == ["hook \(id) raised", "hook \(id) escalated:1"])
    }

    @Test func `nobody is called about what somebody has taken meanwhile`() throws {
        let bench = try NotifierBench()
        try bench.channel("ann", mail("ann"))
        try bench.alarm()
        try bench.handle { [now = bench.now] in
            var escalation = AlarmHandling.Escalation(policy: "noc", calls: 1, nextAt: nil)
            escalation.contacts = ["ann"]
            $0.escalation = escalation
            $0.acknowledgement = .init(contact: "bob", at: now, until: now + 1)
        }
        #expect(try bench.deliver().isEmpty)
    }

    @Test func `a call reaches no channel of another tenant`() throws {
        let bench = try NotifierBench()
        try bench.channel("ann", mail("ann"))
        try bench.tenant("mtn", ["62401"])
        try bench.alarm()
        try bench.call(["ann"], channels: ["ann"], of: "mtn")
        #expect(try bench.deliver().isEmpty)
        #expect(bench.reports.flatMap(\.unreachable) == ["mtn/ann", "channel ann"])
    }

    @Test func `nobody is called about what is acknowledged or shelved in the same transaction`() throws {
        let bench = try NotifierBench()
        try bench.channel("ann", mail("ann"))
        for name in ["a", "b"] { try bench.alarm(name) }
        try bench.together {
            try bench.call(["ann", "zoe"], about: "a")
            try bench.call(["ann"], about: "b")
            try bench.acknowledge("a")
            try bench.shelve("b")
        }
        #expect(try bench.deliver().isEmpty)
        #expect(bench.reports.flatMap(\.unreachable).isEmpty)
    }

    @Test func `every call of a transaction is told if nobody has taken the alarm`() throws {
        let bench = try NotifierBench()
        for name in ["ann", "bob"] { try bench.channel(name, mail(name)) }
        try bench.alarm()
        try bench.together {
            try bench.acknowledge()
            try bench.expire()
            try bench.call(["ann"])
            try bench.call(["bob"])
        }
        #expect(try bench.deliver().sorted() == ["ann \(id) escalated:1", "bob \(id) escalated:2"])
        try bench.together {
            try bench.alarm("b")
            try bench.call(["ann"], about: "b")
            try bench.call(["bob"], about: "b")
        }
        #expect(try bench.deliver().sorted() == ["ann b escalated:1", "bob b escalated:2"])
    }

    @Test func `an alarm that changes in the same transaction is told once, as it is then`() throws {
        let bench = try NotifierBench()
        try bench.webhook()
        try bench.alarm()
        try bench.deliver()
        try bench.acknowledge()
        try bench.together {
            try bench.expire()
            try bench.alarm(id, .critical)
        }
        #expect(try bench.deliver() == ["hook \(id) changed:1"])
    }

    @Test func `handling that is gone is gone, also if it came in the same transaction`() throws {
        let bench = try NotifierBench()
        try bench.webhook()
        try bench.together {
            try bench.acknowledge()
            try bench.give(.alarmHandling, on: .alerts, [("\(id)/regulator", nil)])
        }
        try bench.alarm()
        #expect(try bench.deliver() == ["hook \(id) raised"])
    }

    @Test func `handling whose key names no tenant is counted as unreadable`() throws {
        let bench = try NotifierBench()
        try bench.give(.alarmHandling, on: .alerts, [("nobody's", "{}"), ("nobody's", nil)])
        #expect(bench.reports.reduce(0) { $0 + $1.unreadable } == 2)
    }

    @Test func `a channel for which too much waits is not called about further alarms, which is counted`() throws {
        var settings = NotifierSettings()
        settings.mostWaiting = 1
        let bench = try NotifierBench(settings)
        try bench.channel("ann", mail("ann"))
        for name in ["a", "b"] {
            try bench.alarm(name)
            try bench.call(["ann"], about: name)
        }
        #expect(bench.reports.reduce(0) { $0 + $1.refused } == 1)
        #expect(try bench.deliver() == ["ann a escalated:1"])
    }
}
