import Foundation
import Models
import Testing
import Wire

@testable import Administration
@testable import CommandSupport

@Suite
struct TailLineTests {
    private func text(_ message: TailMessage, _ style: TailLine.Style, prefixes: [String] = ["alerts/"]) -> String? {
        TailLine(style: style, prefixes: prefixes).text(message).map { String(decoding: $0, as: UTF8.self) }
    }

    @Test
    func `a line says when, how bad, whose, where, what and which number`() throws {
        #expect(
            try text(TailFrames.alarm(7, previous: "minor"), .plain)
                == "2026-01-01T00:00:00.000Z  major          62401    1222              calls are dropped (was minor),"
                + " 2 devices, 3 records  #7\n")
    }

    @Test
    func `a line says who has the alarm, to whom it is offered, and whether it is kept quiet`() throws {
        let taken = try TailFrames.alarm(7, care: #","owner":"ann","offeredTo":"bob""#)
        #expect(try #require(text(taken, .plain)).hasSuffix("3 records  [taken by ann, offered to bob]  #7\n"))
        let quiet = try TailFrames.alarm(7, care: #","shelvedBy":"cleo","plannedBy":"masts""#)
        #expect(try #require(text(quiet, .plain)).hasSuffix("3 records  [shelved by cleo, planned: masts]  #7\n"))
    }

    @Test
    func `where a network has a name and a place is near a town, the line says both`() throws {
        let lines = TailLine(style: .plain, prefixes: ["alerts/"], operators: ["62401": "MTN", "62404": "Nexttel"])
        let douala = try #require(lines.text(TailFrames.alarm(7, topic: "alerts/62401/major/122223333")))
        #expect(String(decoding: douala, as: UTF8.self).contains("  62401 MTN      122223333        "))
        let other = try #require(lines.text(TailFrames.alarm(7, topic: "alerts/62130/major/122223333")))
        #expect(String(decoding: other, as: UTF8.self).contains("  62130          122223333        "))
    }

    @Test(
        arguments: [
            (4.0483, 9.7043, "Douala"), (4.06, 9.72, "Douala"), (4.3, 9.9, "35 km NE of Douala"),
            (12.6, 15.03, "58 km N of Kousséri"), (48.85, 2.35, "48.85° N, 2.35° E"),
            (-33.91, -70.04, "33.91° S, 70.04° W"), (13.42, 15.03, "149 km N of Kousséri"),
            (13.44, 15.03, "13.44° N, 15.03° E"),
        ] as [(Double, Double, String?)])
    func `a place is named by the nearest town, and far from all by its coordinates`(
        latitude: Double, longitude: Double, name: String?
    ) throws {
        let cell = try #require(Quadkey(latitude: Int64(latitude * 1e7), longitude: Int64(longitude * 1e7), level: 16))
        #expect(PlaceName.text(quadkey: cell.text) == name)
        #expect(PlaceName.text(quadkey: "12222301") == nil, "no place")
        #expect(PlaceName.text(quadkey: "") == nil && PlaceName.text(quadkey: "site") == nil)
    }

    @Test
    func `a coloured line is the plain one between colour and reset`() throws {
        let message = try TailFrames.alarm(7)
        let plain = try #require(text(message, .plain))
        #expect(text(message, .coloured) == "\u{1B}[1;31m\(plain.dropLast())\u{1B}[0m\n")
    }

    @Test
    func `a line of JSON has topic, event and alarm`() throws {
        let line = try #require(text(TailFrames.alarm(7), .json))
        #expect(line.last == "\n" && !line.dropLast().contains("\n"))
        let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        #expect(object["topic"] as? String == "alerts/62401/major/1222")
        #expect((object["event"] as? [String: Any])?["seq"] as? Int == 7)
        #expect((object["alarm"] as? [String: Any])?["devices"] as? Int == 2)
    }

    @Test
    func `of a change of severity a person reads one line, under the old topic only if the new one is not followed`()
        throws
    {
        let old = try TailFrames.alarm(7, topic: "alerts/62401/minor/1222", previous: "minor")
        #expect(text(old, .plain) == nil)
        #expect(text(old, .plain, prefixes: ["alerts/62401/minor/"]) != nil)
        #expect(text(old, .json) != nil)
    }

    @Test
    func `an alarm that belongs to no network is told by its owner and subject, once for a change of severity`() throws
    {
        let new = try TailFrames.alarm(7, topic: "alerts/site/12/major/7", previous: "minor")
        let line = try #require(text(new, .plain))
        #expect(line.contains("  site/12  7                 calls are dropped (was minor)"))
        let old = try TailFrames.alarm(7, topic: "alerts/site/12/minor/7", previous: "minor")
        #expect(text(old, .plain) == nil && text(old, .plain, prefixes: ["alerts/site/12/minor/"]) != nil)
    }

    @Test
    func `what comes over the wire cannot steer the terminal`() throws {
        let message = try TailFrames.message(
            "alerts/6\u{1B}[2J/major/1", "{\"seq\":1,\"time\":\"\\u001b]0;x\\u0007\",\"severity\":\"major\"}",
            "{\"specificProblem\":\"a\\u001b[2Jb\\nc\"}")
        let line = try #require(text(message, .plain))
        #expect(line.utf8.filter { $0 < 0x20 } == [0x0A])
    }

    @Test
    func `frames that are no message are none`() throws {
        #expect(TailMessage([]) == nil)
        #expect(TailMessage([[1], [2], [3]]) == nil)
        let bomb = try Deflater.deflate([UInt8](repeating: 0x20, count: 8 << 20), format: .zlib)
        #expect(TailMessage([Array("alerts/x".utf8), Array("{\"seq\":1,\"time\":\"\"}".utf8), bomb]) == nil)
    }
}
