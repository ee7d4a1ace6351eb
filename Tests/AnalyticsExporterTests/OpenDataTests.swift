import Foundation
import HTTPTypes
import Hummingbird
import Models
import QoE
import Releases
import Testing
import Wire

@testable import AnalyticsExporter

@Suite struct OpenDataTests {
    private static let id = "final-qoe-62401-20260724T230000Z"

    private static func atom(
        _ metric: Metric, _ cell: String?, devices: Int64 = 20, mean: Int64?, steps: [(Int32, Int64)] = []
    ) -> ReleasedAtom {
        ReleasedAtom(
            metric: metric.rawValue, hour: 0, stratum: 0, cell: cell.flatMap { Quadkey(text: $0) },
            figures: AtomFigures(
                devices: devices, samples: 2 * devices, effectiveDevices: devices, meanHundredths: mean,
                steps: steps.map { .init(bin: $0.0, percent: $0.1) }))
    }

    /// In the order of a release: by metric, then by cell.
    private static func release() throws -> IssuedRelease {
        let atoms = [
            atom(.download, "122223", mean: 824_000, steps: [(300, 20), (310, 50), (330, 80)]),
            atom(.download, "12222301", devices: 50, mean: 90_050), atom(.download, nil, mean: nil),
            atom(.upload, "12222301", mean: 60_000), atom(.latency, "12222302", mean: 4_321),
        ]
        return try IssuedRelease(
            id, .final, at: ReleaseHouse.from,
            of: atoms.sorted {
                ($0.metric, Carry.order(of: $0.cell)) < ($1.metric, Carry.order(of: $1.cell))
            })
    }

    private func house(licence: String? = "CC-BY-4.0") async throws -> ReleaseHouse {
        var house = try ReleaseHouse(settings: licence.map { ["NKUL_RELEASES_LICENCE": $0] } ?? [:])
        try house.issue(Self.release())
        return house
    }

