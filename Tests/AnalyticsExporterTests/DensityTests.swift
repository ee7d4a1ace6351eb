import Foundation
import HTTPTypes
import Hummingbird
import Models
import QoE
import Releases
import ServiceKit
import Testing

@testable import AnalyticsExporter
@testable import ExporterAPI

/// `POST /population-density-data/vwip/retrieve`.
@Suite struct DensityTests {
    private static let path = DensityService.path
    private static let settings = ["NKUL_DENSITY_PEOPLE_PER_DEVICE": "1000", "NKUL_DENSITY_TENANTS": "mtn, camtel"]
    /// In Douala, its cell of level 12, a cell of level 14 inside that, and a cell of level 9 around others.
    private static let place = (latitude: 4.05, longitude: 9.77)
    private static func cell(_ level: Int, latitude: Double = place.latitude) -> Quadkey {
        Quadkey(latitude: Int64(latitude * 1e7), longitude: Int64(place.longitude * 1e7), level: level)!
    }

    private static func atom(_ cell: Quadkey?, devices: Int64, _ metric: Metric = .latency) -> ReleasedAtom {
        ReleasedAtom(
            metric: metric.rawValue, hour: 0, stratum: 0, cell: cell,
            figures: AtomFigures(
                devices: devices, samples: devices, effectiveDevices: devices, meanHundredths: nil,
                steps: [.init(bin: 300, percent: 50)]))
    }

    /// Two networks in the first hour; of the second nothing was made.
    private func house() throws -> ReleaseHouse {
        var house = try ReleaseHouse(settings: Self.settings)
        try house.issue(
            IssuedRelease(
                "provisional-qoe-62401-a", .provisional, at: ReleaseHouse.from,
                of: [
                    Self.atom(Self.cell(12), devices: 20), Self.atom(Self.cell(14), devices: 10),
                    Self.atom(Self.cell(9, latitude: 5.47), devices: 50), Self.atom(nil, devices: 10),
                    // Of another metric, of which there are fewer.
                    Self.atom(Self.cell(14), devices: 500, .rating),
                ]))
        try house.issue(
            IssuedRelease(
                "provisional-qoe-62402-a", .provisional, network: "62402", at: ReleaseHouse.from,
                of: [Self.atom(Self.cell(14), devices: 100)]))
        try house.issue(
            IssuedRelease(
                "final-qoe-62401-a", .final, at: ReleaseHouse.from, of: [Self.atom(Self.cell(14), devices: 9_000)]))
        try house.round(.provisional, releases: 2, nil)
        house.exporter.clock.advance(by: ReleaseHouse.from + 7_200_000 - house.exporter.clock.now)
        return house
    }

    private static func time(_ hours: Double) -> String {
        SystemTime.text(ReleaseHouse.from + Int64(hours * 3_600_000))
    }

    private static func list(_ geohashes: [String], from: Double = 0, to: Double = 0.5) -> String {
        """
        {"area":{"areaType":"GEOHASHLIST","geohashes":[\(geohashes.map { "\"\($0)\"" }.joined(separator: ","))]},
        "startTime":"\(time(from))","endTime":"\(time(to))"}
        """
    }

    private static func polygon(_ points: [(Double, Double)], precision: String = "") -> String {
        let boundary = points.map { "{\"latitude\":\($0.0),\"longitude\":\($0.1)}" }.joined(separator: ",")
        return """
            {"area":{"areaType":"POLYGON","boundary":[\(boundary)]},"startTime":"\(time(0))","endTime":"\(time(0))"\(precision)}
            """
    }

    private func ask(
        _ house: ReleaseHouse, _ body: String, as token: String? = nil, _ headers: HTTPFields = [:]
    ) async throws -> (status: Int, answer: JSONValue, headers: HTTPFields) {
        let response = await house.exporter.request(
            .post, Self.path, headers: TestExporter.bearer(token ?? house.exporter.token) + headers, body: body)
        return (Int(response.status.code), try JSONValue(bytes: try await response.bytes()), response.headers)
    }

    private func cells(_ answer: JSONValue, hour: Int = 0) -> [JSONValue] {
        answer["timedPopulationDensityData"]?.array?[hour]["cellPopulationDensityData"]?.array ?? []
    }

    /// km².
    private static func area(_ cell: Quadkey) -> Double {
        let middle = (cell.bounds.south + cell.bounds.north) / 2
        return pow(40_075.016686 * cos(middle * .pi / 180) / Double(1 << cell.level), 2)
    }

