import Foundation
import GRDB
import HTTPTypes
import IngestCommands
import IngestSupport
import Models
import QoE
import ServiceKit
import Storage
import TemporaryFiles
import Testing

@testable import Ingest
@testable import IngestCommit
@testable import IngestUploads

@Suite struct ActivationTests {
    private let now = Reading.now
    private let day: Int64 = 86_400_000

    private func enrolment(_ number: UInt8, code: ActivationCode?) -> Enrolment {
        Enrolment(
            deviceID: [UInt8](repeating: number, count: 16), tokenHash: [UInt8](repeating: number, count: 32),
            platform: "android", appVersion: "1", consent: .all, policyVersion: "1", activation: code?.hash)
    }

    private func codes(_ count: Int, in engine: IngestEngine, days: Int64 = 1) throws -> [ActivationCode] {
        var random = SystemRandomNumberGenerator()
        let codes = (0..<count).map { _ in ActivationCode(&random) }
        _ = try engine.addCodes(codes.map(\.hash), note: "n", expiresAt: now + days * day, now: now)
        return codes
    }

    /// What an enrolment was answered: nil if the device is enrolled.
    private func problem(_ engine: IngestEngine, _ enrolment: Enrolment, at time: Int64) throws -> DeviceAPIError? {
        do {
            _ = try engine.commit([], commands: [enrolment], now: time).answers(to: Enrolment.self)[0].get()
            return nil
        } catch let problem as DeviceAPIError { return problem }
    }

    /// How often each outcome of codes is counted for a commit.
    private func counted(_ outcome: IngestOutcome) -> [String: Int] {
        let metrics = IngestMetrics(Metrics(), .qoe)
        for count in outcome.counts { count(metrics) }
        return metrics.activations.mapValues { Int($0.value) }.filter { $0.value > 0 }
    }

    @Test func `a code enrols one device, also when two ask in one commit`() throws {
        let engine = try EngineBench().engine, codes = try codes(2, in: engine)
        let both = try engine.commit(
            [], commands: [enrolment(1, code: codes[0]), enrolment(2, code: codes[0])], now: now)
        #expect(try both.answers(to: Enrolment.self)[0].get().ordinal == 1)
        #expect(throws: DeviceAPIError.activationInvalid) { try both.answers(to: Enrolment.self)[1].get() }
        #expect(counted(both) == ["accepted": 1, "used": 1])
        #expect(try problem(engine, enrolment(3, code: codes[0]), at: now) == .activationInvalid)
        #expect(try problem(engine, enrolment(3, code: codes[1]), at: now) == nil)
        #expect(try engine.codeBatches(now: now).map { [$0.unused, $0.used, $0.expired] } == [[0, 2, 0]])
    }

    @Test func `wrong, expired and revoked codes are told alike and counted apart`() throws {
        let engine = try EngineBench().engine, codes = try codes(2, in: engine)
        var random = SystemRandomNumberGenerator()
        let revoked = try self.codes(3, in: engine)
        #expect(try engine.revokeCodes(of: 2, now: now).revoked == 3)
        #expect(try problem(engine, enrolment(1, code: codes[0]), at: now + day - 1) == nil)
        for (code, outcome): (ActivationCode, ActivationOutcome) in [
            (codes[1], .expired), (ActivationCode(&random), .unknown), (revoked[0], .revoked),
        ] {
            let answer = try engine.commit([], commands: [enrolment(2, code: code)], now: now + day)
            #expect(throws: DeviceAPIError.activationInvalid) { try answer.answers(to: Enrolment.self)[0].get() }
            #expect(counted(answer) == [outcome.name: 1] && answer.blocks[.requests] == nil)
        }
        let batches = try engine.codeBatches(now: now + day)
        #expect(batches.map(\.batch) == [2, 1] && batches.map(\.expired) == [0, 1] && batches[0].revoked == 3)
        #expect(throws: ControlError.self) { try engine.revokeCodes(of: 3, now: now) }
    }

