import HTTPTypes
import IngestSupport
import IngestUploads
import Models
import ServiceKit
import Testing

@testable import Ingest

@Suite struct RewardsAPITests {
    private func rewards(_ bench: APIBench, _ token: String, _ query: String = "") async throws -> APIBench.Answer {
        try await bench.call(.get, "/v1/me/rewards" + query, headers: [.authorization: "Bearer \(token)"])
    }

    private func grants(_ answer: APIBench.Answer) -> [String] {
        (answer.json["grants"] as? [[String: Any]] ?? []).compactMap { $0["grant"] as? String }
    }

    @Test func `who was granted nothing is told so, and nothing was read yet`() async throws {
        let bench = try await APIBench(), token = try await bench.enrol()
        let answer = try await rewards(bench, token)
        #expect(answer.status == 200)
        #expect(
            answer.text == """
                {"balance":{"paid_xaf":0,"pending_xaf":0,"currency":"XAF"},"grants":[],"grants_total":0,"grants_kept":0,\
                "streak":{"days":0,"best":0},"badges":[]}
                """)
    }

    @Test func `balance, grants, streak and badges are told, as of the last change that was read`() async throws {
        let bench = try await APIBench(), token = try await bench.enrol()
        try bench.copies.take(
            bench.copies.grants([.sample(1, .confirmed, changedAt: 2_000)]),
            bench.copies.balance(1, paid: 50, pending: 0))
        let answer = try await rewards(bench, token)
        #expect(
            answer.text == """
                {"balance":{"paid_xaf":50,"pending_xaf":0,"currency":"XAF"},"grants":[{"grant":\
                "00000000000000000000000000000001","campaign":"spring","record":"00000000-0000-8000-8000-000000000001",\
                "amount_xaf":50,"state":"confirmed","received_at":"2025-10-08T23:01:00.000Z",\
                "received_at_ms":1759964460000,"changed_at":"2025-10-08T23:01:02.000Z","changed_at_ms":1759964462000}],\
                "grants_total":1,"grants_kept":1,"streak":{"days":1,"best":1},\
                "badges":[{"badge":"first_feedback","feedbacks":1}],\
                "as_of":"2025-10-09T08:53:20.000Z","as_of_ms":1760000000000}
                """)
    }

    @Test(arguments: [1_795_256_675_916, 1_760_000_000_001, 1_760_000_000_999, 0, 999_999_999_999])
    func `a time as text has the milliseconds that it has as a number`(time: Int64) throws {
        var json = JSONWriter()
        json.time("at", time)
        let text = try #require(String(decoding: json.bytes, as: UTF8.self).firstMatch(of: /\.([0-9]{3})Z/))
        #expect(Int64(text.output.1) == time % 1_000)
    }

    @Test func `a device sees its own grants only`() async throws {
        let bench = try await APIBench()
        let first = try await bench.enrol(), second = try await bench.enrol(), third = try await bench.enrol()
        try bench.copies.take(
            bench.copies.grants([.sample(1), .sample(2, device: 2), .sample(3, device: 2)]),
            bench.copies.balance(1, paid: 0, pending: 50), bench.copies.balance(2, paid: 0, pending: 100))
        let seen = [try await rewards(bench, first), try await rewards(bench, second), try await rewards(bench, third)]
        #expect(seen.map { grants($0).count } == [1, 2, 0])
        #expect(Set(grants(seen[0])).isDisjoint(with: grants(seen[1])))
        #expect(seen.map { ($0.json["balance"] as? [String: Any])?["pending_xaf"] as? Int } == [50, 100, 0])
        // Another device's cursor opens nothing of it.
        let position = PagePosition(time: .max, name: "f").text
        #expect(grants(try await rewards(bench, first, "?after=\(position)")).count == 1)
        #expect(try await rewards(bench, "x").status == 401)
        #expect(try await bench.call(.get, "/v1/me/rewards").status == 401)
        #expect(try await bench.call(.get, "/v1/me/rewards?device=2").status == 401)
        #expect(grants(try await rewards(bench, first, "?device=2")) == grants(seen[0]))
    }

    @Test func `a revoked device sees nothing`() async throws {
        let bench = try await APIBench(), token = try await bench.enrol()
        try bench.copies.take(bench.copies.grants([.sample(1)]))
        _ = try await bench.calls.revoke(["device": "1"])
        #expect(try await rewards(bench, token).status == 401)
    }

    @Test func `what was granted is told also to who has withdrawn consent to rewards`() async throws {
        let bench = try await APIBench(), token = try await bench.enrol()
        try bench.copies.take(bench.copies.grants([.sample(1)]))
        let withdrawn = try await bench.call(
            .put, "/v1/me/consent", Array(#"{"consent":{},"policy_version":"2"}"#.utf8),
            headers: [.authorization: "Bearer \(token)"])
        #expect(withdrawn.status == 200)
        #expect(grants(try await rewards(bench, token)).count == 1)
    }

    @Test func `pages of any size are all grants, newest first, each once`() async throws {
        let bench = try await APIBench(), token = try await bench.enrol()
        try bench.copies.take(bench.copies.grants((1...250).map { .sample($0) } + [.sample(999, device: 2)]))
        let wanted = (1...250).reversed().map { GrantDocument.sample($0).grant }
        for limit in [1, 7, 100] {
            var seen: [String] = [], query = "?limit=\(limit)", pages = 0
            while pages < 300 {
                let answer = try await rewards(bench, token, query)
                seen += grants(answer)
                pages += 1
                guard let next = answer.json["next"] as? String else { break }
                query = "?limit=\(limit)&after=\(next)"
            }
            #expect(seen == wanted && pages == (250 + limit - 1) / limit)
        }
        #expect(grants(try await rewards(bench, token)).count == PageQuery.most)
    }

    @Test(arguments: [
        ("?limit=0", "bad_limit"), ("?limit=101", "bad_limit"), ("?limit=x", "bad_limit"), ("?after=", "bad_cursor"),
        ("?after=5", "bad_cursor"), ("?after=x-1", "bad_cursor"), ("?after=5-'", "bad_cursor"),
        ("?after=99999999999999999999-a", "bad_cursor"),
    ])
    func `a page that cannot be is a problem that names the parameter`(query: String, code: String) async throws {
        let bench = try await APIBench(), token = try await bench.enrol()
        let answer = try await rewards(bench, token, query)
        #expect(answer.status == 400 && answer.code == code)
        #expect(query.contains(answer.json["field"] as? String ?? "?"))
    }

    @Test func `rewards are read and nothing else`() async throws {
        let bench = try await APIBench(), token = try await bench.enrol()
        let bearer: HTTPFields = [.authorization: "Bearer \(token)"]
        let post = try await bench.call(.post, "/v1/me/rewards", headers: bearer)
        #expect(post.status == 405 && post.headers[.allow] == "GET, HEAD")
    }
}
