import Foundation
import HTTPTypes
import IngestCommands
import IngestCommit
import IngestSupport
import IngestUploads
import Lanes
import Models
import Testing
import Wire

@testable import IngestAPI

@Suite struct StandingsAPITests {
    /// 2025-10-09 in Douala, when the bench's copies were told; a Thursday.
    private let today: Int64 = 20_370
    private static let enrolment = APIBench.enrolment.replacing(
        #""call_events":true"#, with: #""call_events":true,"standings":true"#)

    private func tell(_ bench: APIBench, _ device: UInt64, _ nickname: String?, rank: Int64 = 1, from: Int64 = 20_367)
        throws
    {
        let document = nickname.map {
            StandingDocument(
                device: device, nickname: $0,
                places: [
                    .init(
                        measure: "feedback", period: "week", from: from, until: from + 6, rank: rank, count: 9,
                        score: 100 - rank)
                ])
        }
        try bench.copies.take(
            bench.copies.block(
                .rewards, .standing,
                [
                    CopiesBench.Record(
                        key: "\(device)", device: device,
                        document: try document.map { Array(try JSONEncoder().encode($0)) })
                ]))
    }

    private func standings(_ bench: APIBench, _ token: String) async throws -> String {
        try await bench.call(.get, "/v1/standings", headers: [.authorization: "Bearer \(token)"]).text
    }

    private func put(_ bench: APIBench, _ token: String, _ body: String) async throws -> APIBench.Answer {
        try await bench.call(
            .put, "/v1/me/nickname", Array(body.utf8),
            headers: [.authorization: "Bearer \(token)", .contentType: "application/json"])
    }

    @Test func `a name is taken with consent to standings, and said back`() async throws {
        let bench = try await APIBench(), token = try await bench.enrol(Self.enrolment)
        #expect(try await put(bench, token, #"{"nickname":"Ann 7"}"#).text == #"{"nickname":"Ann 7"}"#)
        #expect(try await put(bench, token, #"{"nickname":null}"#).text == #"{"nickname":null}"#)
        let without = try await bench.enrol()
        let refused = try await put(bench, without, #"{"nickname":"Ann"}"#)
        #expect(refused.status == 403 && refused.code == "no_standings_consent")
        #expect(
            try await put(bench, without, #"{"nickname":null}"#).status == 200, "whoever takes it back needs no leave")
    }

    @Test(arguments: [
        (#"{}"#, "missing_field"), (#"{"nickname":7}"#, "wrong_type"), (#"{"nickname":"x"}"#, "bad_format"),
        (#"{"nickname":"670000001"}"#, "bad_format"),
    ])
    func `a body at fault is told which field`(body: String, code: String) async throws {
        let bench = try await APIBench(), token = try await bench.enrol(Self.enrolment)
        let answer = try await put(bench, token, body)
        #expect(answer.status == 422 && answer.code == code && answer.json["field"] as? String == "nickname")
    }

    @Test func `a device sees its own line and those next to it, by rank`() async throws {
        let bench = try await APIBench(), token = try await bench.enrol(Self.enrolment)
        #expect(try await standings(bench, token).hasPrefix(#"{"nickname":null,"standings":[]"#))
        // Five share the fourth place.
        for device in 2...9 as ClosedRange<UInt64> {
            try tell(bench, device, "N\(device)", rank: device < 5 ? Int64(device) - 1 : 4)
        }
        try tell(bench, 1, "N6a", rank: 4)
        let text = try await standings(bench, token)
        #expect(
            text.contains(#""nickname":"N6a","standings":[{"measure":"feedback","period":"week","from":"2025-10-06""#))
        #expect(text.contains(#""until":"2025-10-12","count":9,"#))
        let names = text.matches(of: /"nickname":"([^"]*)","score"/).map { String($0.output.1) }
        #expect(names == ["N4", "N5", "N6", "N6a", "N7", "N8", "N9"])
        #expect(text.contains(#"{"rank":4,"nickname":"N6a","score":96,"own":true}"#))
        #expect(text.components(separatedBy: #""own":true"#).count == 2)
    }

    @Test func `a week that is over is not shown, nor who is shown no more`() async throws {
        let bench = try await APIBench(), token = try await bench.enrol(Self.enrolment)
        try tell(bench, 1, "Ann", from: 20_360)
        #expect(try await standings(bench, token).hasPrefix(#"{"nickname":"Ann","standings":[]"#))
        try tell(bench, 1, "Ann")
        #expect(try await standings(bench, token).contains(#""own":true"#))
        try tell(bench, 1, nil)
        #expect(try await standings(bench, token).hasPrefix(#"{"nickname":null,"standings":[]"#))
    }

    @Test func `who withdraws the consent is shown no more`() throws {
        let bench = try EngineBench()
        let device = Enrolment(
            deviceID: [UInt8](repeating: 1, count: 16), tokenHash: [UInt8](repeating: 1, count: 32),
            platform: "android", appVersion: "1", consent: .all, policyVersion: "1")
        let known = try bench.engine.commit([], commands: [device], now: Reading.now).answers(to: Enrolment.self)[0]
            .get()
        let named = try bench.engine.commit(
            [], commands: [NicknameChange("Ann", of: known.ordinal)], now: Reading.now + 1)
        #expect(try nicknames(named) == ["Ann"])
        let change = ConsentChange(
            device: known.ordinal, consent: [.measurement, .rewards], policyVersion: "2", ageBand: nil, hasGuardian: nil
        )
        let withdrawn = try bench.engine.commit([], commands: [change], now: Reading.now + 2)
        #expect(try nicknames(withdrawn) == [nil])
    }

    /// The names that the requests lane was told.
    private func nicknames(_ outcome: IngestOutcome) throws -> [String?] {
        try EngineBench.rows(outcome, .requests).flatMap { columns in
            try (0..<columns.rowCount).compactMap { row -> String?? in
                let text = Data(try #require(columns[ColumnID.document]?.value(row)))
                let members = try JSONSerialization.jsonObject(with: text) as? [String: Any]
                // Consents have a version.
                guard members?["version"] == nil else { return nil }
                return .some(members?["nickname"] as? String)
            }
        }
    }
}
