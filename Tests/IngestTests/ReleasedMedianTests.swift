import Foundation
import GRDB
import HTTPTypes
import Lanes
import Models
import QoE
import Releases
import Storage
import Testing
import Wire

@testable import IngestAPI

/// Medians of what was released, in the prompt policy that phones get.
@Suite struct ReleasedMedianTests {
    private static let now: UnixMilliseconds = 1_760_000_000_000
    private static let day: UnixMilliseconds = 86_400_000

    /// A release as the aggregator sends it: its atoms, then its head.
    private struct Release {
        var kind = ReleaseClass.final
        var network = "62401"
        /// Whole days before now.
        var age: Int64 = 9
        var profile = ReleaseRules.profile
        /// Digits of a cell (none: the whole network), and the median there.
        var cells: [(cell: String, kbps: Int64)]
        var metric = Metric.download

        var start: UnixMilliseconds {
            (ReleasedMedianTests.now / 3_600_000) * 3_600_000 - age * ReleasedMedianTests.day
        }

        var id: String {
            let time = Date(timeIntervalSince1970: Double(start / 1_000)).formatted(
                Date.ISO8601FormatStyle(dateSeparator: .omitted, timeSeparator: .omitted, timeZone: .gmt))
            return "\(kind.name)-qoe-\(network)-\(time)"
        }

        func blocks(_ bench: CopiesBench) throws -> [LaneBlock] {
            let atoms = cells.enumerated().map { place, cell -> CopiesBench.Record in
                let atom = ReleasedAtom(
                    metric: metric.rawValue, hour: 0, stratum: 0,
                    cell: cell.cell.isEmpty ? nil : Quadkey(text: cell.cell),
                    figures: AtomFigures(
                        devices: 10, samples: 20, effectiveDevices: 10, meanHundredths: nil,
                        steps: [AtomFigures.Step(bin: metric.bins.bin(cell.kbps), percent: 50)]))
                return CopiesBench.Record(key: "\(id)/\(place)", document: atom.bytes)
            }
            let head = ReleaseHead(
                releaseClass: kind.name, id: id, programme: "qoe", network: network, fromMs: start,
                toMs: start + (kind == .provisional ? 3_600_000 : ReleasedMedianTests.day), k: 10, trust: "trusted",
                binTable: BinTable.version, profile: profile, atoms: cells.count,
                madeAtMs: start + 10 * ReleasedMedianTests.day)
            let document = ReleaseDocument(head: head, sha256: "", bytes: 0)
            return [
                try bench.block(.rollups, .releaseAtom, atoms),
                try bench.block(
                    .rollups, .release, [.init(key: id, document: Array(try JSONEncoder().encode(document)))]),
            ]
        }
    }

    private func bench(_ releases: [Release]) async throws -> (APIBench, token: String) {
        let bench = try await APIBench(), token = try await bench.enrol()
        for release in releases { try bench.copies.engine().step(release.blocks(bench.copies), now: Self.now) }
        return (bench, token)
    }

    private func medians(_ bench: APIBench, _ token: String, _ query: String = "") async throws -> [String: Int] {
        let answer = try await bench.call(
            .get, "/v1/me/prompt-policy" + query, headers: [.authorization: "Bearer \(token)"])
        #expect(answer.status == 200)
        let medians = try #require(answer.json["medians"] as? [[String: Any]])
        return Dictionary(
            uniqueKeysWithValues: medians.map {
                ("\($0["plmn"] as! String)/\($0["quadkey"] as! String)", $0["download_kbps"] as! Int)
            })
    }

    /// As bins tell it.
    private func told(_ kbps: Int64) -> Int {
        let bins = Metric.download.bins
        return Int(bins.value(of: bins.bin(kbps)))
    }