    @Test func `density is that of the finest released cell around a place, of all networks together`() async throws {
        let house = try house()
        // The middle of the finer cell, and a place in the coarser one beside it.
        let fine = Self.cell(14).bounds, coarse = Self.cell(12).bounds
        let inside = Geohash(
            latitude: (fine.south + fine.north) / 2, longitude: (fine.west + fine.east) / 2, length: 7)
        let isLow = (fine.south + fine.north) / 2 > (coarse.south + coarse.north) / 2
        let beside = Geohash(
            latitude: isLow ? coarse.south + 0.005 : coarse.north - 0.005, longitude: coarse.west + 0.005, length: 7)
        let (status, answer, _) = try await ask(house, Self.list([inside.text, beside.text]))
        #expect(status == 200 && answer["status"]?.string == "SUPPORTED_AREA")
        let found = cells(answer)
        #expect(found.count == 2 && found.allSatisfy { $0["dataType"]?.string == "DENSITY_ESTIMATION" })
        let small = Self.area(Self.cell(14)), rest = Self.area(Self.cell(12)) - small
        for (cell, low, high, area) in [(found[0], 110.0, 218.0, small), (found[1], 20, 49, rest)] {
            // A quarter of the devices is in a release by the hour, and a device is a thousand people here.
            for (name, devices) in [("minPplDensity", low), ("maxPplDensity", high), ("pplDensity", (low + high) / 2)] {
                let expected = devices * 4 * 1_000 / area
                #expect(abs(cell[name]!.double! - expected) <= 0.001 * expected + 1, "\(name)")
            }
        }
    }

    @Test func `too few, too coarse, not made and not covered are told apart`() async throws {
        let house = try house()
        let village = Geohash(latitude: 5.47, longitude: 9.77, length: 6).text,
            sea = Geohash(latitude: 51.5, longitude: 0, length: 6).text
        let (_, answer, _) = try await ask(house, Self.list([village, sea], to: 1.5))
        #expect(answer["status"]?.string == "PART_OF_AREA_NOT_SUPPORTED")
        #expect(cells(answer).map { $0["dataType"]?.string } == ["LOW_DENSITY", "NO_DATA"])
        #expect(cells(answer).allSatisfy { $0["pplDensity"] == nil })
        // Nothing was made of the second hour yet.
        #expect(cells(answer, hour: 1).map { $0["dataType"]?.string } == ["NO_DATA", "NO_DATA"])
        let (_, outside, _) = try await ask(house, Self.list([sea]))
        #expect(outside["status"]?.string == "AREA_NOT_SUPPORTED")
        #expect(outside["timedPopulationDensityData"]?.array?.isEmpty == true)
    }

    @Test func `hours cover the period`() async throws {
        let house = try house(), cell = Geohash(latitude: 4.05, longitude: 9.77, length: 6).text
        for (from, to, hours) in [(0.4, 0.4, 1), (0.0, 1.0, 1), (0.4, 1.1, 2), (-0.1, 0.1, 2)] {
            let (_, answer, _) = try await ask(house, Self.list([cell], from: from, to: to))
            let times = answer["timedPopulationDensityData"]?.array ?? []
            #expect(times.count == hours, "\(from) \(to)")
            #expect(times[0]["startTime"]?.string == Self.time(from.rounded(.down)))
        }
    }

    @Test func `a polygon is covered by the cells that it touches`() async throws {
        let house = try house(), west = 9.70, east = 9.75, south = 4.00, north = 4.04
        let (status, answer, _) = try await ask(
            house,
            Self.polygon([(south, west), (south, east), (north, east), (north, west)], precision: ",\"precision\":6"))
        #expect(status == 200)
        var expected: Set<String> = []
        let (width, height) = Geohash.size(length: 6)
        for latitude in stride(from: south, through: north + height / 2, by: height / 3) {
            for longitude in stride(from: west, through: east + width / 2, by: width / 3) {
                expected.insert(
                    Geohash(latitude: min(latitude, north), longitude: min(longitude, east), length: 6).text)
            }
        }
        #expect(Set(cells(answer).compactMap { $0["geohash"]?.string }) == expected)
    }

    @Test func `only regulators and tenants with the right are answered`() async throws {
        let house = try house(), body = Self.list([Geohash(latitude: 4.05, longitude: 9.77, length: 6).text])
        let mtn = try await house.exporter.tenant("mtn", ["62401"])
        let orange = try await house.exporter.tenant("orange", ["62402"])
        let allowed = try await ask(house, body, as: mtn), own = try await ask(house, body)
        #expect(allowed.status == 200 && allowed.answer == own.answer)
        let refused = try await ask(house, body, as: orange)
        #expect(refused.status == 403 && refused.answer["code"]?.string == "PERMISSION_DENIED")
        #expect(await house.exporter.request(.post, Self.path, headers: [:], body: body).status == .unauthorized)
    }

