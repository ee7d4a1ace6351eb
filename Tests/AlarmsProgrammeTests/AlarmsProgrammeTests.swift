import Alarms
import Foundation
import PipelineTesting
import ServiceKit
import SocketTesting
import Testing

/// Sites, sensors and doors through all services.
@Suite(.timeLimit(.minutes(4)), .serialized) struct AlarmsProgrammeTests {
    private func sensor(_ state: String, seq: Int, sensor: Int = 7) -> String {
        #"{"seq":\#(seq),"captured_at_ms":\#(AlarmsHouse.now),"site":12,"sensor":\#(sensor),"state":"\#(state)","value":61.5}"#
    }

    private func alarms(_ house: AlarmsHouse, as token: String) async throws -> [JSONValue] {
        try await house.call("GET", "/v1/alarms", as: token).json["alarms"]?.array ?? []
    }

    @Test
    func `a sensor's HIGH is an alarm of its site's tenant with its value, which somebody takes, and LOW ends it`()
        async throws
    {
        let house = try await AlarmsHouse(), device = try await house.enrol()
        let site = #"{"name":"Quay","zone":"Africa/Douala","devices":[\#(device.number)]}"#
        #expect(try await house.call("PUT", "/v1/sites/12", as: house.harbour, site).status == 200)
        let set = try await house.call(
            "PUT", "/v1/sensors/7", as: house.harbour, #"{"site":12,"name":"Gate contact","severity":"critical"}"#)
        #expect(set.status == 200 && set.json["now"]?["arming"]?.string == "armed")
        // More than a device's quota of urgent records: each counts in the order of the lane.
        for seq in 1...15 {
            try await house.send("/v1/sensor-events", sensor(seq % 2 == 1 ? "HIGH" : "LOW", seq: seq), by: device.token)
        }
        #expect(
            try await eventually {
                let now = try await house.call("GET", "/v1/sensors/7", as: house.harbour).json["now"]
                return now?["state"]?.string == "HIGH" && now?["value"] == .number(61.5)
            })
        #expect(try await eventually { try await alarms(house, as: house.harbour).count == 8 })
        let open = try #require(try await alarms(house, as: house.harbour).first { $0["state"]?.string == "raised" })
        #expect(open["perceivedSeverity"]?.string == "critical" && open["sensor"]?["value"] == .number(61.5))
        #expect(try await alarms(house, as: house.hill).isEmpty)
        let id = try open.text("id")
        let taken = try await house.call("POST", "/v1/alarms/\(id)/acknowledge?wait=10", as: house.harbour)
        #expect(taken.status == 200 && taken.json["state"]?.string == "done")
        try await house.send("/v1/sensor-events", sensor("LOW", seq: 16), by: device.token)
        #expect(
            try await eventually {
                try await alarms(house, as: house.harbour).allSatisfy { $0["state"]?.string == "cleared" }
            })
        let rows = try await house.call("GET", "/v1/reports.ndjson?kind=sensor_event", as: house.hill)
        #expect(rows.status == 200 && rows.json == .null, "raw rows are the site's")
        try await house.house.stop()
    }

    @Test func `what belongs to others is not there, and what is wrong is named`() async throws {
        let house = try await AlarmsHouse()
        let good = #"{"name":"Quay","zone":"Africa/Douala","code":"4711"}"#
        let set = try await house.call("PUT", "/v1/sites/12", as: house.harbour, good)
        #expect(set.status == 200 && set.json["code_set"] == .bool(true) && set.json["code"] == nil)
        #expect(try await house.call("PUT", "/v1/sites/12", as: house.hill, good).status == 404)
        #expect(try await house.call("GET", "/v1/sites/12", as: house.hill).status == 404)
        #expect(try await house.call("PUT", "/v1/sites/12", as: house.viewer, good).status == 403)
        #expect(try await house.call("GET", "/v1/sites", as: house.viewer).json["sites"]?.array?.count == 1)
        for (path, body, member) in [
            ("/v1/sites/12", #"{"name":"","zone":"Atlantis/Main","exit_delay_s":601,"devices":[0],"what":1}"#, "name"),
            ("/v1/sites/12", #"{"name":"Quay","zone":"Africa/Douala","code":"12"}"#, "code"),
            ("/v1/sites/12", #"{"id":13,"name":"Quay","zone":"Africa/Douala"}"#, "id"),
            ("/v1/sensors/7", #"{"site":12,"name":"S","severity":"cleared"}"#, "severity"),
            ("/v1/sensors/7", #"{"site":12,"name":"S","always":true,"entry_delay_s":5}"#, "entry_delay_s"),
            ("/v1/sensors/7", #"{"site":13,"name":"S"}"#, "site"),
            ("/v1/sensors/7", #"{"site":12,"name":"S","panel":{"account":"xyz","zone":1}}"#, "panel.account"),
            ("/v1/doors/3", #"{"site":12,"name":"D"}"#, "device"),
            ("/v1/keys/k", #"{"door":3,"contact":"manager","schedule":[]}"#, "schedule"),
        ] {
            let refused = try await house.call("PUT", path, as: house.harbour, body)
            #expect(
                refused.status == 422 && refused.json["code"] == "invalid_document"
                    && refused.json["field"]?.string == member,
                "\(refused)")
        }
        let wrong = try await house.call(
            "PUT", "/v1/sites/12", as: house.harbour, #"{"name":"","zone":"Atlantis/Main","what":1}"#)
        for member in ["name is", "zone is", "what is"] {
            #expect(wrong.json["detail"]?.string?.contains(member) == true, "every member at fault is named")
        }
        // A document that was read may be set again, and the code stays.
        #expect(
            try await house.call("PUT", "/v1/sites/12", as: house.harbour, set.json.text).json == set.json
        )
        try await house.house.stop()
    }

    @Test func `a link opens a session once, and within a minute`() async throws {
        let house = try await AlarmsHouse()
        let link = try await house.call("POST", "/v1/portal-link", as: house.viewer)
        let path = try link.json.text("href"), operators = house.operators
        #expect(link.status == 201 && path.hasPrefix("/portal/"))
        func open(_ path: String) async throws -> HTTPExchange {
            try await apart { try HTTPExchange.send("GET", path, port: operators) }
        }
        let opened = try await open(path)
        let cookie = try #require(opened.headers["set-cookie"]?.split(separator: ";").first.map(String.init))
        #expect(opened.status == 303 && opened.headers["location"] == "/")
        let seen = try await apart {
            try HTTPExchange.send("GET", "/v1/session", port: operators, headers: ["Cookie": cookie])
        }
        #expect(seen.status == 200 && seen.text.contains("vic"))
        #expect(try await open(path).status == 404)
        #expect(try await open("/portal/0123").status == 404)
        #expect(try await apart { try HTTPExchange.send("POST", "/v1/portal-link", port: operators) }.status == 401)
        try await house.house.stop()
    }

    @Test func `a site is disarmed with its code alone, and everything is audited`() async throws {
        let house = try await AlarmsHouse(), device = try await house.enrol()
        try await house.call(
            "PUT", "/v1/sites/12", as: house.harbour,
            #"{"name":"Quay","zone":"Africa/Douala","devices":[\#(device.number)],"code":"4711"}"#)
        try await house.call("PUT", "/v1/sensors/7", as: house.harbour, #"{"site":12,"name":"S"}"#)
        let wrong = try await house.call(
            "POST", "/v1/sites/12/disarm?wait=10", as: house.harbour, #"{"code":"0000"}"#)
        #expect(wrong.status == 200 && wrong.json["code"]?.string == "wrong_code")
        #expect(try await house.call("POST", "/v1/sites/12/disarm", as: house.hill).status == 404)
        #expect(try await house.call("POST", "/v1/sites/12/disarm", as: house.viewer).status == 403)
        let right = try await house.call(
            "POST", "/v1/sites/12/disarm?wait=10", as: house.harbour, #"{"code":"4711"}"#)
        #expect(right.json["state"]?.string == "done")
        try await house.send("/v1/sensor-events", sensor("HIGH", seq: 1), by: device.token)
        #expect(
            try await eventually {
                let now = try await house.call("GET", "/v1/sensors/7", as: house.harbour).json["now"]
                return now?["state"]?.string == "HIGH" && now?["arming"]?.string == "disarmed"
            })
        #expect(try await alarms(house, as: house.harbour).isEmpty)
        #expect(
            try await eventually {
                let log = try await house.admin(.privacyWorker, "audit.list", [:]).text
                return log.contains("wrong_code") && log.contains("site.disarm") && !log.contains("4711")
            })
        try await house.house.stop()
    }

    @Test
    func `a door opens once for who has a key, and a repeated request, an absent device and a foreigner open nothing`()
        async throws
    {
        let house = try await AlarmsHouse(), device = try await house.enrol()
        try await house.call(
            "PUT", "/v1/sites/12", as: house.harbour,
            #"{"name":"Quay","zone":"Africa/Douala","devices":[\#(device.number)]}"#)
        try await house.call(
            "PUT", "/v1/doors/3", as: house.harbour, #"{"site":12,"name":"Gate","device":\#(device.number)}"#)
        let key = try await house.call(
            "PUT", "/v1/keys/k1", as: house.harbour,
            #"{"door":3,"contact":"vic","schedule":[{"from":"00:00","to":"24:00"}]}"#)
        #expect(key.status == 200, "\(key)")
        let controller = try await apart { [port = house.devices] in
            try DoorController(token: device.token, port: port)
        }
        let path = "/v1/doors/3/open?wait=10"
        #expect(try await house.call("POST", path, as: house.viewer).status == 422, "without an Idempotency-Key")
        let opened = try await house.call("POST", path, as: house.viewer, key: "press-1")
        #expect(opened.json["state"]?.string == "done" && opened.json["result"]?.string == "opened", "\(opened)")
        let again = try await house.call("POST", path, as: house.viewer, key: "press-1")
        #expect(again.json == opened.json)
        #expect(controller.opened == [try opened.json.text("id")])
        let keyless = try await house.call("POST", path, as: house.harbour, key: "press-2")
        #expect(keyless.json["code"]?.string == "no_key")
        #expect(try await house.call("POST", path, as: house.hill, key: "press-3").status == 404)
        #expect(
            try await house.call(
                "POST", path, as: house.viewer, key: "press-4", #"{"pressed_at_ms":\#(AlarmsHouse.now - 10_001)}"#
            ).status == 422)
        controller.close()
        let absent = try await house.call("POST", "/v1/doors/3/open", as: house.viewer, key: "press-5")
        let task = try absent.json.text("id")
        #expect(
            try await eventually {
                try await house.call("GET", "/v1/tasks/\(task)", as: house.viewer).json["code"]?.string == "no_answer"
            })
        let late = try await apart { [port = house.devices] in try DoorController(token: device.token, port: port) }
        try await apart { _ = usleep(1_500_000) }
        #expect(late.opened.isEmpty, "what was over is not told to who comes later")
        late.close()
        try await house.house.stop()
    }
}
