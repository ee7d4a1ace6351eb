import Alarms
import Foundation
import GRDB
import Models
import Storage
import Testing

@testable import AlertRouter

/// Commands to doors: who may, at which hour, once, and within ten seconds.
@Suite struct DoorCommandTests {
    @Test func `a door is opened for who has a key at this hour, and its device's answer is the task's`() throws {
        let site = try SiteBench()
        try site.give(.open, .door, 3, "o1")
        let order = try #require(site.told.last { $0.kind == .doorOrder }?.document)
        #expect(order["device"] as? Int == 5 && order["door"] as? Int == 3 && site.outcome("o1") == nil)
        #expect(order["expires_at_ms"] as? Int64 == site.now + 10_000)
        try site.answer("o1", .opened, by: 6)
        #expect(site.outcome("o1") == nil, "another device's answer is none")
        try site.answer("o1", .opened)
        #expect(site.outcome("o1") == "done opened" && site.told.last { $0.kind == .doorOrder }?.document == nil)
        try site.answer("o1", .failed)
        #expect(site.count(.siteTask, "o1") == 1, "the first answer counts")
    }

    @Test func `who has no key, another door's, or one of another hour opens nothing`() throws {
        let site = try SiteBench()
        try site.give(.open, .door, 3, "o1", by: "bob")
        try site.give(.open, .door, 4, "o2")
        try site.give(.open, .door, 3, "o3", of: "hill")
        // 18:00 in Douala is the first minute after the key's hours; 17:59 is the last of them.
        site.now = SiteBench.monday + 8 * 3_600_000
        try site.give(.open, .door, 3, "o4")
        site.now -= 60_000
        try site.give(.open, .door, 3, "o5")
        site.now += 86_400_000
        try site.give(.open, .door, 3, "o6")
        #expect(
            ["o1", "o2", "o3", "o4", "o6"].map { site.outcome($0) } == [
                "failed no_key", "failed not_found", "failed not_found", "failed outside_schedule",
                "failed outside_schedule",
            ])
        #expect(site.told.filter { $0.kind == .doorOrder && $0.document != nil }.map(\.key) == ["o5"])
    }

    @Test func `a command that is told again, before or after its end and a kill, orders nothing again`() throws {
        let site = try SiteBench()
        try site.give(.open, .door, 3, "o1")
        try site.give(.open, .door, 3, "o1")
        try site.bench.restart()
        try site.give(.open, .door, 3, "o1")
        try site.answer("o1", .opened)
        try site.give(.open, .door, 3, "o1")
        #expect(
            site.told.count { $0.kind == .doorOrder && $0.document != nil } == 1 && site.outcome("o1") == "done opened")
    }

    @Test func `a door whose device is away fails after ten seconds, and what it says later is told, too`() throws {
        let site = try SiteBench()
        try site.give(.open, .door, 3, "o1")
        try site.wait(seconds: 9)
        #expect(site.outcome("o1") == nil && site.bench.effects.nextTick ?? .max <= site.now + 1_000)
        try site.bench.restart()
        try site.wait(seconds: 1)
        #expect(site.outcome("o1") == "failed no_answer" && site.told.last { $0.kind == .doorOrder }?.document == nil)
        try site.answer("o1", .opened)
        #expect(site.outcome("o1") == "failed no_answer opened")
        try site.give(.open, .door, 3, "o2")
        try site.answer("o2", .refused)
        #expect(site.outcome("o2") == "failed device_refused refused")
    }

    @Test func `a command of before, or of a clock that was set back, is not carried out`() throws {
        let site = try SiteBench()
        try site.give(.open, .door, 3, "o1", at: site.now - 10_000)
        try site.give(.open, .door, 3, "o2", at: site.now + 10_001)
        #expect(site.outcome("o1") == "failed too_late" && site.outcome("o2") == "failed clock_changed")
        #expect(!site.told.contains { $0.kind == .doorOrder })
    }

    @Test func `what waited for a device when a home was lost is over in the one that was restored`() throws {
        let site = try SiteBench()
        try site.give(.open, .door, 3, "o1")
        try site.bench.database.write { try SiteStore.endOrders($0) }
        try site.bench.restart()
        try site.step([])
        #expect(site.outcome("o1") == "failed no_answer" && site.told.last { $0.kind == .doorOrder }?.document == nil)
    }
}
