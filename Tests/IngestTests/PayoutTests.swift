import Foundation
import HTTPTypes
import IngestCommands
import IngestCommit
import IngestSupport
import IngestUploads
import Lanes
import Models
import Storage
import Testing
import Wire

@Suite struct PayoutTests {
    private let privateKey = RecipientSeal.newKey()
    private let phone = SigningPhone()
    private let body = Array(#"{"phone":"+237670000001","operator":"62401"}"#.utf8)
    private static let enrolment = APIBench.enrolment.replacing(
        #""call_events":true"#, with: #""call_events":true,"rewards":true"#)

    private var key: PayoutKeyDocument {
        get throws {
            PayoutKeyDocument(
                id: "k1", publicKey: Data(try RecipientSeal.publicKey(of: privateKey)).base64EncodedString())
        }
    }

    /// The dispatcher tells its key.
    private func tellKey(_ bench: APIBench) throws {
        let document = Array(try JSONEncoder().encode(try key))
        try bench.copies.take(
            bench.copies.block(.rewards, .payoutKey, [CopiesBench.Record(key: "current", document: document)]))
    }

    private func put(_ bench: APIBench, _ token: String, _ text: String? = nil) async throws -> APIBench.Answer {
        try await bench.call(
            .put, "/v1/me/payout", text.map { Array($0.utf8) } ?? body, headers: [.authorization: "Bearer \(token)"])
    }

    private func change(_ device: UInt64, signedAt: Int64? = nil) throws -> PayoutChange {
        let number = try #require(PayoutNumber(phone: "+237670000001", operator: "62401"))
        return try PayoutChange(number, of: device, to: key, signedAt: signedAt)
    }

    /// What the requests lane was told of payout, by device: true for a number, false for a withdrawal.
    private func told(_ outcome: IngestOutcome) throws -> [[Bool]] {
        try EngineBench.rows(outcome, .requests).filter { $0[ColumnID.device]?.integers != nil }.map { columns in
            try (0..<columns.rowCount).compactMap { row in
                let text = Data(try #require(columns[ColumnID.document]?.value(row)))
                return try JSONDecoder().decode(PayoutDocument.self, from: text).sealed != nil
            }
        }
    }

    private func enrolled(_ bench: EngineBench, _ consent: Consent = .all) throws -> DeviceIdentity {
        let device = Enrolment(
            deviceID: [UInt8](repeating: 1, count: 16), tokenHash: [UInt8](repeating: 1, count: 32),
            platform: "android",
            appVersion: "1", consent: consent, policyVersion: "1")
        return try bench.engine.commit([], commands: [device], now: Reading.now).answers(to: Enrolment.self)[0].get()
    }

    private func commit(
        _ bench: EngineBench, _ payouts: [PayoutChange], _ consents: [ConsentChange] = []
    ) throws -> IngestOutcome {
        try bench.engine.commit([], commands: payouts as [any IngestCommand] + consents, now: Reading.now + 1)
    }

    @Test func `a number is taken when the dispatcher's key is known, and said back covered`() async throws {
        let bench = try await APIBench(), token = try await bench.enrol(Self.enrolment)
        let early = try await put(bench, token)
        #expect(early.status == 503 && early.code == "payout_key_unknown" && early.headers[.retryAfter] == "5")
        try tellKey(bench)
        let answer = try await put(bench, token)
        #expect(answer.status == 200)
        #expect(
            answer.text == """
                {"phone":"+**********01","operator":"62401","accepted_at":"2025-10-09T08:53:20.000Z",\
                "accepted_at_ms":1760000000000}
                """)
    }

    @Test func `without consent to rewards a number is refused`() async throws {
        let bench = try await APIBench(), token = try await bench.enrol()
        try tellKey(bench)
        let answer = try await put(bench, token)
        #expect(answer.status == 403 && answer.code == "no_rewards_consent")
        #expect(answer.json["field"] as? String == "consent.rewards")
    }

    @Test(arguments: [
        (#"{"phone":"670000001","operator":"62401"}"#, "bad_format", "phone"),
        (#"{"phone":"+237670000001","operator":"mtn"}"#, "bad_format", "operator"),
        (#"{"phone":"+237670000001"}"#, "missing_field", "operator"),
        (#"{"phone":1,"operator":"1"}"#, "wrong_type", "phone"),
        (#"{"phone":"+33612345678","operator":"62401"}"#, "out_of_range", "phone"),
        (#"{"phone":"+23767000000","operator":"62401"}"#, "out_of_range", "phone"),
        (#"{"phone":"+237222000001","operator":"62401"}"#, "out_of_range", "phone"),
        (#"{"phone":"+237670000001","operator":"62409"}"#, "out_of_range", "operator"),
        (#"{"phone":"+237670000001","operator":"20801"}"#, "out_of_range", "operator"),
        ("[]", "not_an_object", nil), ("{", "malformed", nil),
    ])
    func `what is no number is said, without repeating it`(text: String, code: String, field: String?) async throws {
        let bench = try await APIBench(), token = try await bench.enrol(Self.enrolment)
        let answer = try await put(bench, token, text)
        #expect(answer.status == 422 && answer.code == code && answer.json["field"] as? String == field)
        #expect(!answer.text.contains("670000001"))
    }

    @Test func `of a device with a key a number needs a signature, which counts once`() async throws {
        let bench = try await APIBench(), token = try await bench.enrol(phone.enrolment)
        try tellKey(bench)
        #expect(try await put(bench, token).code == "signature_required")
        let path = "/v1/me/payout", now = Reading.now / 1_000
        let signed = try phone.fields("PUT", path, body, token: token, created: now - 5)
        #expect(try await bench.call(.put, path, body, headers: signed).status == 200)
        let replayed = try await bench.call(.put, path, body, headers: signed)
        #expect(replayed.status == 403 && replayed.code == "signature_replayed")
        let older = try phone.fields("PUT", path, body, token: token, created: now - 6)
        #expect(try await bench.call(.put, path, body, headers: older).code == "signature_replayed")
        let newer = try phone.fields("PUT", path, body, token: token, created: now - 4)
        #expect(try await bench.call(.put, path, body, headers: newer).status == 200)
    }

    @Test func `a number stands in no file of ingest`() async throws {
        let bench = try await APIBench(), token = try await bench.enrol(Self.enrolment)
        try tellKey(bench)
        #expect(try await put(bench, token).status == 200)
        var files = 0
        for file in try FileManager.default.subpathsOfDirectory(atPath: bench.path) {
            guard let data = FileManager.default.contents(atPath: bench.path + "/" + file) else { continue }
            files += 1
            for text in ["237670000001", "670000001", Data("+237670000001".utf8).base64EncodedString()] {
                #expect(data.range(of: Data(text.utf8)) == nil, "\(file)")
            }
        }
        #expect(files >= 4)
    }

    @Test func `the lane carries a number that the dispatcher's key alone opens, for that device alone`() throws {
        let bench = try EngineBench(), device = try enrolled(bench)
        let outcome = try commit(bench, [try change(device.ordinal)])
        #expect(try outcome.answers(to: PayoutChange.self)[0].get() == Reading.now + 1)
        let blocks = try #require(outcome.blocks[.requests])
        #expect(blocks.map(\.header.kind) == [RecordKind.payout.id])
        let columns = try EngineBench.rows(outcome, .requests)[0]
        #expect(
            columns[ColumnID.device]?.integers == [1] && columns[ColumnID.receivedAt]?.integers == [Reading.now + 1])
        let text = Data(try #require(columns[ColumnID.document]?.value(0)))
        let document = try JSONDecoder().decode(PayoutDocument.self, from: text)
        let sealed = [UInt8](try #require(document.sealed.flatMap { Data(base64Encoded: $0) }))
        #expect(document.key == "k1" && sealed.count == 65 + 96 + 16)
        func open(_ device: UInt64) throws -> PayoutNumber {
            let clear = try RecipientSeal.open(
                sealed, with: privateKey, purpose: PayoutDocument.purpose,
                additional: PayoutDocument.additional(device: device))
            return try JSONDecoder().decode(PayoutNumber.self, from: Data(clear))
        }
        #expect(try open(1).phone == "+237670000001")
        #expect(throws: StorageError.self) { try open(2) }
    }

    @Test func `who withdraws consent to rewards withdraws the number, in the same commit`() throws {
        let bench = try EngineBench(), device = try enrolled(bench)
        #expect(try told(try commit(bench, [try change(1)])) == [[true]])
        let without = ConsentChange(
            device: device.ordinal, consent: .measurement, policyVersion: "2")
        let refused = try commit(bench, [try change(1)], [without])
        #expect(throws: DeviceAPIError.noRewardsConsent) { try refused.answers(to: PayoutChange.self)[0].get() }
        let kinds = refused.blocks[.requests]?.map(\.header.kind)
        #expect(kinds == [RecordKind.consent.id, RecordKind.payout.id, RecordKind.nickname.id])
        let documents = try EngineBench.rows(refused, .requests)[1][ColumnID.document]
        #expect(String(decoding: try #require(documents?.value(0)), as: UTF8.self) == "{}")
        let again = ConsentChange(device: 1, consent: .all, policyVersion: "3")
        let back = ConsentChange(device: 1, consent: .measurement, policyVersion: "4")
        // Without a number there is nothing to withdraw.
        for change in [again, back] {
            let kinds = try commit(bench, [], [change]).blocks[.requests]?.map(\.header.kind)
            #expect(kinds?.contains(RecordKind.consent.id) == true && kinds?.contains(RecordKind.payout.id) == false)
        }
    }

    @Test func `a full requests lane takes no number, and uses up no signature`() throws {
        let bench = try EngineBench(requestsLimit: 1), device = try enrolled(bench)
        let outcome = try commit(bench, [try change(device.ordinal, signedAt: 5)])
        #expect(throws: DeviceAPIError.full(.requests)) { try outcome.answers(to: PayoutChange.self)[0].get() }
        #expect(try bench.database.write { try IngestStore($0).takeSignature(of: 1, madeAt: 5) })
        #expect(try bench.database.write { try !IngestStore($0).takeSignature(of: 1, madeAt: 5) })
    }
}
