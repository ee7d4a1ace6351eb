import Alarms
import Foundation
import GRDB
import Models
import Storage
import Testing

@testable import AlertRouter

/// What sensors report, and what becomes of it: alarms, arming, delays.
@Suite struct SensorAlarmTests {
    @Test
    func `a sensor that is HIGH raises one alarm of its severity under its site, with its value, and LOW ends it`()
        throws
    {
        let site = try SiteBench()
        try site.report(8, high: true, value: 61_500)
        #expect(site.topics() == ["alerts/site/12/critical/8"])
        let sensor = try #require(site.alarm["sensor"] as? [String: Any])
        #expect(sensor["value"] as? Double == 61.5 && sensor["state"] as? String == "HIGH")
        #expect(sensor["name"] as? String == "Sensor 8" && site.alarm["scope"] as? String == "site:12")
        #expect((site.alarm["alarmedObject"] as? [String: String])?["@referredType"] == "Sensor")
        site.now += 1_000
        try site.report(8, high: true, value: 70_000)
        #expect(site.topics().isEmpty && (site.alarm["sensor"] as? [String: Any])?["value"] as? Double == 70)
        try site.report(8, high: false)
        #expect(site.topics() == ["alerts/site/12/critical/8", "alerts/site/12/cleared/8"])
        #expect(site.alarm["state"] as? String == "cleared")
        let first = site.alarm["id"] as? String
        try site.report(8, high: true)
        #expect(site.topics() == ["alerts/site/12/critical/8"] && site.alarm["id"] as? String != first)
        #expect(site.bench.messages(of: site.hill.tenant).isEmpty)
    }

    @Test func `alarms of sensors are taken like all others, and no report touches that`() throws {
        let site = try SiteBench()
        try site.report(8, high: true)
        let command = AlarmCommand(
            task: "t1", alarm: try #require(site.alarm["id"] as? String), act: .acknowledge, tenant: "harbour",
            contact: "ann", at: site.now)
        try site.set(.alarmCommand, "t1", command)
        #expect(site.told.last { $0.kind == .alarmTask }?.document?["state"] as? String == "done")
        try site.report(8, high: true, value: 1)
        let handling = try site.bench.database.read { try AlarmHandlingRows.handling(of: 1, by: "harbour", $0) }
        #expect(handling?.owner == "ann" && handling?.acknowledgement != nil)
    }

    @Test func `late reports, foreign devices, other sites and unknown sensors change nothing`() throws {
        let site = try SiteBench()
        try site.report(8, high: true)
        try site.report(8, high: false, ago: 5_000)
        try site.report(8, high: false, by: 6)
        try site.report(8, high: false, site: 13)
        try site.report(99, high: true)
        #expect(site.topics() == ["alerts/site/12/critical/8"] && site.alarm["state"] as? String == "raised")
        #expect(try site.bench.number("SELECT count(*) FROM alarms") == 1)
    }

    @Test func `a sensor that is disarmed raises nothing, and how it is is known all the same`() throws {
        let site = try SiteBench()
        try site.give(.disarm, .sensor, 9, "d1")
        try site.report(9, high: true, value: 5_000)
        #expect(site.outcome("d1") == "done" && site.topics().isEmpty && site.arming(of: 9) == "disarmed")
        #expect(site.told.last { $0.kind == .sensorState }?.document?["high"] as? Bool == true)
        try site.report(9, high: true, tamper: true)
        #expect(site.topics() == ["alerts/site/12/major/9"] && site.alarm["rule"] as? String == "sensor.tamper")
        try site.give(.disarm, .sensor, 8, "d2")
        #expect(site.outcome("d2") == "failed always_armed")
        try site.give(.arm, .sensor, 9, "a1", of: "hill")
        #expect(site.outcome("a1") == "failed not_found" && site.arming(of: 9) == "disarmed")
    }

    @Test func `exit and entry delays hold, over a kill too, and disarming in time leaves it silent`() throws {
        let site = try SiteBench()
        try site.give(.disarm, .site, 12, "d1")
        try site.give(.arm, .site, 12, "a1")
        #expect(site.arming(of: 7) == "arming")
        try site.report(7, high: true)
        try site.report(7, high: false)
        try site.wait(seconds: 59)
        #expect(site.topics().isEmpty && site.arming(of: 7) == "arming")
        try site.bench.restart()
        try site.wait(seconds: 1)
        #expect(site.arming(of: 7) == "armed")
        try site.report(7, high: true)
        try site.report(7, high: false)
        #expect(site.topics().isEmpty && site.arming(of: 7) == "entry")
        try site.wait(seconds: 29)
        try site.give(.disarm, .site, 12, "d2")
        try site.wait(seconds: 60)
        #expect(site.topics().isEmpty && site.arming(of: 7) == "disarmed")
        try site.give(.arm, .sensor, 7, "a2")
        try site.wait(seconds: 60)
        try site.report(7, high: true)
        try site.bench.restart()
        try site.wait(seconds: 30)
        #expect(site.topics() == ["alerts/site/12/major/7"])
    }

