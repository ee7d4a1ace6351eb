import HTTPTypes
import IngestCommit
import IngestUploads
import Lanes
import Models
import QoE
import Testing
import Wire

@Suite struct PromptUploadTests {
    private static let start = #"{"seq":1,"captured_at_ms":\#(Reading.now)"#
    private static let outcome =
        start
        + #","prompt_id":"p-1","outcome":"ignored","policy_version":"7","rule":"call_drop","mcc":"624","mnc":"01"}"#

    /// Why the one outcome with these fields is refused.
    private func rejection(_ fields: String) throws -> RowRejection? {
        try Reading.upload("[\(Self.start),\(fields)},\(Self.outcome)]", kind: .prompt).rejections.first
    }

    @Test func `an outcome is read, and waits for nobody`() throws {
        let upload = try Reading.upload(Self.outcome, kind: .prompt)
        #expect(upload.rejections.isEmpty && !upload.isUrgent)
        #expect(upload.text(ColumnID.promptID) == "p-1" && upload.text(ColumnID.policyVersion) == "7")
        #expect(upload.value(ColumnID.outcome) == PromptOutcome.ignored.rawValue)
        #expect(upload.value(ColumnID.promptRule) == PromptRule.callDrop.rawValue)
        #expect(upload.value(ColumnID.mcc) == 624 && upload.value(ColumnID.mnc) == 1)
    }

    @Test(arguments: [("shown", 0), ("answered", 1), ("ignored", 2), ("dismissed", 3)] as [(String, Int64)])
    func `every outcome has its code, in CSV too`(name: String, code: Int64) throws {
        let csv = "seq,captured_at_ms,prompt_id,outcome,policy_version\n1,\(Reading.now),p,\(name),default-1\n"
        let upload = try Reading.upload(csv, kind: .prompt, format: .csv)
        #expect(upload.value(ColumnID.outcome) == code && upload.text(ColumnID.policyVersion) == "default-1")
    }

    @Test(arguments: [
        (#""outcome":"shown","policy_version":"1""#, RowCode.missingField, "prompt_id"),
        (#""prompt_id":"p","policy_version":"1""#, .missingField, "outcome"),
        (#""prompt_id":"p","outcome":"shown""#, .missingField, "policy_version"),
        (#""prompt_id":"p","outcome":"slept","policy_version":"1""#, .unknownValue, "outcome"),
        (#""prompt_id":"p","outcome":"shown","policy_version":7"#, .wrongType, "policy_version"),
        (
            #""prompt_id":"\#(String(repeating: "p", count: 65))","outcome":"shown","policy_version":"1""#, .tooLong,
            "prompt_id"
        ),
    ])
    func `what is wrong names its field`(fields: String, code: RowCode, field: String) throws {
        let rejection = try #require(try rejection(fields))
        #expect(rejection.code == code && rejection.field == field)
    }

    @Test(arguments: [(#""rule":"rain""#, RowCode.unknownValue, "rule"), (#""mcc":1000"#, .outOfRange, "mcc")])
    func `what an outcome can do without is left out`(fields: String, code: RowCode, field: String) throws {
        let text = Self.start + #","prompt_id":"p","outcome":"shown","policy_version":"1","# + fields + "}"
        let upload = try Reading.upload(text, kind: .prompt)
        #expect(upload.rejections.isEmpty && upload.leftOut[0]?.map(\.code) == [code])
        #expect(upload.leftOut[0]?.map(\.field) == [field])
    }

    @Test func `without consent to call events nobody learns what happened, an emergency excepted`() throws {
        let quiet = Consent([.measurement])
        let upload = try Reading.upload(Self.outcome, kind: .prompt, consent: quiet)
        #expect(upload.value(ColumnID.promptRule) == nil && upload.flags.contains(.consentReduced))
        #expect(upload.value(ColumnID.outcome) == PromptOutcome.ignored.rawValue)
        let emergency = Self.outcome.replacing("call_drop", with: "emergency")
        let kept = try Reading.upload(emergency, kind: .prompt, consent: quiet)
        #expect(kept.value(ColumnID.promptRule) == PromptRule.emergency.rawValue)
        // The same for a row from before the consent was withdrawn.
        let device = DeviceIdentity(ordinal: 7, consent: quiet, consentVersion: 4)
        let revised = ConsentRevision.apply(device, to: try Reading.upload(Self.outcome, kind: .prompt))
        #expect(revised.value(ColumnID.promptRule) == nil && revised.flags.contains(.consentReduced))
        let stays = ConsentRevision.apply(device, to: try Reading.upload(emergency, kind: .prompt))
        #expect(stays.value(ColumnID.promptRule) == PromptRule.emergency.rawValue)
    }

    @Test func `outcomes go onto the batch lane as a kind of their own, each once`() throws {
        let bench = try EngineBench()
        let upload = try Reading.upload(Self.outcome, kind: .prompt)
        let outcome = try bench.engine.commit([upload], now: Reading.now)
        #expect(try outcome.receipts[0].get().accepted == 1 && outcome.blocks[.realtime]?.isEmpty != false)
        #expect(outcome.blocks[.batch]?.map(\.header.kind) == [RecordKind.prompt.id])
        let again = try Reading.upload(Array(Self.outcome.utf8), kind: .prompt, key: "another")
        #expect(try bench.receipt(again).duplicates == 1)
        let other = try Reading.upload(Self.outcome.replacing("ignored", with: "answered"), kind: .prompt)
        #expect(try bench.receipt(other).items.map(\.status) == [.conflict])
    }

    @Test func `phones send them with a token and consent, and get receipts as for reports`() async throws {
        let bench = try await APIBench(), token = try await bench.enrol()
        let path = "/v1/me/prompts"
        let lines = Self.outcome + "\n" + Self.outcome.replacing(#""seq":1"#, with: #""seq":2"#) + "\n" + "{}\n"
        let first = try await bench.send(
            lines, token: token, path: path, headers: [.contentType: "application/x-ndjson"])
        #expect(first.status == 200 && first.json["accepted"] as? Int == 2 && first.json["rejected"] as? Int == 1)
        let again = try await bench.send(
            lines, token: token, path: path, headers: [.contentType: "application/x-ndjson"])
        #expect(again.body == first.body)
        #expect(try await bench.call(.post, path, Array(Self.outcome.utf8)).status == 401)
        let silent = try await bench.enrol(
            APIBench.enrolment.replacing(#""measurement":true"#, with: #""measurement":false"#))
        let refused = try await bench.send(Self.outcome, token: silent, path: path)
        #expect(refused.status == 403 && refused.code == "no_measurement_consent")
        #expect(try await bench.call(.get, path, headers: [.authorization: "Bearer \(token)"]).status == 405)
    }
}
