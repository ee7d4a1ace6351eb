import Foundation
import Models
import QoE
import Testing

@testable import AlertRouter

/// Parents of storms in the router: one alarm more, which names its children as they name it.
@Suite struct StormAlarmTests {
    /// Middles of the cells of level 10 in one of level 9.
    private static func places() -> [(latitude: Int64, longitude: Int64)] {
        var places: [Quadkey: (Int64, Int64)] = [:]
        for latitude in stride(from: 33_000_000 as Int64, through: 50_000_000, by: 100_000) {
            for longitude in stride(from: 90_000_000 as Int64, through: 100_000_000, by: 100_000) {
                guard let cell = Quadkey(latitude: latitude, longitude: longitude),
                    cell.parent(at: 9) == Urgent.cell.parent(at: 9)
                else { continue }
                places[cell.parent(at: 10)] = (latitude, longitude)
            }
        }
        return places.sorted { $0.key.text < $1.key.text }.map(\.value)
    }

    private static func rows(_ place: Int, at time: UnixMilliseconds) -> [Urgent] {
        let (latitude, longitude) = places()[place]
        return (0..<3).map { device in
            Urgent(
                device: Int64(place * 10 + device + 1), receivedAt: time, event: .noService, latitude: latitude,
                longitude: longitude)
        }
    }

    private static func document(_ message: AlertMessage) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(message.clear())) as? [String: Any])
    }

    @Test(arguments: [false, true])
    func `three alarmed neighbours are told with one parent, which is over with the last of them`(
        isRestarted: Bool
    ) throws {
        let bench = try WindowsBench(), start = WindowsBench.start
        try bench.step([WindowsBench.block(1, [Urgent(device: 99, receivedAt: start)])], now: start)
        try bench.complete(to: start)
        for place in 0..<4 {
            let at = start + UnixMilliseconds(place + 1) * 60_000
            try bench.step([WindowsBench.block(UInt64(place + 2), Self.rows(place, at: at))], now: at)
            if isRestarted { try bench.restart() }
        }
        for minute in 6..<400 {
            let at = start + UnixMilliseconds(minute) * 60_000
            try bench.step([WindowsBench.block(UInt64(minute), [Urgent(device: 99, receivedAt: at)])], now: at)
            try bench.complete(to: at)
            if isRestarted, minute % 8 == 0 { try bench.restart() }
        }
        let told = try bench.router.messages.map(Self.document)
        let parents = told.filter { $0["rule"] as? String == "storm.built-in.no_service" }
        #expect(parents.compactMap { $0["state"] as? String }.filter { $0 == "raised" }.count == 1)
        // The first message names the three that raised it.
        let first = try #require(parents.first { $0["state"] as? String == "raised" })
        #expect((first["correlatedAlarm"] as? [[String: String]])?.count == 3)
        let ends = parents.filter { $0["state"] as? String == "cleared" }
        #expect(Set(ends.compactMap { $0["alarmClearedTime"] as? String }).count == 1)
        let last = try #require(parents.last), id = try #require(last["id"] as? String)
        #expect(last["children"] as? Int == 4)
        #expect(last["cell"] as? String == Urgent.cell.parent(at: 9).text)
        #expect((last["specificProblem"] as? String)?.hasSuffix(", in several cells") ?? false)
        let children = told.filter {
            $0["rule"] as? String == "built-in.no_service" && $0["state"] as? String == "cleared"
        }
        let names = Set(children.compactMap { $0["id"] as? String })
        #expect(names.count == 4)
        #expect(Set((last["correlatedAlarm"] as? [[String: String]] ?? []).compactMap { $0["id"] }) == names)
        #expect(children.allSatisfy { ($0["parentAlarm"] as? [[String: String]])?.map { $0["id"] } == [id] })
        // The fourth alarm knew its parent when it was raised.
        let raised = told.filter {
            $0["rule"] as? String == "built-in.no_service" && $0["state"] as? String == "raised"
        }
        #expect(raised.count == 4)
        #expect((raised.last?["parentAlarm"] as? [[String: String]])?.map { $0["id"] } == [id])
    }
}