    private func lines(_ house: ReleaseHouse) async throws -> [[String: String]] {
        let answer = await house.exporter.request("/v1/releases/\(Self.id)/open-data.csv.gz")
        let text = try Inflater.inflate(try await answer.bytes(), limit: 1 << 20)
        let rows = String(decoding: text, as: UTF8.self).split(separator: "\r\n").map { line in
            // The only commas within a value are those of a polygon.
            line.replacing(#/"[^"]*"/#) { "\"" + $0.output.filter { $0 != "," && $0 != "\"" } + "\"" }
                .split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        }
        return rows.dropFirst().map { Dictionary(uniqueKeysWithValues: zip(rows[0], $0)) }
    }

    @Test func `open data has the metrics of a cell side by side and nothing where nothing was released`() async throws
    {
        let lines = try await lines(house())
        #expect(lines.map { $0["quadkey"] } == ["122223", "12222301", "12222302", ""])
        #expect(lines.map { $0["avg_d_kbps"] } == ["8240", "901", "", ""])
        #expect(lines.map { $0["avg_u_kbps"] } == ["", "600", "", ""])
        #expect(lines[1]["devices"] == "50")
        #expect(lines[1]["devices_u_kbps"] == "20")
        #expect(lines[0]["release"] == Self.id)
        #expect(lines[0]["licence"] == "CC-BY-4.0")
        #expect(lines[0]["tile_x"].flatMap(Double.init) ?? 0 != 0)
        #expect(lines[3]["tile"] == "")
    }

    @Test func `the ends of a median are told where the histogram has them`() async throws {
        let lines = try await lines(house())
        // Of 20 devices the 6th to the 15th: 25 % and 75 %.
        let bins = Metric.download.bins
        #expect(lines[0]["p50_d_kbps_low"] == "\(Double(bins.values(in: 300).lowerBound))")
        #expect(lines[0]["p50_d_kbps_high"] == "\(Double(bins.values(in: 330).upperBound))")
        #expect(lines[1]["p50_d_kbps_low"] == "")
    }

    /// For `Tests/OpenData/check`, which says where.
    @Test(.enabled(if: ProcessInfo.processInfo.environment["NKUL_OPEN_DATA_FILES"] != nil))
    func `files are written for others' programs`() async throws {
        let folder = URL(filePath: ProcessInfo.processInfo.environment["NKUL_OPEN_DATA_FILES"]!)
        let house = try await house(), path = "/v1/releases/\(Self.id)", around = Quadkey(text: "122223")!
        for (name, call) in [
            ("open-data.csv.gz", "open-data.csv.gz"), ("open-data.parquet", "open-data.parquet"),
            ("tile.mvt", "tiles/6/\(around.column)/\(around.row)?metric=download_kbps"),
        ] {
            let answer = await house.exporter.request("\(path)/\(call)")
            try Data(try await answer.bytes()).write(to: folder.appending(path: name))
        }
    }

    @Test func `without a licence nothing is given`() async throws {
        let house = try await house(licence: nil)
        for format in ["csv.gz", "parquet"] {
            let answer = await house.exporter.request("/v1/releases/\(Self.id)/open-data.\(format)")
            #expect(answer.status == .notFound)
            #expect(try await String(decoding: answer.bytes(), as: UTF8.self).contains("no_licence"))
        }
    }

    @Test func `a table begins and ends as its format says, and is not sent twice`() async throws {
        let house = try await house(), path = "/v1/releases/\(Self.id)/open-data.parquet"
        let answer = await house.exporter.request(path)
        let bytes = try await answer.bytes(), tag = try #require(answer.headers[.eTag])
        #expect(Array(bytes.prefix(4)) == Array("PAR1".utf8))
        #expect(Array(bytes.suffix(4)) == Array("PAR1".utf8))
        var headers = TestExporter.bearer(house.exporter.token)
        headers[.ifNoneMatch] = tag
        #expect(await house.exporter.request(path, headers: headers).status == .notModified)
    }

    @Test func `a tile has what lies inside it and around it, of one metric`() async throws {
        let house = try await house()
        func tile(_ place: String, _ query: String = "?metric=download_kbps") async throws -> String {
            let answer = await house.exporter.request("/v1/releases/\(Self.id)/tiles/\(place)\(query)")
            return String(decoding: try await answer.bytes(), as: Unicode.ASCII.self)
        }
        let cell = try #require(Quadkey(text: "12222301")), parent = cell.parent(at: 7)
        let whole = try await tile("7/\(parent.column)/\(parent.row)")
        #expect(whole.contains("12222301"))
        #expect(whole.split(separator: "quadkey").count == 2)
        #expect(try await tile("8/\(cell.column + 1)/\(cell.row)").contains("12222301") == false)
        #expect(try await tile("8/\(cell.column + 1)/\(cell.row)").contains("122223"))
        #expect(try await tile("8/0/0").isEmpty)
        #expect(try await tile("8/\(cell.column)/\(cell.row)", "?metric=upload_kbps").contains("upload_kbps"))
    }

    @Test func `a tile of a release by hour and technology is of one of each`() async throws {
        var house = try ReleaseHouse()
        let id = "technology-qoe-62401-20260724T230000Z", cell = try #require(Quadkey(text: "12222301"))
        var atom = Self.atom(.latency, cell.text, mean: nil)
        (atom.hour, atom.stratum) = (13, UInt8(Technology.g4.rawValue))
        try house.issue(try IssuedRelease(id, .technology, at: ReleaseHouse.from, of: [atom]))
        let path = "/v1/releases/\(id)/tiles/8/\(cell.column)/\(cell.row)?metric=latency_ms"
        for (query, field) in [("&hour=13", "technology"), ("&technology=4G", "hour"), ("", "hour")] {
            let answer = await house.exporter.request(path + query)
            #expect(answer.status == .badRequest)
            #expect(try await String(decoding: answer.bytes(), as: UTF8.self).contains("\"field\":\"\(field)\""))
        }
        let answer = await house.exporter.request(path + "&hour=13&technology=4G")
        #expect(answer.headers[.eTag]?.hasSuffix("-tile-1\"") == true)
        let tile = String(decoding: try await answer.bytes(), as: Unicode.ASCII.self)
        #expect(tile.contains("12222301") && !tile.contains("mean"))
        let other = await house.exporter.request(path + "&hour=14&technology=4G")
        #expect(try await other.bytes().isEmpty)
    }

    @Test(arguments: [
        ("21/0/0", "z"), ("x/0/0", "z"), ("3/8/0", "x"), ("3/-1/0", "x"), ("3/0/8", "y"),
        ("3/0/0?metric=speed", "metric"),
        ("3/0/0?hour=26", "hour"), ("3/0/0?technology=6G", "technology"), ("3/0/0?depth=1", "depth"),
        ("3/0/0?hour=3", "hour"), ("3/0/0?technology=4G", "technology"),
    ])
    func `a tile that cannot be is refused with what is wrong`(place: String, field: String) async throws {
        let house = try await house()
        let answer = await house.exporter.request("/v1/releases/\(Self.id)/tiles/\(place)")
        #expect(answer.status == .badRequest)
        #expect(try await String(decoding: answer.bytes(), as: UTF8.self).contains("\"field\":\"\(field)\""))
    }
}
