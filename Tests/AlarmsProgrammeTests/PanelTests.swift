import Alarms
import Foundation
import PipelineTesting
import ServiceKit
import SocketTesting
import Testing

@testable import IngestPanels

/// SIA DC-09 as others would speak it: the client here shares nothing with the receiver, and encrypts by openssl.
@Suite struct PanelTests {
    @Test func `an event is acknowledged once it is on disk, and sent again it makes no second row`() async throws {
        let house = try await PanelHouse()
        let message = #""ADM-CID"0007R1L0#1234[#1234|1130 01 005]"#
        #expect(try await house.panel.ask(message) == #""ACK"0007R1L0#1234[]"#)
        #expect(try await eventually { try await house.state(of: 7) == "HIGH" })
        #expect(try await house.panel.ask(message) == #""ACK"0007R1L0#1234[]"#)
        #expect(try await house.panel.ask(#""SIA-DCS"0008R1L0#1234[#1234|Nri1/BR05]"#) == #""ACK"0008R1L0#1234[]"#)
        #expect(try await eventually { try await house.state(of: 7) == "LOW" })
        let rows = try await house.rows()
        #expect(rows.count == 2 && rows.map { $0["code"]?.string } == ["1130", "BR"], "\(rows)")
        try await house.services.house.stop()
    }