    @Test func `a wrong code is refused and counted, and after five none is taken for ten minutes`() throws {
        let site = try SiteBench()
        try site.set(
            .site, "12",
            SiteDocument(
                compiling: Array(
                    #"{"name":"Quay","zone":"Africa/Douala","devices":[5],"code":{"salt":"s","digest":"right"}}"#.utf8),
                id: 12))
        try site.give(.disarm, .sensor, 9, "t0")
        for wrong in 1...4 { try site.give(.disarm, .sensor, 9, "t\(wrong)", code: "wrong") }
        #expect((0...4).allSatisfy { site.outcome("t\($0)") == "failed wrong_code" })
        try site.give(.disarm, .sensor, 9, "t5", code: "right")
        #expect(site.outcome("t5") == "failed code_locked" && site.arming(of: 9) == "armed")
        try site.wait(seconds: 600)
        try site.give(.disarm, .sensor, 9, "t6", code: "right")
        #expect(site.outcome("t6") == "done" && site.arming(of: 9) == "disarmed")
        #expect(site.told.allSatisfy { ($0.document?["command"] as? [String: Any])?["code"] == nil }, "no code is told")
    }

    @Test func `a sensor that is removed ends its alarm, and is not there any more`() throws {
        let site = try SiteBench()
        try site.report(8, high: true)
        try site.remove(.sensor, "8")
        #expect(site.topics().last == "alerts/site/12/cleared/8")
        #expect(site.told.last { $0.kind == .sensorState }?.document == nil)
        try site.report(8, high: true)
        #expect(site.topics().isEmpty)
    }

    @Test func `a sensor that says again that it is HIGH waits for no second delay, and is silent once it is LOW`()
        throws
    {
        let site = try SiteBench()
        try site.report(7, high: true)
        try site.wait(seconds: 10)
        try site.report(7, high: true)
        try site.wait(seconds: 20)
        #expect(site.topics() == ["alerts/site/12/major/7"])
        try site.report(7, high: true, value: 2_000)
        #expect(site.topics().isEmpty && site.arming(of: 7) == "armed")
        #expect((site.alarm["sensor"] as? [String: Any])?["value"] as? Double == 2)
        try site.report(7, high: false)
        #expect(site.topics() == ["alerts/site/12/major/7", "alerts/site/12/cleared/7"])
        try site.wait(seconds: 60)
        #expect(site.topics().isEmpty)
        #expect(try site.bench.number("SELECT count(*) FROM alarms") == 1)
        // The next HIGH has its delay, and so has a sensor that is HIGH when it is armed.
        try site.report(7, high: true)
        #expect(site.topics().isEmpty && site.arming(of: 7) == "entry")
        try site.give(.disarm, .sensor, 7, "d1")
        try site.give(.arm, .sensor, 7, "a1")
        try site.wait(seconds: 60)
        #expect(site.topics().isEmpty && site.arming(of: 7) == "entry")
        try site.wait(seconds: 30)
        #expect(site.topics() == ["alerts/site/12/major/7"])
    }

    @Test func `a document that cannot be decoded is named and is not there, and the router goes on`() throws {
        let site = try SiteBench()
        try site.report(8, high: true)
        _ = site.topics()
        try site.set(.sensor, "8", ["site": "no number"])
        #expect(site.topics().last == "alerts/site/12/cleared/8")
        for (kind, key) in [(.site, "12"), (.door, "3"), (.doorKey, "k1")] as [(RecordKind, String)] {
            try site.set(kind, key, ["name": 5])
        }
        #expect(site.bench.unusable == ["sensor 8", "site 12", "door 3", "door_key k1"])
        try site.bench.restart()
        try site.report(9, high: true)
        try site.give(.open, .door, 3, "o1")
        #expect(site.topics().isEmpty && site.outcome("o1") == "failed not_found")
        #expect(try site.bench.number("SELECT count(*) FROM site_documents") == 2)
        try site.set(
            .site, "12",
            SiteDocument(compiling: Array(#"{"name":"Quay","zone":"Africa/Douala","devices":[5]}"#.utf8), id: 12))
        try site.report(9, high: true)
        #expect(site.topics() == ["alerts/site/12/major/9"])
    }

    @Test func `a document that was stored and cannot be decoded is named at the start, and stops nothing`() throws {
        let site = try SiteBench()
        try site.bench.database.write { try $0.execute(sql: "UPDATE site_documents SET document = x'7b7d'") }
        try site.bench.restart()
        #expect(
            site.bench.unusable.sorted() == ["door 3", "door_key k1", "sensor 7", "sensor 8", "sensor 9", "site 12"])
        try site.report(8, high: true)
        try site.give(.arm, .site, 12, "a1")
        try site.remove(.sensor, "8")
        #expect(site.topics().isEmpty && site.outcome("a1") == "failed not_found")
    }

    @Test func `a command that cannot be read is set aside and named, and the next one is carried out`() throws {
        let site = try SiteBench()
        try site.set(.siteCommand, "t1", ["act": "teleport"])
        try site.give(.disarm, .sensor, 9, "t2")
        #expect(site.bench.unreadable == ["t1"] && site.outcome("t1") == nil && site.outcome("t2") == "done")
    }
}
