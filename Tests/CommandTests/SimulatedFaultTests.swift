import Foundation
import Models
import QoE
import Testing

@testable import Laboratory

struct SimulatedFaultTests {
    private let orange = PLMN(rawValue: 624_002)

    private func isOrange(_ row: RecordingRow) -> Bool {
        row.values[ColumnID.mcc] == 624 && row.values[ColumnID.mnc] == 2
    }

    private func hour(_ row: RecordingRow) -> Double { LocalDay.hour(of: row.capturedAt) }

    @Test func `an outage silences its operator in its area and time, and nobody else`() throws {
        let simulation = try SimulatedDays.simulation(
            devices: 120, from: 8, hours: 6,
            faults:
                #"{"faults":[{"kind":"outage","plmn":"62402","area":{"town":"Yaounde","radius_km":30},"from":2,"to":4}]}"#
        )
        let wrong = Set(simulation.truth.wrong_clocks.map(\.device)).union(
            simulation.truth.mock_locations.map(\.device))
        let rows = SimulatedDays.rows(simulation).filter { $0.kind == .report && !wrong.contains($0.device) }
        let during = rows.filter {
            (10.01..<11.99).contains(hour($0)) && isOrange($0) && $0.values[ColumnID.roaming] == nil
        }
        #expect(during.count > 50)
        #expect(during.allSatisfy { $0.values[ColumnID.networkType] == NetworkType.none.rawValue })
        #expect(during.allSatisfy { $0.values[ColumnID.download] == nil && $0.values[ColumnID.rsrp] == nil })
        let told = during.filter { $0.values[ColumnID.event] == NetworkEvent.noService.rawValue }
        #expect(Set(told.map(\.device)).count > 20)
        let served = { (row: RecordingRow) in row.values[ColumnID.networkType] != NetworkType.none.rawValue }
        #expect(rows.filter { (8..<9.99).contains(hour($0)) && isOrange($0) }.count(where: served) > 50)
        #expect(rows.filter { (10.01..<11.99).contains(hour($0)) && !isOrange($0) }.count(where: served) > 50)
        #expect(rows.filter { hour($0) > 12.01 && isOrange($0) }.count(where: served) > 50)
    }

    @Test func `congestion lowers speeds and raises latency in its cells only`() throws {
        let fault =
            #"{"faults":[{"kind":"congestion","area":{"town":"Yaounde","radius_km":30},"from":0,"to":3,"load":0.97}]}"#
        let towns = ["Yaounde", "Douala"]
        let calm = SimulatedDays.rows(try SimulatedDays.simulation(devices: 120, from: 9, hours: 3, towns: towns))
        let simulation = try SimulatedDays.simulation(devices: 120, from: 9, hours: 3, towns: towns, faults: fault)
        let yaounde = try #require(simulation.world.map.towns.first { $0.town.name == "Yaounde" })
        let crowded = SimulatedDays.rows(simulation)
        func medians(_ rows: [RecordingRow], _ isInside: Bool) -> (speed: Int64, latency: Int64) {
            let area = rows.filter { (SimulatedDays.place($0).distance(to: yaounde.centre) < 25_000) == isInside }
            return (
                SimulatedDays.median(area.compactMap { $0.values[ColumnID.download] }),
                SimulatedDays.median(area.compactMap { $0.values[ColumnID.latency] })
            )
        }
        #expect(medians(crowded, true).speed * 5 < medians(calm, true).speed)
        #expect(medians(crowded, true).latency > medians(calm, true).latency * 3)
        #expect(medians(crowded, false).speed * 10 > medians(calm, false).speed * 8)
    }