    @Test func `a phone gets the medians that were released, coarse ones unless it says where it is`() async throws {
        let (bench, token) = try await bench([
            Release(cells: [
                ("", 900), ("122223", 1_000), ("122223012", 2_000), ("1222230123", 3_000), ("1222230123333333", 4_000),
            ]),
            Release(network: "62402", cells: [("122223", 5_000)]),
        ])
        let coarse = try await medians(bench, token)
        #expect(
            coarse == [
                "62401/": told(900), "62401/122223": told(1_000), "62401/122223012": told(2_000),
                "62402/122223": told(5_000),
            ])
        let near = try await medians(bench, token, "?near=122223012&plmn=62401")
        #expect(near.count == 5 && near["62401/1222230123333333"] == told(4_000))
        // Nothing of elsewhere but what is around it.
        #expect(
            try await Set(medians(bench, token, "?near=122223013,300000").keys) == [
                "62401/", "62401/122223", "62402/122223",
            ])
        let answer = try await bench.call(.get, "/v1/me/prompt-policy", headers: [.authorization: "Bearer \(token)"])
        let madeAt = try #require(answer.json["medians_as_of"] as? String)
        #expect(madeAt.hasPrefix("2025-10-10T"))
    }

    @Test func `a phone with two cards is told the medians of both its networks`() async throws {
        let (bench, token) = try await bench([
            Release(cells: [("", 900)]), Release(network: "62402", cells: [("", 5_000)]),
            Release(network: "62403", cells: [("", 7_000)]),
        ])
        let both = try await medians(bench, token, "?plmn=62402,62401")
        #expect(both == ["62401/": told(900), "62402/": told(5_000)])
        #expect(try await medians(bench, token, "?plmn=62409").isEmpty)
        #expect(try await medians(bench, token).count == 3)
    }

    @Test func `what is not from the table of releases, not download, too old or of other rules is not taken`()
        async throws
    {
        let (bench, token) = try await bench([
            Release(age: 41, cells: [("122223", 1_000)]), Release(profile: 1, cells: [("122223", 1_000)]),
            Release(kind: .technology, cells: [("122223", 1_000)]),
            Release(cells: [("122223", 1_000)], metric: .upload),
        ])
        #expect(try await medians(bench, token).isEmpty)
        let left = try bench.copies.database.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM median_drafts") }
        #expect(left == 0)
    }

    @Test func `the newest of a place counts, and days outweigh hours`() async throws {
        let hours = [
            Release(kind: .provisional, age: 1, cells: [("122223", 1_000), ("122222", 700)]),
            Release(kind: .provisional, age: 2, cells: [("122223", 2_000)]),
        ]
        let (bench, token) = try await bench(hours)
        #expect(try await medians(bench, token) == ["62401/122223": told(1_000), "62401/122222": told(700)])
        for age in [9, 10] as [Int64] {
            let release = Release(age: age, cells: [("122223", 3_000 + age)])
            try bench.copies.engine().step(release.blocks(bench.copies), now: Self.now)
        }
        #expect(try await medians(bench, token) == ["62401/122223": told(3_009)])
    }

    @Test func `finer cells are left out where they would be too many`() async throws {
        let cells = (0..<2_500).map { number -> (String, Int64) in
            (Quadkey(level: 16, code: Quadkey(text: "122223")!.code << 20 + UInt64(number)).text, 1_000)
        }
        let (bench, token) = try await bench([Release(cells: [("122223", 900)] + cells)])
        #expect(try await medians(bench, token, "?near=122223") == ["62401/122223": told(900)])
    }

    @Test(arguments: [
        ("near=12222", "near"), ("near=1222230123", "near"), ("near=122223,", "near"), ("near=422223", "near"),
        ("near=" + Array(repeating: "122223", count: 9).joined(separator: ","), "near"), ("plmn=6240", "plmn"),
        ("plmn=MTN", "plmn"), ("plmn=62401,", "plmn"), ("plmn=62401,62402,62403,62404,62405", "plmn"),
    ])
    func `a place or network that is none is refused by name`(query: String, field: String) async throws {
        let (bench, token) = try await bench([])
        let answer = try await bench.call(
            .get, "/v1/me/prompt-policy?" + query, headers: [.authorization: "Bearer \(token)"])
        #expect(answer.status == 400 && answer.json["field"] as? String == field)
    }
}
