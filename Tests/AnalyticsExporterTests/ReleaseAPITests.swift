import Crypto
import ExporterSupport
import Foundation
import HTTPTypes
import Hummingbird
import Lanes
import Models
import QoE
import Releases
import SubjectRights
import TemporaryFiles
import Testing
import Wire

@testable import AnalyticsExporter

@Suite struct ReleaseAPITests {
    private static let from: UnixMilliseconds = 1_784_934_000_000

    private func day(_ number: Int, _ network: String = "62401", atoms: Int = 3) throws -> IssuedRelease {
        try IssuedRelease(
            "final-qoe-\(network)-202607\(24 + number)T230000Z", .final, network: network,
            at: Self.from + Int64(number) * 86_400_000, atoms: atoms)
    }

    @Test func `a release is the text that the aggregator signed for, whoever asks`() async throws {
        var house = try ReleaseHouse()
        let release = try day(0, atoms: 1_300)
        try house.issue(release)
        let orange = try await house.exporter.tenant("orange", ["62402"])
        for token in [house.exporter.token, orange] {
            let headers = TestExporter.bearer(token)
            #expect(try await house.ids(as: token) == [release.document.head.id])
            let answer = await house.exporter.request("/v1/releases/\(release.document.head.id)", headers: headers)
            #expect(answer.headers[.eTag] == "\"\(release.document.sha256)\"")
            #expect(answer.headers[.cacheControl]?.contains("immutable") == true)
            let bytes = try await answer.bytes()
            #expect(String(decoding: bytes, as: UTF8.self) == release.text)
            var known = headers
            known[.ifNoneMatch] = "\"\(release.document.sha256)\""
            #expect(
                await house.exporter.request("/v1/releases/\(release.document.head.id)", headers: known).status
                    == .notModified)
        }
    }

    @Test func `a release is there when all of its atoms are, in whatever order they come`() async throws {
        var house = try ReleaseHouse()
        let release = try day(0, atoms: 5), path = "/v1/releases/\(release.document.head.id)"
        try house.exporter.take([try release.head(&house.lane), try release.block(&house.lane, 3..<5)])
        #expect(try await house.ids().isEmpty)
        #expect(await house.exporter.request(path).status == .notFound)
        try house.exporter.take([try release.block(&house.lane, 0..<3)])
        #expect(try await house.exporter.text(path) == release.text)
    }

    @Test func `a release never changes`() async throws {
        var house = try ReleaseHouse()
        let release = try day(0),
            other = try IssuedRelease(release.document.head.id, .final, at: Self.from + 5, atoms: 4)
        try house.issue(release)
        try house.issue(release)
        try house.issue(other)
        #expect(try await house.exporter.text("/v1/releases/\(release.document.head.id)") == release.text)
    }

    @Test func `lists are by class, network and time, in pages`() async throws {
        var house = try ReleaseHouse()
        let all = try [day(2), day(0), day(1, "62402"), day(1)]
        for release in all { try house.issue(release) }
        let hour = try IssuedRelease(
            "provisional-qoe-62401-20260725T100000Z", .provisional, at: Self.from + 39_600_000, atoms: 1)
        try house.issue(hour)
        let ids = try await house.ids()
        #expect(ids.count == 5 && ids.first == all[1].document.head.id && ids.last == all[0].document.head.id)
        #expect(try await house.ids("?class=provisional") == [hour.document.head.id])
        #expect(try await house.ids("?plmn=62402") == [all[2].document.head.id])
        #expect(try await house.ids("?from=\(Self.from + 1)&to=\(Self.from + 86_400_001)") == Array(ids[1...3]))
        var paged: [String] = [], next: String? = ""
        while let cursor = next {
            let page = try await house.list("?limit=2" + (cursor.isEmpty ? "" : "&cursor=\(cursor)"))
            paged += (page["releases"] as! [[String: Any]]).map { $0["id"] as! String }
            next = page["next"] as? String
        }
        #expect(paged == ids)
        let wrong = await house.exporter.request("/v1/releases?cursor=final-qoe-62401-20200101T000000Z")
        #expect(wrong.status == .badRequest)
        #expect(await house.exporter.request("/v1/releases?class=live").status == .badRequest)
    }

    @Test func `a list says why it is empty`() async throws {
        var house = try ReleaseHouse()
        #expect(try await house.list()["none"] as? String == "nothing_yet")
        try house.round(.provisional, releases: 0, .restored)
        #expect(try await house.list()["none"] as? String == "restored")
        try house.round(.final, releases: 1, nil)
        try house.issue(try day(0))
        let list = try await house.list()
        #expect(list["none"] == nil && (list["rounds"] as! [Any]).count == 2)
        #expect(try await house.list("?plmn=62403")["none"] as? String == "too_few_devices")
        #expect(try await house.list("?class=provisional")["none"] as? String == "restored")
        #expect(try await house.list("?from=\(Self.from + 1)")["none"] as? String == "nothing_yet", "a later time")
    }

    @Test func `the signed list is the list, by the key of exports`() async throws {
        var house = try ReleaseHouse()
        try house.issue(try day(0))
        let text = try await house.exporter.text("/v1/releases.jws").trimmingCharacters(in: .whitespacesAndNewlines)
        var payload = String(text.split(separator: ".")[1]).replacing("-", with: "+").replacing("_", with: "/")
        while payload.utf8.count % 4 != 0 { payload += "=" }
        let decoded = try #require(Data(base64Encoded: payload))
        let list = try JSONSerialization.jsonObject(with: decoded) as? [String: Any]
        #expect((list?["releases"] as? [[String: Any]])?.first?["sha256"] as? String == (try day(0)).document.sha256)
        #expect(try house.exporter.worker.keys().contains { $0.use == .exports })
    }
}
