import Models
import Testing

@testable import Laboratory

struct RelocationTests {
    private let towns = [
        Town(name: "Big", latitude: 40_000_000, longitude: 97_000_000, population: 9_000_000),
        Town(name: "Small", latitude: 60_000_000, longitude: 100_000_000, population: 1_000_000),
        Town(name: "Nobody", latitude: 0, longitude: 0, population: 0),
    ]

    private func trace(_ device: String, at time: Int64, offset: Int64 = 0) -> [ImportedRow] {
        (0..<Int64(3)).map { number in
            var row = RecordingRow(device: device)
            row.capturedAt = time + number * 1_000
            row.values[ColumnID.latitude] = 519_000_000 + offset + number * 10
            row.values[ColumnID.longitude] = -83_000_000 + number * 20
            return ImportedRow(row: row, line: Int(number) + 2)
        }
    }

    @Test func `the same seed gives the same rows, whatever the order of files`() {
        let relocation = Relocation(towns: towns, seed: 5)
        let files = (0..<6).map { trace("trace \($0)", at: 86_400_000 * Int64($0) + 1_000 * Int64($0)) }
        #expect(ImportAssembly.rows(files, relocation) == ImportAssembly.rows(files.reversed(), relocation))
        #expect(ImportAssembly.rows(files, relocation) != ImportAssembly.rows(files, Relocation(towns: towns, seed: 6)))
    }

    @Test func `a trace moves as a whole and begins in its town`() throws {
        let relocation = Relocation(towns: towns, seed: 5)
        let rows = ImportAssembly.rows([trace("t", at: 5_000)], relocation)
        let town = relocation.destination(of: "t").town
        #expect(rows.map { $0.values[ColumnID.latitude] } == [town.latitude, town.latitude + 10, town.latitude + 20])
        #expect(
            rows.map { $0.values[ColumnID.longitude] } == [town.longitude, town.longitude + 20, town.longitude + 40])
    }

    @Test func `all dates become the earliest, times of day stay`() {
        let files = [trace("a", at: 86_400_000 * 70 + 7_000), trace("b", at: 86_400_000 * 3 + 80_000_000)]
        let times = ImportAssembly.rows(files, Relocation(towns: towns, seed: 5)).map(\.capturedAt)
        #expect(times == [7, 8, 9, 80_000, 80_001, 80_002].map { 86_400_000 * 3 + $0 * 1_000 })
    }

    @Test func `operators are Cameroon's, and none is given where it was lost`() {
        var rows = trace("t", at: 0)
        rows[1].hasOperator = false
        let moved = ImportAssembly.rows([rows], Relocation(towns: towns, seed: 5))
        #expect(moved[0].values[ColumnID.mcc] == 624 && (1...4).contains(moved[0].values[ColumnID.mnc] ?? 0))
        #expect(moved[1].values[ColumnID.mcc] == nil && moved[1].values[ColumnID.mnc] == nil)
        #expect(moved[2].values[ColumnID.mnc] == moved[0].values[ColumnID.mnc])
    }

    @Test func `a row without a position gets the centre of a town, to a kilometre`() {
        var row = RecordingRow(device: "answer")
        row.capturedAt = 5
        let moved = ImportAssembly.rows([[ImportedRow(row: row, line: 2)]], Relocation(towns: towns, seed: 5))[0]
        #expect(towns.contains { $0.latitude == moved.values[ColumnID.latitude] && $0.population > 0 })
        #expect(moved.values[ColumnID.accuracy] == 10_000)
    }

    @Test func `towns are as likely as they are populous`() {
        let relocation = Relocation(towns: towns, seed: 1)
        let names = (0..<4_000).map { relocation.destination(of: "trace \($0)").town.name }
        #expect((3_500...3_700).contains(names.count { $0 == "Big" }))
        #expect(!names.contains("Nobody"))
        #expect(Set((0..<200).map { relocation.destination(of: "trace \($0)").plmn }).count == 4)
    }

    @Test func `without relocation nothing moves, seq counts per device in time`() {
        let rows = ImportAssembly.rows([trace("b", at: 5_000), trace("a", at: 5_500)], nil)
        #expect(rows.map(\.device) == ["b", "a", "b", "a", "b", "a"])
        #expect(rows.map { $0.values[ColumnID.seq] } == [1, 1, 2, 2, 3, 3])
        #expect(rows[0].values[ColumnID.latitude] == 519_000_000)
    }

    @Test func `a row that has an id or a seq keeps it`() {
        var rows = trace("t", at: 0)
        rows[0].row.values[ColumnID.seq] = 7
        rows[1].row.texts[ColumnID.id] = "x"
        #expect(ImportAssembly.rows([rows], nil).map { $0.values[ColumnID.seq] } == [7, nil, 8])
    }

    @Test func `a file of towns that is none is refused with its line`() throws {
        let folder = ScratchFolder()
        let path = folder.write("towns.csv", "name,latitude,longitude,population\nDouala,4.05,9.7,x\n")
        #expect(throws: RecordingError(path, line: 2, "not a town with latitude, longitude and population")) {
            try Town.read(path)
        }
    }
}
