import AggregatorCells
import Lanes
import Models
import QoE
import Testing
import Wire

@testable import BatchAggregator

/// Cells of a programme that is not QoE: two kinds, a scheme of its own, strata, places down to level 20.
@Suite struct ProgrammeCellsTests {
    private static let depth: UInt8 = 128, pond: UInt8 = 129, water: UInt8 = 130, algae: UInt8 = 128

    private static let ponds: Programme = {
        func kind(_ id: UInt8, _ name: String, _ field: Field) -> ProgrammeKind {
            let fields = [
                field, Field(pond, "pond", .digits, range: Scope.numbers),
                Field(water, "water", .choice(Choices(["STILL", "RUNNING", "ICE"])), range: 0...2),
            ]
            return ProgrammeKind(
                RecordKind(
                    id: id, name: name, version: 1, fields: Field.identity + Field.position + fields,
                    serverFields: Field.reception),
                path: "/v1/\(name)",
                description: .init(schema: name, operation: name, summary: "", example: "{}", csv: ""),
                scope: .number(scheme: "pond", column: pond),
                held: .init(english: "", french: "", whyEnglish: "", whyFrench: ""))
        }
        return Programme(
            number: 5, name: "ponds",
            kinds: [
                kind(70, "level", Field(depth, "depth_cm", .number(scale: 1), range: 0...10_000)),
                kind(71, "algae", Field(algae, "algae_pct", .number(scale: 1), range: 0...100)),
            ],
            metrics: [
                ProgrammeMetric(64, "depth_cm", column: depth, bins: .linear(divisor: 10), kind: 70),
                ProgrammeMetric(70, "algae_pct", column: algae, bins: .linear(divisor: 1), kind: 71),
            ],
            strata: Strata(["unknown", "open", "frozen"], column: water, codes: [1, 1, 2]), finestLevel: 20)
    }()

    private static let noon: Int64 = 1_785_000_000_000

    private func row(_ device: Int64, _ values: [UInt8: Int64], accuracy: Int64 = 50) -> AcceptedRow {
        AcceptedRow(
            values: [
                ColumnID.device: device, ColumnID.receivedAt: Self.noon + 5_000, ColumnID.capturedAt: Self.noon,
                ColumnID.latitude: 38_667_000, ColumnID.longitude: 115_167_000, ColumnID.accuracy: accuracy,
            ].merging(values) { $1 })
    }

    @Test func `rows of both kinds count in cells of their scope and stratum, beside those of QoE`() throws {
        let world = try AggregatorWorld(programmes: try Programmes([.qoe, Self.ponds]))
        let levels = [
            row(1, [Self.depth: 123, Self.pond: 7, Self.water: 0]),
            row(2, [Self.depth: 128, Self.pond: 7, Self.water: 1]),
            row(2, [Self.depth: 90, Self.pond: 7, Self.water: 2], accuracy: 900),
            row(3, [Self.depth: 90, Self.pond: 8, ColumnID.flags: RowFlags.notForOperators.rawValue]),
        ]
        let algae = [row(3, [Self.algae: 40, Self.pond: 7, Self.water: 1])]
        let kinds = Self.ponds.kinds.map(\.kind)
        try world.step([
            world.block(levels, kind: kinds[0]), world.block(algae, lane: .realtime, kind: kinds[1]),
            world.block([.plain()], lane: .realtime),
        ])
        try world.settle()
        let lines = try world.dump().split(separator: "\n").map(String.init)
        let deep = try #require(Quadkey(latitude: 38_667_000, longitude: 115_167_000, level: 20)).text
        let start = Self.noon / 300_000 * 300
        let counted = "300 \(start) ponds"
        #expect(
            lines.contains("\(counted) \(deep) 7 open shared samples=3 devices=3 algae_pct=40:1 depth_cm=12:2"),
            "\(lines)")
        // A position that is unsure by 90 m enters by a cell at least as wide: level 18 is 153 m wide.
        #expect(lines.contains("\(counted) \(deep.prefix(18)) 7 frozen shared samples=1 devices=1 depth_cm=9:1"))
        #expect(!lines.contains { $0.contains(" \(deep.prefix(19)) 7 frozen ") })
        #expect(lines.contains("\(counted) \(deep) 8 unknown unshared samples=1 devices=1 depth_cm=9:1"))
        let cells = lines.filter { $0.contains(" ponds ") }
        // Three buckets of levels 6 to 20, and to 18.
        #expect(cells.count == 3 * (15 + 13 + 15))
        let others = lines.filter { !$0.contains(" ponds ") }.map { $0 + "\n" }.joined()
        #expect(others == NaiveStatistics.dump([.plain()]))
        #expect(try world.published() == world.dump())
        let before = try world.dump()
        try AggregatorRebuild.run(world.engine, world.open, world.effects, now: { world.now })
        #expect(try world.dump() == before)
    }

    @Test func `rows of a programme that is gone are named`() throws {
        let world = try AggregatorWorld(programmes: try Programmes([.qoe, Self.ponds]))
        try world.step([world.block([row(1, [Self.depth: 1, Self.pond: 7])], kind: Self.ponds.kinds[0].kind)])
        world.programmes = .qoe
        world.kill()
        try world.start()
        let error = #expect(throws: AggregatorError.self) { try world.settle() }
        #expect(error == .unknownKind(70))
    }
}