    @Test func `a correlator comes back`() async throws {
        let house = try house(), name = try #require(HTTPField.Name("x-correlator"))
        for (value, expected) in [("b4333c46-49c0", "b4333c46-49c0"), ("a b", nil)] as [(String, String?)] {
            #expect(try await ask(house, Self.list(["s10h"]), [name: value]).headers[name] == expected)
        }
    }

    private static let square = [(4.0, 9.7), (4.0, 9.8), (4.1, 9.8), (4.1, 9.7)]

    @Test(
        arguments: [
            ("[]", 400, "INVALID_ARGUMENT", nil), (#"{"colour":1}"#, 400, "INVALID_ARGUMENT", "colour"),
            (
                list(["s10hb"]).replacing("\"area\"", with: "\"sink\":\"https://x\",\"area\""), 400, "INVALID_SINK",
                "sink"
            ),
            (list(["s10hb"], from: 1, to: 0), 400, "POPULATION_DENSITY_DATA.INVALID_END_TIME", "endTime"),
            (list(["s10hb"], from: 3, to: 4), 400, "POPULATION_DENSITY_DATA.MAX_STARTTIME_EXCEEDED", "startTime"),
            (list(["s10hb"], from: 1, to: 4), 400, "POPULATION_DENSITY_DATA.INVALID_TIME_PERIOD", "endTime"),
            (
                list(["s10hb"], from: -93 * 24, to: 0), 400, "POPULATION_DENSITY_DATA.MIN_STARTTIME_EXCEEDED",
                "startTime"
            ),
            (list(["s10hb"], from: -169, to: 0), 400, "POPULATION_DENSITY_DATA.MAX_TIME_PERIOD_EXCEEDED", "endTime"),
            (list([]), 400, "INVALID_ARGUMENT", "area.geohashes"),
            (list(["s10a"]), 400, "INVALID_ARGUMENT", "area.geohashes[0]"),
            (list(["s10hb", "s10"]), 422, "POPULATION_DENSITY_DATA.UNSUPPORTED_PRECISION", "area.geohashes[1]"),
            (polygon(Array(square.prefix(2))), 400, "POPULATION_DENSITY_DATA.INVALID_AREA", "area.boundary"),
            (
                polygon([square[0], square[2], square[1], square[3]]), 400, "POPULATION_DENSITY_DATA.INVALID_AREA",
                "area.boundary"
            ),
            (polygon([(4, 9), (95, 9), (5, 10)]), 400, "INVALID_ARGUMENT", "area.boundary[1].latitude"),
            (polygon(square, precision: ",\"precision\":13"), 400, "INVALID_ARGUMENT", "precision"),
            (
                polygon(square, precision: ",\"precision\":8"), 422, "POPULATION_DENSITY_DATA.UNSUPPORTED_PRECISION",
                "precision"
            ),
            (
                polygon([(2, 9), (2, 15), (9, 15), (9, 9)]), 422, "POPULATION_DENSITY_DATA.UNSUPPORTED_REQUEST",
                "area.boundary"
            ),
            (list(["s10hb"]).replacing("GEOHASHLIST", with: "CIRCLE"), 400, "INVALID_ARGUMENT", "area.areaType"),
            (list(["s10hb"]).replacing("Z\"", with: "\""), 400, "INVALID_ARGUMENT", "startTime"),
        ] as [(String, Int, String, String?)])
    func `what cannot be is refused by the words of CAMARA, and names the member`(
        body: String, status: Int, code: String, field: String?
    ) async throws {
        let answer = try await ask(try house(), body)
        #expect(answer.status == status && answer.answer["status"]?.integer == Int64(status))
        #expect(answer.answer["code"]?.string == code && answer.answer["field"]?.string == field)
        #expect(answer.answer["message"]?.string?.isEmpty == false)
    }

    @Test func `cells and hours that are too many together are refused with the limit`() async throws {
        let cells = (0..<100).map { Geohash(latitude: 4 + Double($0) * 0.01, longitude: 9.77, length: 7).text }
        let answer = try await ask(try house(), Self.list(cells, from: -160, to: 0))
        #expect(
            answer.status == 422 && answer.answer["message"]?.string?.contains("\(DensityArea.mostFigures)") == true)
    }

    @Test func `geohashes are those that everybody knows`() throws {
        for (text, latitude, longitude) in [
            ("ezs42", 42.605, -5.603), ("u4pruyd", 57.64911, 10.40744), ("s00000", 0.001, 0.001),
        ] {
            #expect(Geohash(latitude: latitude, longitude: longitude, length: text.count).text == text)
            let (south, west, north, east) = try #require(Geohash(text: text)).bounds
            #expect(south...north ~= latitude && west...east ~= longitude)
            let (width, height) = Geohash.size(length: text.count)
            #expect(abs(north - south - height) < 1e-9 && abs(east - west - width) < 1e-9)
        }
    }
}