    @Test func `a code is used up with the enrolment or not at all`() throws {
        let directory = try TemporaryDirectory(), path = directory.path + "/state.sqlite"
        var used: ActivationCode?
        do {
            let bench = try EngineBench(path: path), codes = try codes(2, in: bench.engine)
            #expect(try problem(bench.engine, enrolment(1, code: codes[0]), at: now) == nil)
            // The second enrolment of the commit cannot be stored, so nothing of the commit happens.
            let refused = Enrolment(
                deviceID: [UInt8](repeating: 8, count: 16), tokenHash: [UInt8](repeating: 9, count: 32), platform: "a",
                appVersion: "1", consent: .all, policyVersion: "1")
            try bench.database.write {
                try $0.execute(
                    sql: """
                        CREATE TEMP TRIGGER refuses BEFORE INSERT ON devices WHEN NEW.platform = 'a'
                        BEGIN SELECT RAISE(ABORT, 'no'); END
                        """)
            }
            #expect(throws: (any Error).self) {
                try bench.engine.commit([], commands: [enrolment(2, code: codes[1]), refused], now: now)
            }
            #expect(try bench.engine.codeBatches(now: now).map(\.used) == [1])
            #expect(try problem(bench.engine, enrolment(2, code: codes[1]), at: now) == nil)
            used = codes[1]
            try bench.engine.close()
        }
        let bench = try EngineBench(path: path)
        #expect(try problem(bench.engine, enrolment(3, code: used), at: now) == .activationInvalid)
    }

    @Test func `a full requests lane costs nobody a code`() throws {
        let engine = try EngineBench(requestsLimit: 1).engine, codes = try codes(1, in: engine)
        #expect(try problem(engine, enrolment(1, code: nil), at: now) == nil)
        #expect(try problem(engine, enrolment(2, code: codes[0]), at: now)?.code == "journal_full")
        #expect(try engine.codeBatches(now: now).map(\.unused) == [1])
    }

    @Test func `expired codes are forgotten after 30 days, a thousand at a time`() throws {
        let engine = try EngineBench().engine
        _ = try codes(1_500, in: engine)
        _ = try codes(1, in: engine, days: 3)
        let kept = now + day + IngestEngine.codesKept
        for (time, counts): (Int64, [Int64]) in [
            (kept, [1, 1_500]), (kept + 1, [1, 500]), (kept + 1, [1, 0]), (kept + 1, [1]),
        ] {
            try engine.maintain([:], now: time)
            #expect(try engine.codeBatches(now: time).map(\.expired) == counts)
        }
    }

    @Test func `codes come from the control socket, enrol over HTTP, and stand in no file`() async throws {
        let bench = try await APIBench(activation: .required)
        let calls = ActivationCalls(requests: bench.calls.requests, clock: bench.calls.clock)
        let added = try await calls.add(["count": 3, "expires_in_days": 30, "note": "spring"])
        #expect(added.codes.count == 3 && added.expires_at_ms == now + 30 * day)
        func answer(_ code: String?) async throws -> APIBench.Answer {
            let field = code.map { #""activation_code":"\#($0)","# } ?? ""
            return try await bench.call(
                .post, "/v1/devices",
                Array(APIBench.enrolment.replacing("{\"platform\"", with: "{\(field)\"platform\"").utf8))
        }
        let missing = try await answer(nil)
        #expect(missing.status == 403 && missing.code == "activation_required")
        #expect(missing.json["field"] as? String == "activation_code")
        #expect(try await answer("1234").code == "bad_format")
        #expect(try await answer(added.codes[0].lowercased()).status == 201)
        let again = try await answer(added.codes[0])
        #expect(again.status == 403 && again.code == "activation_code_invalid")
        #expect(try await answer(added.codes[1]).status == 201)
        for file in try FileManager.default.subpathsOfDirectory(atPath: bench.path) {
            guard let data = FileManager.default.contents(atPath: bench.path + "/" + file) else { continue }
            for code in added.codes {
                for text in [code, code.replacing("-", with: "")] {
                    #expect(data.range(of: Data(text.utf8)) == nil, "\(file)")
                }
            }
        }
        for wrong: JSONValue in [
            ["count": 0, "expires_in_days": 1], ["count": 1], ["count": 1, "expires_in_days": 367],
        ] {
            await #expect(throws: ControlError.self) { try await calls.add(wrong) }
        }
    }

    @Test func `a deployment without codes refuses them and enrols everybody`() async throws {
        let bench = try await APIBench(activation: .off)
        _ = try await bench.enrol()
        let body = APIBench.enrolment.replacing(#"{"platform""#, with: #"{"activation_code":"x","platform""#)
        let answer = try await bench.call(.post, "/v1/devices", Array(body.utf8))
        #expect(answer.status == 422 && answer.code == "activation_not_available")
    }
}