    @Test func `a drifting clock shows in its phones' times and in the truth`() throws {
        let fault = #"{"faults":[{"kind":"clock","devices":3,"drift_seconds_per_hour":-600,"from":0,"to":6}]}"#
        let calm = try SimulatedDays.simulation(devices: 20, hours: 6)
        let simulation = try SimulatedDays.simulation(devices: 20, hours: 6, faults: fault)
        let devices = try #require(simulation.truth.faults[0].devices)
        #expect(Set(devices).count == 3)
        let right = SimulatedDays.rows(calm), wrong = SimulatedDays.rows(simulation)
        for device in devices where !calm.truth.wrong_clocks.contains(where: { $0.device == device }) {
            let lasts = (right.last { $0.device == device }, wrong.last { $0.device == device })
            let late = try #require(lasts.0).capturedAt - #require(lasts.1).capturedAt
            #expect((2_400_000...3_700_000).contains(late))
        }
    }

    @Test func `a farm rates one operator alike from one place, and the truth names its phones`() throws {
        let fault = #"""
            {"faults":[{"kind":"farm","plmn":"62404","area":{"latitude":3.9,"longitude":11.5,"radius_km":0.3},
            "devices":5,"rating":1,"from":1,"to":2}]}
            """#
        let simulation = try SimulatedDays.simulation(devices: 10, hours: 3, faults: fault)
        let devices = try #require(simulation.truth.faults[0].devices)
        #expect(devices == (11...15).map { SimulationSettings.name(of: $0 - 1) })
        let rows = SimulatedDays.rows(simulation).filter { devices.contains($0.device) }
        let ratings = rows.compactMap { $0.values[ColumnID.rating] }
        #expect(ratings.count > 50 && Set(ratings) == [1])
        let table = PlanePoint(latitude: 39_000_000, longitude: 115_000_000)
        #expect(rows.allSatisfy { SimulatedDays.place($0).distance(to: table) < 450 })
        #expect(rows.contains { $0.values[ColumnID.mockLocation] == 1 })
    }

    @Test(arguments: [
        (#"{"faults":[{"kind":"flood","from":1,"to":2}]}"#, "fault 1: kind: \"flood\""),
        (#"{"faults":[{"kind":"outage","from":1,"to":2}]}"#, "fault 1: area: an outage needs one"),
        (#"{"faults":[{"kind":"congestion","from":2,"to":2}]}"#, "fault 1: to: not after from"),
        (#"{"faults":[{"kind":"congestion","from":1,"to":2,"laod":0.9}]}"#, "fault 1: laod: not one of"),
        (#"{"faults":[{"kind":"congestion","from":1,"to":2,"load":2}]}"#, "fault 1: load: 2.0 is outside 0.0…1.0"),
        (#"{"faults":[{"kind":"congestion","from":"noon","to":2}]}"#, "fault 1: from: \"noon\" is neither"),
        (#"{"faults":[{"kind":"congestion","to":2}]}"#, "fault 1: from: missing"),
        (
            #"{"faults":[{"kind":"outage","area":{"town":"Paris","radius_km":1},"from":1,"to":2}]}"#,
            "fault 1: area.town: \"Paris\" is none of Yaounde"
        ),
        (#"{"faults":[{"kind":"congestion","plmn":"20801","from":1,"to":2}]}"#, "fault 1: plmn: \"20801\" is none of"),
        (#"[]"#, "expected {\"faults\""),
    ])
    func `a script that is wrong is refused with fault and field`(text: String, message: String) throws {
        let error = #expect(throws: (any Error).self) { try SimulatedDays.simulation(devices: 1, faults: text) }
        #expect("\(try #require(error))".hasPrefix("faults: \(message)"), "\(String(describing: error))")
    }

    @Test func `times of a script may be RFC 3339`() throws {
        let fault = #"{"faults":[{"kind":"congestion","from":"2026-03-02T01:00:00+01:00","to":2}]}"#
        let truth = try SimulatedDays.simulation(devices: 1, faults: fault).truth
        #expect(truth.faults[0].from_ms == SimulatedDays.start + 3_600_000)
        #expect(truth.faults[0].to_ms == SimulatedDays.start + 7_200_000)
    }
}
