import Foundation
import IngestCommands
import IngestCommit
import IngestSupport
import IngestUploads
import Lanes
import Models
import NkulDevice
import QoE
import Storage
import Wire

/// Ingest's own parser and engine behind the device API's calls, in virtual time, and what they accepted.
final class WeekService {
    private static let reader = UploadReader(.qoe, rowLimit: 2_000, inflatedLimit: 4_000_000)
    private let engine: IngestEngine
    private var devices: [String: DeviceIdentity] = [:]
    private var decoder = ColumnDecoder()
    /// When each accepted row was captured, corrected.
    private(set) var rows: [UInt64: [Int64: Int64]] = [:]
    /// Rows that came twice: none may.
    private(set) var twice = 0
    private(set) var duplicates = 0
    private(set) var rejected: [String: Int] = [:]

    init(now: Int64) throws {
        let database = try ServiceDatabase(path: ":memory:", migrations: IngestSchema.migrations)
        let journals = try [LaneName.realtime, .batch, .requests].map { lane in
            try Journal(lane: lane, in: database, limits: LaneLimits(maximumBytes: 1 << 40), newGeneration: { 5 })
        }
        engine = try IngestEngine(
            database: database, realtime: journals[0], batch: journals[1], requests: journals[2],
            keys: ErasureKeys(secret: [UInt8](1...32)), now: now)
    }

    /// The number of the device of a token.
    func ordinal(_ token: String?) -> UInt64? { token.flatMap { devices[$0]?.ordinal } }

    /// Does what a request asks.
    func answer(_ request: DeviceRequest, now: Int64) throws -> DeviceResponse {
        switch (request.method, request.path.split(separator: "?")[0]) {
        case ("POST", "/v1/devices"): return try enrol(request, now)
        case ("PUT", "/v1/me/consent"): return try change(request, now)
        case ("GET", "/v1/me/prompt-policy"): return Self.policy(request)
        case ("GET", "/v1/me/sampling-policy"):
            return DeviceResponse(status: 200, body: [UInt8](try JSONEncoder().encode(SamplingRules.builtIn)))
        default: return try take(request, now)
        }
    }

    private struct Wishes: Decodable {
        let consent: [String: Bool?]
        let policy_version: String
    }

    private func wishes(_ request: DeviceRequest) throws -> Wishes {
        try JSONDecoder().decode(Wishes.self, from: Data(request.body))
    }

    private func enrol(_ request: DeviceRequest, _ now: Int64) throws -> DeviceResponse {
        let wishes = try wishes(request), number = devices.count + 1
        let enrolment = Enrolment(
            deviceID: (0..<16).map { $0 == 0 ? UInt8(number & 255) : $0 == 1 ? UInt8(number >> 8) : 0 },
            tokenHash: (0..<32).map { $0 == 0 ? UInt8(number & 255) : $0 == 1 ? UInt8(number >> 8) : 1 },
            platform: "test", appVersion: "1", consent: Consent(named: wishes.consent),
            policyVersion: wishes.policy_version, ageBand: "18+")
        let device = try commit([], [enrolment], now).answers(to: Enrolment.self)[0].get()
        devices["token-\(number)"] = device
        let body = #"{"device_id":"device-\#(device.ordinal)","token":"token-\#(number)"}"#
        return DeviceResponse(status: 201, body: Array(body.utf8))
    }

    private func change(_ request: DeviceRequest, _ now: Int64) throws -> DeviceResponse {
        guard let token = token(request), let device = devices[token] else {
            return Self.problem(.unauthorized("nobody"))
        }
        let wishes = try wishes(request)
        let change = ConsentChange(
            device: device.ordinal, consent: Consent(named: wishes.consent), policyVersion: wishes.policy_version)
        devices[token] = try commit([], [change], now).answers(to: ConsentChange.self)[0].get().identity
        return DeviceResponse(status: 200, body: Array("{}".utf8))
    }

    private func take(_ request: DeviceRequest, _ now: Int64) throws -> DeviceResponse {
        guard let token = token(request), let device = devices[token] else {
            return Self.problem(.unauthorized("nobody"))
        }
        let isMessage = request.route == .realtime
        let sentAt: Int64?
        let kind: RecordKind
        if isMessage {
            let members = try JSONSerialization.jsonObject(with: Data(request.body)) as? [String: Any] ?? [:]
            sentAt = members["sent_at_ms"] as? Int64
            kind = members["rating"] == nil ? .report : .feedback
        } else {
            sentAt = request.headers["X-Nkul-Sent-At"].flatMap { Int64($0) }
            kind = request.path == "/v1/reports" ? .report : request.path == "/v1/feedback" ? .feedback : .prompt
        }
        let wanted = UploadRequest(
            kind: kind, isCompressed: request.headers["Content-Encoding"] == "gzip",
            idempotencyKey: request.headers["Idempotency-Key"], sentAt: sentAt, arrivedAt: now)
        do {
            let upload = try request.body.withUnsafeBytes { try Self.reader.read($0, of: device, as: wanted) }
            let receipt = try commit([upload], [], now).receipts[0].get()
            duplicates += receipt.duplicates
            for item in receipt.items where item.status == .rejected { rejected[item.code ?? "", default: 0] += 1 }
            return DeviceResponse(status: 200, nextUpload: isMessage ? nil : 900, body: receipt.body)
        } catch let problem as DeviceAPIError { return Self.problem(problem) }
    }

    private func token(_ request: DeviceRequest) -> String? {
        request.headers["Authorization"].map { String($0.dropFirst("Bearer ".count)) }
    }

    private func commit(_ uploads: [Upload], _ commands: [any IngestCommand], _ now: Int64) throws -> IngestOutcome {
        let outcome = try engine.commit(uploads, commands: commands, now: now)
        for lane in [LaneName.realtime, .batch] {
            for block in outcome.blocks[lane] ?? [] {
                let columns = try block.columns(with: &decoder)
                for row in 0..<columns.rowCount {
                    guard let device = columns[ColumnID.device]?.integer(row),
                        let seq = columns[ColumnID.seq]?.integer(row)
                    else { continue }
                    let captured = columns[ColumnID.capturedAt]?.integer(row) ?? 0
                    if rows[UInt64(device), default: [:]].updateValue(captured, forKey: seq) != nil { twice += 1 }
                }
            }
        }
        return outcome
    }

    private static func problem(_ problem: DeviceAPIError) -> DeviceResponse {
        DeviceResponse(
            status: problem.status, retryAfter: problem.retryAfter.map(Int64.init), body: problem.body)
    }

    private static func policy(_ request: DeviceRequest) -> DeviceResponse {
        guard request.headers["If-None-Match"] == nil else { return DeviceResponse(status: 304) }
        let body = """
            {"policy_version":"default-1","time_zone":"Africa/Douala","rules":{"call_drop":{"drops":1,"within_minutes":60}},
            "pause":{"between_minutes":60,"after_ignored_minutes":240,"factor":2,"longest_minutes":10080},
            "daily_maximum":3,"emergency_bypass":true,"medians":[],"medians_as_of":null}
            """
        return DeviceResponse(status: 200, etag: "\"1\"", body: Array(body.utf8))
    }
}
