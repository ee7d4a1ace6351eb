import Foundation
import HTTPTypes
import Testing
@testable import IngestUploads
@testable import IngestAPI
@testable import IngestSupport

@Suite struct ConsentAPITests {
    private let row = #"{"seq":1,"captured_at_ms":1760000000000}"#

    private func put(_ consent: String, _ bench: APIBench, _ token: String) async throws -> APIBench.Answer {
        try await bench.call(
            .put, "/v1/me/consent", Array(#"{"consent":\#(consent),"policy_version":"2025-2"}"#.utf8),
            headers: [.authorization: "Bearer \(token)", .contentType: "application/json"])
    }

    @Test func `what was said at enrolment is told`() async throws {
        let bench = try await APIBench(), token = try await bench.enrol()
        let answer = try await bench.call(.get, "/v1/me/consent", headers: [.authorization: "Bearer \(token)"])
        #expect(answer.status == 200)
        #expect(
            answer.text == """
                {"consent":{"measurement":true,"location_precise":true,"location_coarse":false,"call_events":true,\
                "rewards":false,"operator_sharing":false,"research":false,"standings":false},"policy_version":"2025-1","version":1,\
                "changed_at":"2025-10-09T08:53:20.000Z","changed_at_ms":1760000000000}
                """)
    }

    @Test func `a change holds from its answer on`() async throws {
        let bench = try await APIBench(), token = try await bench.enrol()
        #expect(try await bench.send(row, token: token).status == 200)
        let withdrawn = try await put(#"{"measurement":false}"#, bench, token)
        #expect(withdrawn.status == 200 && withdrawn.json["version"] as? Int == 2)
        #expect((withdrawn.json["consent"] as? [String: Bool])?.values.contains(true) == false)
        #expect(withdrawn.json["policy_version"] as? String == "2025-2")
        let refused = try await bench.send(row, token: token)
        #expect(refused.status == 403 && refused.code == "no_measurement_consent")
        let told = try await bench.call(.get, "/v1/me/consent", headers: [.authorization: "Bearer \(token)"])
        #expect(told.body == withdrawn.body)
        #expect(try await put(#"{"measurement":true}"#, bench, token).json["version"] as? Int == 3)
        #expect(try await bench.send(row, token: token).status == 200)
        #expect(try await put(#"{"measurement":true}"#, bench, token).json["version"] as? Int == 3)
    }

    @Test func `bad requests are told what is wrong`() async throws {
        let bench = try await APIBench(), token = try await bench.enrol()
        let bearer: HTTPFields = [.authorization: "Bearer \(token)"]
        #expect(try await bench.call(.get, "/v1/me/consent").status == 401)
        #expect(try await bench.call(.put, "/v1/me/consent", headers: [.authorization: "Bearer x"]).status == 401)
        let method = try await bench.call(.post, "/v1/me/consent", headers: bearer)
        #expect(method.status == 405 && method.headers[.allow] == "GET, HEAD, PUT")
        let missing = try await bench.call(.put, "/v1/me/consent", Array(#"{"consent":{}}"#.utf8), headers: bearer)
        #expect(missing.status == 422 && missing.json["field"] as? String == "policy_version")
        let wrong = try await put(#"{"measurement":1}"#, bench, token)
        #expect(wrong.code == "wrong_type" && wrong.json["field"] as? String == "consent.measurement")
        let long = try await bench.call(
            .put, "/v1/me/consent", [UInt8](repeating: 32, count: 16_385), headers: bearer)
        #expect(long.status == 413)
    }

    @Test func `under 16 a guardian must agree to a change too`() async throws {
        let bench = try await APIBench(), token = try await bench.enrol()
        let body = #"{"consent":{"measurement":true},"policy_version":"2","age_band":"under_16""#
        func answer(_ more: String) async throws -> APIBench.Answer {
            try await bench.call(
                .put, "/v1/me/consent", Array((body + more).utf8), headers: [.authorization: "Bearer \(token)"])
        }
        #expect(try await answer("}").code == "guardian_required")
        #expect(try await answer(#","guardian":true}"#).status == 200)
    }

    @Test(arguments: ["Under_16", "under 16", "13-15", "<16", "15", "", "UNDER_16", "18", "under_16 "])
    func `an age band that is not in the list is refused, on enrolment and later`(band: String) async throws {
        let bench = try await APIBench(), token = try await bench.enrol()
        let change = #"{"consent":{"measurement":true},"policy_version":"2","age_band":"\#(band)"}"#
        let answer = try await bench.call(
            .put, "/v1/me/consent", Array(change.utf8), headers: [.authorization: "Bearer \(token)"])
        #expect(answer.status == 422 && answer.code == "out_of_range" && answer.json["field"] as? String == "age_band")
        let enrolment = APIBench.enrolment.replacing(#"{"platform""#, with: #"{"age_band":"\#(band)","platform""#)
        let enrolled = try await bench.call(.post, "/v1/devices", Array(enrolment.utf8))
        #expect(enrolled.status == 422 && enrolled.code == "out_of_range")
    }

    @Test func `a band that was stored before there was a list needs a guardian, as a child's does`() {
        for band in ["Under_16", "13-15", "18", "under_16"] { #expect(AgeBand.needsGuardian(band)) }
        for band in [nil, "16-17", "18+"] { #expect(!AgeBand.needsGuardian(band)) }
        let consents = Consent([.measurement, .rewards])
        #expect(Consent.measurement.isSubset(of: consents) && !consents.isSubset(of: .measurement))
    }

    @Test(arguments: AgeBand.allCases) func `an age band of the list is taken`(band: AgeBand) async throws {
        let enrolment = APIBench.enrolment.replacing(
            #"{"platform""#, with: #"{"guardian":true,"age_band":"\#(band.rawValue)","platform""#)
        #expect(try await APIBench().call(.post, "/v1/devices", Array(enrolment.utf8)).status == 201)
    }
}
