import Models
import QoE
import Testing

@testable import Laboratory

struct SimulationTests {
    private let day = Result {
        SimulatedDays.rows(try SimulatedDays.simulation(devices: 60, towns: ["Douala", "Edea", "Kribi"]))
    }

    @Test func `the same seed gives the same rows, another seed others`() throws {
        let first = SimulatedDays.rows(try SimulatedDays.simulation(hours: 6))
        #expect(!first.isEmpty)
        #expect(first == SimulatedDays.rows(try SimulatedDays.simulation(hours: 6)))
        #expect(first != SimulatedDays.rows(try SimulatedDays.simulation(hours: 6, seed: 8)))
    }

    @Test func `a phone lives the same life whoever lives beside it`() throws {
        let few = SimulatedDays.rows(try SimulatedDays.simulation(devices: 5, hours: 12))
        let many = SimulatedDays.rows(try SimulatedDays.simulation(devices: 50, hours: 12))
        let names = Set(few.map(\.device))
        #expect(few == many.filter { names.contains($0.device) })
    }

    @Test func `rows are in the order in which the phones send them, and within the day`() throws {
        let rows = try day.get()
        #expect(zip(rows, rows.dropFirst()).allSatisfy { $0.due <= $1.due })
        let end = SimulatedDays.start + 86_400_000
        #expect(rows.allSatisfy { $0.capturedAt >= SimulatedDays.start && $0.due < end })
    }

    @Test func `a phone without coverage sends when it has it again, unless it has Wi-Fi or another SIM`() throws {
        let fault =
            #"{"faults":[{"kind":"outage","plmn":"62402","area":{"town":"Yaounde","radius_km":60},"from":2,"to":4}]}"#
        let simulation = try SimulatedDays.simulation(devices: 150, from: 17, hours: 6, faults: fault)
        let rows = SimulatedDays.rows(simulation)
        let begin = SimulatedDays.start + 19 * 3_600_000, end = begin + 2 * 3_600_000
        let dark = rows.filter { row in
            row.values[ColumnID.event] == NetworkEvent.noService.rawValue && row.values[ColumnID.mnc] == 2
                && (begin + 60_000..<end - 60_000).contains(row.capturedAt)
        }
        let slots = Dictionary(grouping: rows, by: \.device).mapValues { rows in
            Set(rows.map { $0.values[ColumnID.simSlot] }).count
        }
        let (waiting, atOnce) = (dark.filter { $0.sentAt != nil }, dark.filter { $0.sentAt == nil })
        #expect(waiting.count > 10 && atOnce.count > 5)
        // Clocks of phones may be an hour off; most are right.
        #expect(waiting.filter { $0.due >= end - 5_000 }.count > waiting.count * 8 / 10)
        #expect(atOnce.contains { slots[$0.device] == 2 } && atOnce.contains { slots[$0.device] == 1 })
        #expect(waiting.allSatisfy { $0.due > $0.capturedAt })
    }

    @Test func `what a phone measures while its data is off is sent when that is over`() throws {
        var simulation = try SimulatedDays.simulation(devices: 80, hours: 24)
        var rows: [RecordingRow] = []
        while let row = simulation.next() { rows.append(row) }
        let wrong = Set(simulation.truth.wrong_clocks.map(\.device))
        var late = 0, atOnce = 0
        for span in simulation.truth.offline where !wrong.contains(span.device) {
            let inside = (span.from_ms + 10_000)..<(span.to_ms - 10_000)
            for row in rows where row.device == span.device && inside.contains(row.capturedAt) {
                guard row.sentAt != nil else {
                    atOnce += 1
                    continue
                }
                late += row.due >= span.to_ms - 10_000 ? 1 : 0
            }
        }
        #expect(late > 20 && late > atOnce)
    }

    @Test func `every value is within what ingest takes`() throws {
        for row in try day.get() {
            let type = row.values[ColumnID.networkType].flatMap(NetworkType.init) ?? .unknown
            for field in RecordingColumns.fields() {
                guard let value = row.values[field.column], field.column != ColumnID.capturedAt else { continue }
                let range = RadioRange.range(of: field.column, on: type) ?? field.range
                #expect(range.contains(value), "\(field.name) \(value) on \(type.name)")
            }
            #expect((row.texts[ColumnID.comment] ?? "").count <= 50)
            #expect((row.values[ColumnID.rating] != nil) == (row.kind == .feedback))
        }
    }

    @Test func `seq rises on each phone, with gaps only where rows were left out`() throws {
        var last: [String: Int64] = [:]
        for row in try day.get() {
            let seq = row.values[ColumnID.seq] ?? 0
            #expect(last[row.device].map { seq == $0 + 1 } ?? (seq > 0))
            last[row.device] = seq
        }
        #expect(last.count == 60 && last.values.contains { $0 > 100 })
    }

    @Test func `phones are awake by day, move, and have two SIMs`() throws {
        let rows = try day.get()
        func count(from hour: Double, to end: Double) -> Int {
            rows.count { (hour..<end).contains(LocalDay.hour(of: $0.capturedAt)) }
        }
        #expect(count(from: 12, to: 15) > 2 * count(from: 1, to: 4))
        #expect(rows.contains { $0.values[ColumnID.speed] ?? 0 > 200 })
        let slots = Dictionary(grouping: rows, by: \.device).mapValues {
            Set($0.map { $0.values[ColumnID.simSlot] }).count
        }
        #expect((15...50).contains(slots.values.count { $0 == 2 }))
    }

    @Test func `all four operators and the older technologies are there`() throws {
        let rows = SimulatedDays.rows(
            try SimulatedDays.simulation(devices: 150, hours: 6, towns: ["Yaounde", "Bertoua"]))
        let plmns = Set(rows.map { PLMN(mcc: $0.values[ColumnID.mcc], mnc: $0.values[ColumnID.mnc]) })
        #expect(plmns.isSuperset(of: SimulatedOperator.cameroon.map(\.plmn)))
        let technologies = Set(
            rows.compactMap { $0.values[ColumnID.networkType].flatMap(NetworkType.init)?.technology })
        #expect(technologies.isSuperset(of: [.g3, .g4, .g5]))
    }

    @Test func `a road between towns is travelled by somebody`() throws {
        let world = try SimulatedDays.simulation(devices: 200, hours: 24, towns: ["Douala", "Edea"])
        let map = world.world.map
        let between = SimulatedDays.rows(world).filter { row in
            map.towns.allSatisfy { SimulatedDays.place(row).distance(to: $0.centre) > $0.radius * 1.5 }
        }
        #expect(Set(between.map(\.device)).count > 3)
        #expect(between.allSatisfy { map.distanceToRoad(SimulatedDays.place($0)) < 20_000 })
    }
}
