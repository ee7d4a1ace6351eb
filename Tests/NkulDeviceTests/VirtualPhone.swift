import Foundation
import Models
import QoE
import TemporaryFiles
import Wire

@testable import NkulDevice

/// A kit in virtual time with a scripted service: effects happen at once, in their order.
final class VirtualPhone {
    static let start: Int64 = 1_760_000_000_000
    static let key = [UInt8](1...32)

    let directory: TemporaryDirectory
    let settings: DeviceSettings
    var loop: DeviceLoop
    /// Milliseconds since the phone was made.
    private(set) var elapsed: Int64 = 1_000_000
    /// How far the wall clock is off.
    var wallError: Int64 = 0
    var conditions = Conditions(path: .wifi)
    /// What the service says to a request; nil: no answer.
    var service: (DeviceRequest) -> DeviceResponse? = { _ in nil }
    var sample = Sample(sims: [VirtualPhone.sim], place: VirtualPhone.place)
    private(set) var requests: [DeviceRequest] = []
    private(set) var prompts: [Prompt] = []
    private(set) var withdrawn: [Prompt] = []
    private(set) var samples: [SampleRequest] = []
    private(set) var consentQuestions = 0
    /// The request of the newest wish.
    private(set) var asked: DeviceRequest?
    private var wakeAt: Int64?
    /// Answers and samples that came of effects.
    private var followUps: [DeviceEvent] = []
    private var isTaking = false

    static let sim = SIMReading(
        slot: 0, mcc: 624, mnc: 1, networkType: .lte, cellID: 4_711, rsrp: -97, carriesData: true)
    static let place = PlaceReading(latitude: 4.05, longitude: 9.7, accuracyMetres: 12, source: .gps)
    static let everything = ConsentChoice(
        purposes: Set(ConsentChoice.everyPurpose), policyVersion: "1", ageBand: "18+")

    init(_ settings: DeviceSettings = DeviceSettings(platform: "test", appVersion: "1"), seed: UInt64 = 1) throws {
        directory = try TemporaryDirectory()
        self.settings = settings
        loop = try DeviceLoop(
            DeviceStore(path: directory.path("store"), key: Self.key, isSynced: false), settings, seed: seed)
    }

    var uploads: [DeviceRequest] { requests.filter(\.isUpload) }
    var state: DeviceState { loop.core.state }
    var slow: SlowState { loop.core.slow }
    var facts: QueueFacts { loop.store.facts }
    var counters: [String: Int64] { loop.store.counters }
    var reading: ClockReading {
        ClockReading(wall: Self.start + elapsed + wallError, uptime: elapsed, boot: "a")
    }

    /// Ends the process and starts it again.
    func restart() throws {
        try loop.store.close()
        loop = try DeviceLoop(
            DeviceStore(path: directory.path("store"), key: Self.key, isSynced: false), settings, seed: 2)
    }

    /// Takes an event and does what follows from it.
    func take(_ event: DeviceEvent) throws {
        followUps.append(event)
        guard !isTaking else { return }
        isTaking = true
        defer { isTaking = false }
        while !followUps.isEmpty {
            let event = followUps.removeFirst()
            do {
                for effect in try loop.take(event, at: reading) { perform(effect) }
            } catch {
                followUps = []
                throw error
            }
        }
    }

    /// Takes an event; what follows from it never happens, as the process dies.
    func takeAndDie(_ event: DeviceEvent) throws {
        _ = try loop.take(event, at: reading)
        try restart()
    }

    /// Asks for something, and hears what the service says; nil: there was nobody to ask.
    func ask(_ wish: PersonalRequest) throws -> PersonalAnswer? {
        asked = nil
        try take(.wished(wish))
        guard let request = asked else { return nil }
        requests.append(request)
        let response = service(request)
        let exchange = DeviceExchange(response: response, sentBytes: 300, receivedBytes: 300)
        try take(.heard(wish, exchange, milliseconds: 100, path: conditions.path))
        return PersonalAnswer(wish, response)
    }

    func wake() throws { try take(.woke(conditions)) }

    /// Lets time pass; the kit is woken when it wants to be.
    func pass(_ milliseconds: Int64) throws {
        let end = elapsed + milliseconds
        while let wakeAt, wakeAt <= end {
            elapsed = max(elapsed, wakeAt)
            self.wakeAt = nil
            try wake()
        }
        elapsed = end
    }

    private func perform(_ effect: DeviceEffect) {
        switch effect {
        case .wake(let after): wakeAt = elapsed + after
        case .sample(let request):
            samples.append(request)
            var seen = sample
            if request.isPlacePrecise == nil { seen.place = nil }
            if request.testBytes == 0 { seen.speed = nil }
            followUps.append(.sampled(seen, conditions))
        case .send(let call, let request):
            requests.append(request)
            let response = service(request)
            let exchange = DeviceExchange(
                response: response, sentBytes: request.body.count + 300,
                receivedBytes: response.map { $0.body.count } ?? 0)
            followUps.append(.answered(call, exchange, milliseconds: 100, path: conditions.path))
        case .upload: break
        case .ask(let request): asked = request
        case .show(let prompt): prompts.append(prompt)
        case .withdraw(let prompt): withdrawn.append(prompt)
        case .askForConsent: consentQuestions += 1
        }
    }
}

extension DeviceRequest {
    /// The records of an upload, or the members of another body.
    var json: Any? {
        let isCompressed = headers["Content-Encoding"] == "gzip"
        let clear = isCompressed ? (try? Inflater.inflate(body, format: .gzip, limit: 16_000_000)) ?? [] : body
        return try? JSONSerialization.jsonObject(with: Data(clear))
    }

    var records: [[String: Any]] {
        (json as? [[String: Any]]) ?? (json as? [String: Any]).map { [$0] } ?? []
    }

    var isUpload: Bool {
        path == "/v1/reports" || path == "/v1/feedback" || path == "/v1/me/prompts" || route == .realtime
    }
}

/// Answers as the service gives them.
enum Answers {
    static let enrolled = DeviceResponse(status: 201, body: Array(#"{"device_id":"d","token":"t"}"#.utf8))
    static let done = DeviceResponse(status: 200, body: Array("{}".utf8))

    static func receipt(_ request: DeviceRequest, nextUpload: Int64? = 900) -> DeviceResponse {
        let count = request.records.count
        let body = #"{"batch_id":"b","accepted":\#(count),"duplicates":0,"conflicts":0,"rejected":0,"items":[]}"#
        return DeviceResponse(status: 200, nextUpload: nextUpload, body: Array(body.utf8))
    }

    static func problem(_ status: Int, _ code: String, retryAfter: Int64? = nil) -> DeviceResponse {
        DeviceResponse(
            status: status, retryAfter: retryAfter,
            body: Array(#"{"type":"urn:nkul:problem:\#(code)","title":"x","status":\#(status),"code":"\#(code)"}"#.utf8)
        )
    }

    /// A service that takes everything.
    static func willing(_ request: DeviceRequest) -> DeviceResponse? {
        if request.path == "/v1/devices" { return enrolled }
        return request.isUpload ? receipt(request) : done
    }
}
