import Foundation
import Lanes
import Models
import Testing
import Wire

@testable import AlertRouter

@Suite
struct ContributionTests {
    private let start: UnixMilliseconds = 1_750_000_000_000

    /// The contributions that a step told the alarms lane, and that only their own kind has devices.
    private func told(_ outcome: EffectOutcome) throws -> [ContributionDocument] {
        var decoder = ColumnDecoder(), told: [ContributionDocument] = []
        for block in outcome.appended.flatMap(\.blocks) {
            let columns = try block.columns(with: &decoder)
            guard block.header.kind == RecordKind.contribution.id else {
                #expect(columns[ColumnID.device] == nil && block.header.subjects.isEmpty)
                continue
            }
            for row in 0..<columns.rowCount {
                let document = try #require(columns[ColumnID.document]?.value(row))
                let one = try JSONDecoder().decode(ContributionDocument.self, from: Data(document))
                #expect(columns[ColumnID.key]?.value(row).map { String(decoding: $0, as: UTF8.self) } == one.key)
                #expect(columns[ColumnID.device]?.integer(row) == Int64(one.device))
                told.append(one)
            }
            #expect(block.header.subjects == Set(told.map(\.device)).sorted())
        }
        return told
    }

    private func contribution(_ device: UInt64, _ records: Int64, _ firstAt: UnixMilliseconds) -> ContributionDocument {
        ContributionDocument(
            alarm: "62401-\(Urgent.cell.text)-\(start)", device: device, records: records, firstAt: firstAt)
    }

    @Test
    func `who helped to raise an alarm is told with it, each device with its records`() throws {
        let bench = try RouterBench()
        let rows = [Urgent.drop(), .drop(device: 2, at: start + 5), .drop(at: start + 9)]
        let outcome = try bench.engine.step([Urgent.block(1, rows)], now: start)
        #expect(try told(outcome) == [contribution(1, 2, start), contribution(2, 1, start + 5)])
    }

    @Test
    func `later records are told when the alarm is told again, and only what changed`() throws {
        let bench = try RouterBench()
        let block = try Urgent.block(1, [.drop(), .drop(device: 2)])
        #expect(try told(bench.engine.step([block], now: start)).count == 2)
        let later = start + 100
        #expect(try told(bench.engine.step([Urgent.block(2, [.drop(at: later)])], now: later)).isEmpty)
        #expect(try told(bench.engine.step([Urgent.block(3, [.drop(device: 3, at: later)])], now: later)).isEmpty)
        #expect(
            try told(bench.engine.step([], now: start + 1_000)) == [
                contribution(1, 2, start), contribution(3, 1, later),
            ])
        #expect(try told(bench.engine.step([], now: start + 3_000)).isEmpty)
        // Worse is told at once.
        let worse = try Urgent.block(4, [.emergency(device: 2, at: later)])
        #expect(try told(bench.engine.step([worse], now: start + 3_001)) == [contribution(2, 2, start)])
        #expect(try told(bench.engine.step([worse], now: start + 9_000)).isEmpty)
    }

    @Test
    func `of an alarm that very many report, the first devices are told`() throws {
        let bench = try RouterBench()
        let most = Int(AlertRouterStore.mostContributors)
        let crowd = (1...most + 2).map { Urgent.drop(device: Int64($0)) }
        #expect(try told(bench.engine.step([Urgent.block(1, crowd)], now: start)).count == most)
        #expect(try bench.number("SELECT devices FROM alarms") == Int64(most) + 2)
        let rest = [Urgent.drop(device: Int64(most) + 1), .drop(device: 7_777_777), .drop(device: 3)]
        #expect(
            try told(bench.engine.step([Urgent.block(2, rest)], now: start + 2_000)) == [contribution(3, 2, start)])
        #expect(try bench.number("SELECT devices FROM alarms") == Int64(most) + 3)
        #expect(try bench.number("SELECT records FROM alarms") == Int64(most) + 5)
    }
}
