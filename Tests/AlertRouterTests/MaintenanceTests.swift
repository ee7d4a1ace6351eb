import Foundation
import Models
import ServiceKit
import Testing

@testable import AlertRouter

/// Alarms that are raised during planned work.
@Suite struct MaintenanceTests {
    private static let minute: UnixMilliseconds = 60_000

    private func work(_ bench: HandlingBench, minutes: Int64, _ filter: JSONValue = .null) -> JSONValue {
        [
            "reason": "new antennas", "filter": filter, "from": .integer(bench.now - Self.minute),
            "to": .integer(bench.now + minutes * Self.minute),
        ]
    }

    /// The alarm that the bench begins with is over, and another is raised.
    private func raise(_ bench: HandlingBench, _ task: String = "c0") throws {
        try bench.give(try bench.command(.clear, task))
        bench.now += 1_000
        try bench.raise()
    }

    @Test func `an alarm that comes during planned work says so to its tenant, and is begun at its end`() throws {
        let bench = try HandlingBench()
        try bench.set(.maintenance, "masts", work(bench, minutes: 60))
        try bench.set(.escalation, "night", ["steps": [["contacts": ["ann"]]]])
        try raise(bench)
        let end = try #require(try bench.handling()?.planned?.until)
        let shown = try bench.document(of: bench.mtn.tenant)
        #expect(shown["plannedOutageIndicator"] as? String == "planned" && shown["plannedBy"] as? String == "masts")
        #expect(shown["state"] as? String == "raised")
        #expect(try bench.document(of: .regulator)["plannedBy"] == nil)
        try bench.bench.restart()
        try bench.wait(end - bench.now - 1)
        #expect(bench.calls == [])
        try bench.wait(1)
        #expect(try bench.handling()?.planned == nil)
        #expect(bench.calls == ["step 1 of night: ann"])
        #expect(try bench.document(of: bench.mtn.tenant)["plannedBy"] == nil)
    }

    @Test func `what is open at an end that was missed is told when the router is back`() throws {
        let bench = try HandlingBench()
        try bench.set(.maintenance, "masts", work(bench, minutes: 60))
        try raise(bench)
        try bench.bench.restart()
        try bench.wait(86_400_000)
        let handling = try #require(try bench.handling())
        #expect(handling.planned == nil && !handling.isHidden)
    }

    @Test func `what is over before the end stays planned, and is due no more`() throws {
        let bench = try HandlingBench()
        try bench.set(.maintenance, "masts", work(bench, minutes: 60))
        try raise(bench)
        try bench.give(try bench.command(.clear, "c1"))
        let handling = try #require(try bench.handling())
        #expect(handling.planned?.maintenance == "masts" && handling.dueAt == nil)
        #expect(try bench.document(of: bench.mtn.tenant)["plannedBy"] as? String == "masts")
    }

    @Test func `work that is lengthened, shortened or removed takes its alarms with it`() throws {
        let bench = try HandlingBench()
        try bench.set(.maintenance, "masts", work(bench, minutes: 60))
        try raise(bench)
        let longer = work(bench, minutes: 120)
        try bench.set(.maintenance, "masts", longer)
        #expect(try bench.handling()?.planned?.until == longer["to"]?.integer)
        try bench.wait(70 * Self.minute)
        #expect(try bench.handling()?.planned != nil)
        try bench.set(.maintenance, "masts", nil)
        #expect(try bench.handling()?.planned == nil)
    }

    @Test func `an alarm that was there before, elsewhere or later is not planned`() throws {
        let bench = try HandlingBench()
        try bench.set(.maintenance, "masts", work(bench, minutes: 60, ["places": ["3"]]))
        #expect(try bench.handling() == nil)
        try raise(bench)
        #expect(try bench.handling() == nil)
        try bench.set(.maintenance, "masts", work(bench, minutes: 1, ["networks": ["62401"]]))
        try bench.wait(2 * Self.minute)
        try raise(bench, "c1")
        #expect(try bench.handling() == nil)
    }

    @Test func `a document that does not compile is named and not used, and the others are`() throws {
        let bench = try HandlingBench()
        try bench.set(.maintenance, "bad", ["reason": "r"])
        try bench.set(.maintenance, "masts", work(bench, minutes: 60))
        try bench.bench.restart()
        try raise(bench)
        #expect(try bench.handling()?.planned?.maintenance == "masts")
        #expect(bench.bench.unusable == ["maintenance mtn/bad"])
    }

    @Test(arguments: [false, true])
    func `a tenant whose network serves an open alarm later has it planned, or somebody called`(isPlanned: Bool) throws
    {
        let bench = try HandlingBench()
        if isPlanned { try bench.set(.maintenance, "masts", of: "orange", work(bench, minutes: 60)) }
        try bench.set(.escalation, "night", of: "orange", ["steps": [["after_minutes": 1, "contacts": ["bob"]]]])
        bench.now += 5_000
        try bench.raise(servedBy: 2)
        let shown = try bench.document(of: bench.orange.tenant), handling = try bench.handling(of: "orange")
        #expect(shown["state"] as? String == "raised" && shown["plannedBy"] as? String == (isPlanned ? "masts" : nil))
        #expect((handling?.planned == nil) == !isPlanned && (handling?.escalation == nil) == isPlanned)
        #expect(try bench.handling() == nil)
        try bench.wait(Self.minute)
        #expect(bench.calls == (isPlanned ? [] : ["step 1 of night: bob"]))
        try bench.wait(60 * Self.minute)
        try bench.wait(Self.minute)
        #expect(bench.calls == ["step 1 of night: bob"])
    }

    @Test
    func
        `a tenant that is told of open alarms as it comes to own their network has somebody called once, and keeps that`()
        throws
    {
        let bench = try HandlingBench()
        try bench.set(.escalation, "night", of: "orange", ["steps": [["contacts": ["bob"]]]])
        for plmns in [["62401", "62402"], ["62402"], ["62401"]] {
            var orange = bench.orange
            orange.document.plmns = plmns
            try bench.change(orange)
            try bench.wait(Self.minute)
            if plmns.count == 2 { try bench.give(try bench.command(.acknowledge, "t1", of: "orange")) }
        }
        #expect(try bench.handling(of: "orange")?.owner == "ann")
        #expect(bench.calls == ["step 1 of night: bob"])
        #expect(try bench.document(of: bench.orange.tenant)["escalationStep"] as? Int == 1)
    }
}
