import ExporterSupport
import Foundation
import Models
import ServiceKit
import TemporaryFiles
import Testing

@testable import ExporterAPI

/// Regions and towns by name.
@Suite struct RegionTests {
    private static let builtIn: RegionTable = {
        let path =
            #filePath.components(separatedBy: "/Tests/")[0]
            + "/Services/AnalyticsExporter/Reference/regions.json"
        do { return try RegionTable(path: path) } catch { preconditionFailure("\(error)") }
    }()

    @Test(arguments: [
        ("Littoral", "littoral"), ("extreme-nord", "extreme-nord"), ("Extrême-Nord", "extreme-nord"),
        ("FAR NORTH", "extreme-nord"), ("Adamawa", "adamaoua"), ("yaoundé", "yaounde"), ("Yaounde", "yaounde"),
        ("Mamfé", "mamfe"), ("South-West", "sud-ouest"),
    ])
    func `a name in either language finds it`(name: String, id: String) throws {
        #expect(try Self.builtIn.region(named: name).id == id)
    }

    @Test func `there are ten regions, and each town lies in the one it belongs to`() throws {
        let regions = Self.builtIn.regions.filter { $0.kind == "region" }
        #expect(regions.count == 10)
        let home = [
            "yaounde": "centre", "douala": "littoral", "garoua": "nord", "maroua": "extreme-nord",
            "bamenda": "nord-ouest", "bafoussam": "ouest", "ngaoundere": "adamaoua", "bertoua": "est", "ebolowa": "sud",
            "buea": "sud-ouest", "kribi": "sud", "limbe": "sud-ouest", "kumba": "sud-ouest", "nkongsamba": "littoral",
            "edea": "littoral", "foumban": "ouest", "kousseri": "extreme-nord", "mbalmayo": "centre",
            "sangmelima": "sud", "batouri": "est", "meiganga": "adamaoua", "tibati": "adamaoua", "dschang": "ouest",
            "yokadouma": "est", "mamfe": "sud-ouest",
        ]
        let towns = Self.builtIn.regions.filter { $0.kind == "town" }
        #expect(Set(towns.map(\.id)) == Set(home.keys))
        for town in towns {
            // The cell in the middle of the town.
            let middle = town.cells[town.cells.count / 2].text
            let holding = regions.filter { region in
                region.cells.contains { middle.hasPrefix($0.text) || $0.text.hasPrefix(middle) }
            }
            #expect(holding.map(\.id).contains(home[town.id]!), "\(town.id): \(holding.map(\.id))")
        }
    }

    @Test func `no place is in two regions`() {
        let cells = Self.builtIn.regions.filter { $0.kind == "region" }.flatMap { region in
            region.cells.map { ($0.text, region.id) }
        }.sorted { $0.0 < $1.0 }
        for (cell, next) in zip(cells, cells.dropFirst()) { #expect(!next.0.hasPrefix(cell.0), "\(cell) \(next)") }
    }

    @Test func `cells that lie side by side are one range`() {
        let area = CellArea(["120", "121", "122", "130", "0"].compactMap { Quadkey(text: $0) })
        #expect(area.parts.map(\.level) == [1, 3])
        #expect(area.parts[1].ranges == [0b011000...0b011010, 0b011100...0b011100])
    }

    @Test(arguments: [
        (#"{"version":2,"source":"","regions":[]}"#, "version 2"),
        (
            #"{"version":1,"source":"","regions":[{"id":"A b","kind":"region","english":"A","french":"A","boundary":"x","cells":["120120"]}]}"#,
            "id"
        ),
        (
            #"{"version":1,"source":"","regions":[{"id":"a","kind":"sea","english":"A","french":"A","boundary":"x","cells":["120120"]}]}"#,
            "kind"
        ),
        (
            #"{"version":1,"source":"","regions":[{"id":"a","kind":"town","english":"A","french":"A","boundary":"x","cells":["12"]}]}"#,
            "6 to 14"
        ),
        (
            #"{"version":1,"source":"","regions":[{"id":"a","kind":"town","english":"A","french":"A","boundary":"x","cells":["120120","1201203"]}]}"#,
            "inside"
        ),
        (
            #"{"version":1,"source":"","regions":[{"id":"a","kind":"town","english":"A","french":"A","boundary":"x","cells":[]}]}"#,
            "0 cells"
        ),
        (
            #"{"version":1,"source":"","regions":[{"id":"a","kind":"town","english":"B","french":"A","boundary":"x","cells":["120120"]},{"id":"b","kind":"town","english":"C","french":"C","boundary":"x","cells":["120120"]}]}"#,
            "name b"
        ),
        ("[]", "not a file"),
    ])
    func `a file that makes no sense is refused, and what is wrong is named`(text: String, part: String) {
        let error = #expect(throws: ServiceError.self) { _ = try RegionTable(Data(text.utf8), name: "r.json") }
        #expect(error?.description.contains("r.json") == true && error?.description.contains(part) == true, "\(error!)")
    }

    @Test func `an operator's own file takes the place of the built-in one`() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/regions.json"
        try
            #"{"version":1,"source":"survey","regions":[{"id":"port","kind":"town","english":"Port","french":"Port","boundary":"surveyed","cells":["122222"]}]}"#
            .write(toFile: path, atomically: true, encoding: .utf8)
        let house = try FigureHouse([], settings: ["NKUL_REGIONS": path])
        let list = try await house.answer("/v1/regions")
        #expect(list["regions"]?.array?.map { $0["id"] } == ["port"] && list["source"] == "survey")
        #expect(try await house.answer("/v1/kpis?region=port")["place"]?["boundary"] == "surveyed")
        #expect(try await house.answer("/v1/kpis?region=littoral")["field"] == "region")
    }
}