    @Test func `an account with a key is heard encrypted alone, in time, and answered encrypted`() async throws {
        let house = try await PanelHouse()
        let content = "|#ABCD|1130 01 006]" + Panel.time()
        let sealed = try Panel.encrypt(content, key: PanelHouse.key)
        let answer = try #require(try await house.panel.ask(#""*ADM-CID"0001R0L0#ABCD["# + sealed))
        #expect(answer.hasPrefix(#""*ACK"0001R0L0#ABCD["#))
        let opened = try Panel.decrypt(String(answer.dropFirst(20)), key: PanelHouse.key)
        #expect(opened.contains("|]_") && opened.hasSuffix(Panel.time().suffix(5)))
        #expect(try await eventually { try await house.state(of: 8) == "HIGH" })
        let old = try Panel.encrypt("|#ABCD|3130 01 006]" + Panel.time(ago: 60), key: PanelHouse.key)
        #expect(
            try await house.panel.ask(#""*ADM-CID"0002R0L0#ABCD["# + old)?.hasPrefix(#""NAK"0000R0L0A0[]_"#) == true)
        let other = try Panel.encrypt("|#ABCD|3130 01 006]" + Panel.time(), key: String(repeating: "7", count: 32))
        #expect(try await house.panel.ask(#""*ADM-CID"0003R0L0#ABCD["# + other) == #""DUH"0003R0L0#ABCD[]"#)
        #expect(
            try await house.panel.ask(#""ADM-CID"0004R0L0#ABCD[#ABCD|3130 01 006]"#) == #""DUH"0004R0L0#ABCD[]"#,
            "in clear text anybody could")
        #expect(
            try await house.panel.ask(#""ADM-CID"0005L0[#ABCD|3130 01 006]"#) == #""DUH"0005L0[]"#,
            "also if its account stands in the content alone")
        #expect(try await house.panel.ask(#""ADM-CID"0006L0[#1234|1130 01 005]"#) == #""ACK"0006L0[]"#)
        #expect(try await house.state(of: 8) == "HIGH")
        try await house.services.house.stop()
    }

    @Test func `tests are acknowledged, what is not kept is refused, and what did not come over whole is not answered`()
        async throws
    {
        let house = try await PanelHouse()
        for (sent, answer) in [
            (#""NULL"0000L0#1234[]"#, #""ACK"0000L0#1234[]"#),
            (#""SIA-DCS"0001L0#1234[#1234|NRP0000]"#, #""ACK"0001L0#1234[]"#),
            (#""SIA-DCS"0002L0#1234[#1234|NCL01]"#, #""DUH"0002L0#1234[]"#),
            (#""ADM-CID"0003L0#1234[#1234|1130 01 099]"#, #""DUH"0003L0#1234[]"#),
            (#""ADM-CID"0004L0#9999[#9999|1130 01 005]"#, #""DUH"0004L0#9999[]"#),
            (#""ADM-CID"0005L0#1234[#9999|1130 01 005]"#, #""DUH"0005L0#1234[]"#),
            (#""ADM-CID"0006"#, #""DUH"0000R0L0A0[]"#),
        ] { #expect(try await house.panel.ask(sent) == answer, "\(sent)") }
        let old = "_00:00:00,01-01-2020"
        #expect(
            try await house.panel.ask(#""ADM-CID"0007L0#1234[#1234|1130 01 005]"# + old)?.hasPrefix(#""NAK""#) == true)
        #expect(try await house.panel.exchange(Panel.frame(#""NULL"0000L0#1234[]"#, crc: 0)) == nil)
        #expect(try await house.panel.exchange(Panel.frame(#""NULL"0000L0#1234[]"#, length: 9)) == nil)
        #expect(try await house.rows().isEmpty)
        try await house.services.house.stop()
    }

    @Test func `over UDP the same is answered to where it came from, and what comes again makes no second row`()
        async throws
    {
        let house = try await PanelHouse()
        let port = try #require(house.services.house.port(of: "panels_udp", .ingest))
        let message = Panel.frame(#""ADM-CID"0007R1L0#1234[#1234|1130 01 005]"#)
        // Two panels, or one behind another port.
        for panel in [try DatagramPanel(port: port), try DatagramPanel(port: port)] {
            for _ in 0..<2 { #expect(try panel.exchange(message) == Panel.frame(#""ACK"0007R1L0#1234[]"#)) }
        }
        #expect(try await eventually { try await house.state(of: 7) == "HIGH" })
        let panel = try DatagramPanel(port: port)
        #expect(try panel.exchange(Panel.frame(#""ADM-CID"0008#9999[#9999|1130 01 005]"#))?.contains(68) == true)
        for damaged in [[], [0x0A], [0x0A, 0x0D], Array(message.dropLast()), Panel.frame(#""NULL"0000[]"#, crc: 0)] {
            #expect(try panel.exchange(damaged, milliseconds: 100) == nil)
        }
        #expect(try panel.exchange([UInt8](repeating: 0x0A, count: 60_000), milliseconds: 100) == nil)
        #expect(try panel.exchange(Panel.frame(#""NULL"0000L0#1234[]"#)) == Panel.frame(#""ACK"0000L0#1234[]"#))
        #expect(try await house.rows().count == 1)
        try await house.services.house.stop()
    }

    @Test func `hostile bytes end their connection at most, and others are served`() async throws {
        let house = try await PanelHouse()
        var random = SystemRandomNumberGenerator()
        for length in [1, 100, 5_000, 20_000] {
            let bytes = (0..<length).map { _ in UInt8.random(in: .min ... .max, using: &random) }
            _ = try? await Panel(port: house.port).exchange([0x0A] + bytes, within: 1)
        }
        let flood = Array(repeating: Panel.frame(#""NULL"0000L0#1234[]"#), count: 200).flatMap(\.self)
        _ = try? await Panel(port: house.port).exchange(flood, within: 1)
        #expect(try await house.panel.ask(#""NULL"0000L0#1234[]"#) == #""ACK"0000L0#1234[]"#)
        try await house.services.house.stop()
    }
}

/// The parsers of DC-09, without a network.
@Suite struct PanelParserTests {
    @Test func `the CRC is that of the standard's example`() {
        // CRC-16/ARC, https://reveng.sourceforge.io/crc-catalogue/16.htm: check value of "123456789".
        #expect(DC09Frame.crc(Array("123456789".utf8)[...]) == 0xBB3D)
    }

    @Test func `times are read and written to the second, leap years included`() {
        for text in ["_13:45:07,11-28-2026", "_00:00:00,02-29-2028", "_23:59:59,12-31-1999", "_00:00:00,01-01-1970"] {
            #expect(DC09Time.milliseconds(text).map(DC09Time.text) == text)
        }
        #expect(DC09Time.milliseconds("_00:00:01,01-01-1970") == 1_000)
        for wrong in [
            "_24:00:00,01-01-2026", "_00:60:00,01-01-2026", "_00:00:00,13-01-2026", "00:00:00,01-01-2026_", "_",
        ] {
            #expect(DC09Time.milliseconds(wrong) == nil, "\(wrong)")
        }
    }

    @Test func `events of panels become states of zones`() {
        func event(_ zone: Int, _ isHigh: Bool, _ code: String, tamper: Bool = false) -> PanelEvent {
            PanelEvent(zone: zone, isHigh: isHigh, isTamper: tamper, code: code)
        }
        for (token, data, expected) in [
            ("ADM-CID", "1130 01 015", PanelData.events([event(15, true, "1130")])),
            ("ADM-CID", "3130 01 015", .events([event(15, false, "3130")])),
            ("ADM-CID", "6110 00 001", .events([event(1, true, "6110")])),
            ("ADM-CID", "1144 01 002", .events([event(2, true, "1144", tamper: true)])),
            ("ADM-CID", "3144 01 002", .events([event(2, false, "3144")])),
            ("ADM-CID", "1602 00 000", .test), ("ADM-CID", "1401 01 001", .other), ("ADM-CID", "2130 01 015", .other),
            ("ADM-CID", "1130 1 015", .other), ("ADM-CID", "", .other), ("ADM-CID", "1130 01 0x5", .other),
            ("SIA-DCS", "Nri1/BA01", .events([event(1, true, "BA")])),
            ("SIA-DCS", "NBA1", .events([event(1, true, "BA")])),
            ("SIA-DCS", "Nri1/FA03^KITCHEN^", .events([event(3, true, "FA")])),
            ("SIA-DCS", "Nri3^GROUND FLOOR^ti12:00:00BA5^DOOR/2^|Asomebody", .events([event(5, true, "BA")])),
            ("SIA-DCS", "NBA5*\"text\"NM", .events([event(5, true, "BA")])), ("SIA-DCS", "NBA5^open", .other),
            ("SIA-DCS", "Atext", .other), ("SIA-DCS", "N", .other), ("SIA-DCS", "NB", .other),
            ("SIA-DCS", "NBA-5", .other),
            ("SIA-DCS", "NFH03", .events([event(3, false, "FH")])),
            ("SIA-DCS", "NTA4/BR5", .events([event(4, true, "TA", tamper: true), event(5, false, "BR")])),
            ("SIA-DCS", "NRP0000", .test), ("SIA-DCS", "NOP1", .other), ("SIA-DCS", "NBA", .other),
            ("SIA-DCS", "XBA1", .other), ("SIA-DCS", "NBA99999", .other), ("NULL", "", .test), ("NULL", "x", .other),
            ("XML", "NBA1", .other),
        ] { #expect(PanelData(token: token, data) == expected, "\(token) \(data)") }
    }

    @Test func `every message of the fuzzer's corpus is read, or refused`() throws {
        let directory = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Fuzz/corpus/panel").path
        let inputs = try FileManager.default.contentsOfDirectory(atPath: directory).sorted().map {
            Array(FileManager.default.contents(atPath: directory + "/" + $0) ?? Data())
        }
        let whole = inputs.compactMap { try? DC09Frame.message(in: $0) }
        #expect(inputs.count >= 16 && whole.count == 7 && whole.compactMap(DC09Message.init).count == 7)
    }

    @Test func `no bytes end the parsers, whatever they are`() {
        var random = SeededBytes(seed: 9)
        let whole = Array(#""*SIA-DCS"0001R1L0#1234[#1234|Nri1/BA01]_13:45:07,11-28-2026"#.utf8)
        for _ in 0..<20_000 {
            var bytes = whole
            for _ in 0..<(1 + Int(random.next() % 4)) {
                let place = Int(random.next()) % bytes.count
                switch random.next() % 3 {
                case 0: bytes[place] = random.next()
                case 1: bytes.remove(at: place)
                default: bytes.insert(random.next(), at: place)
                }
            }
            if let message = DC09Message(bytes), let content = DC09Content(message.content[...]) {
                _ = PanelData(token: message.token, content.data)
            }
            _ = try? DC09Frame.message(in: bytes)
        }
    }
}

/// Bytes that are the same each time.
private struct SeededBytes {
    var seed: UInt64

    mutating func next() -> UInt8 {
        seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return UInt8(truncatingIfNeeded: seed >> 33)
    }
}

/// Services with a site whose panel is an enrolled device: account 1234, zone 5, is sensor 7; account ABCD, which encrypts, zone 6, is sensor 8.
struct PanelHouse {
    static let key = "00112233445566778899aabbccddeeff"

    let services: AlarmsHouse
    let port: Int
    let panel: Panel

    init() async throws {
        let keys = NSTemporaryDirectory() + "/dc09-\(UUID().uuidString).json"
        try Data("{\"ABCD\":\"\(Self.key)\"}".utf8).write(to: URL(fileURLWithPath: keys))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: keys)
        defer { try? FileManager.default.removeItem(atPath: keys) }
        let services = try await AlarmsHouse(
            settings: [
                "NKUL_INGEST_DC09": "127.0.0.1:0", "NKUL_INGEST_DC09_UDP": "127.0.0.1:0", "NKUL_INGEST_DC09_KEYS": keys,
            ])
        self.services = services
        #expect(try await eventually { services.house.port(of: "panels", .ingest) != nil })
        port = try #require(services.house.port(of: "panels", .ingest))
        let device = try await services.enrol()
        try await services.call(
            "PUT", "/v1/sites/12", as: services.harbour,
            #"{"name":"Quay","zone":"Africa/Douala","panel":\#(device.number)}"#)
        for (sensor, account, zone) in [(7, "1234", 5), (8, "abcd", 6)] {
            try await services.call(
                "PUT", "/v1/sensors/\(sensor)", as: services.harbour,
                #"{"site":12,"name":"S","panel":{"account":"\#(account)","zone":\#(zone)}}"#)
        }
        panel = try await Panel(port: port)
        // The documents come to ingest in their own time.
        let ready = panel
        #expect(try await eventually { try await ready.ask(#""NULL"0000L0#1234[]"#)?.hasPrefix(#""ACK""#) == true })
    }

    func state(of sensor: Int) async throws -> String? {
        try await services.call("GET", "/v1/sensors/\(sensor)", as: services.harbour).json["now"]?["state"]?.string
    }

    /// Raw rows of sensors that the tenant sees, oldest first.
    func rows() async throws -> [JSONValue] {
        let (operators, token) = (services.operators, services.harbour)
        let text = try await apart {
            try HTTPExchange.send(
                "GET", "/v1/reports.ndjson?kind=sensor_event", port: operators,
                headers: ["Authorization": "Bearer \(token)"]
            ).text
        }
        return try text.split(separator: "\n").map { try JSONValue(bytes: Array($0.utf8)) }
    }
}
