import Foundation
import Models
import QoE
import Testing

@testable import NkulDevice

/// How records reach the service.
struct DeviceUploadTests {
    private static let minute: Int64 = 60_000
    private static let hour: Int64 = 3_600_000

    private func consenting(_ settings: DeviceSettings? = nil) throws -> VirtualPhone {
        let phone = try settings.map { try VirtualPhone($0) } ?? VirtualPhone()
        try phone.wake()
        try phone.take(.consented(VirtualPhone.everything))
        return phone
    }

    @Test func `nothing is measured, sent or asked before somebody consents`() throws {
        let phone = try VirtualPhone()
        phone.service = Answers.willing
        try phone.wake()
        try phone.pass(2 * Self.hour)
        #expect(phone.requests.isEmpty && phone.samples.isEmpty)
    }

    @Test func `a phone enrols, samples and uploads, and each record is dropped at its receipt`() throws {
        let phone = try consenting()
        phone.service = Answers.willing
        try phone.pass(2 * Self.hour)
        #expect(phone.requests.first?.path == "/v1/devices" && phone.state.token == "t")
        let uploads = phone.requests.filter(\.isUpload)
        #expect((5...9).contains(uploads.count))
        #expect(
            uploads.allSatisfy { $0.headers["Authorization"] == "Bearer t" && $0.headers["Idempotency-Key"] != nil })
        let seqs = uploads.flatMap(\.records).compactMap { $0["seq"] as? Int }
        #expect(seqs == Array(1...seqs.count) && seqs.count >= 7)
        #expect(phone.counters["accepted"] == Int64(seqs.count))
    }

    @Test func `an upload is sent again word for word, also by the next process`() throws {
        let phone = try consenting()
        phone.service = { $0.isUpload ? nil : Answers.willing($0) }
        try phone.pass(Self.hour)
        try phone.restart()
        try phone.wake()
        try phone.pass(3 * Self.hour)
        let tries = phone.requests.filter(\.isUpload)
        #expect(tries.count >= 4)
        #expect(Set(tries.map(\.body)).count == 1 && Set(tries.map { $0.headers["Idempotency-Key"] }).count == 1)
        phone.service = Answers.willing
        try phone.pass(2 * Self.hour)
        let seqs = phone.requests.filter(\.isUpload).dropFirst(tries.count).flatMap(\.records).compactMap {
            $0["seq"] as? Int
        }
        #expect(seqs == Array(1...seqs.count))
    }

    @Test func `pauses double up to an hour, and end when the network is back`() throws {
        let phone = try consenting()
        phone.service = { $0.isUpload ? nil : Answers.willing($0) }
        var times: [Int64] = []
        phone.service = { request in
            if request.isUpload { times.append(phone.elapsed) }
            return request.isUpload ? nil : Answers.willing(request)
        }
        try phone.pass(8 * Self.hour)
        let pauses = zip(times.dropFirst(), times).map { $0 - $1 }
        for (place, pause) in pauses.enumerated() {
            let wanted = min(Self.hour, 30_000 << Int64(min(place, 7)))
            #expect(pause >= wanted * 3 / 4 && pause <= wanted * 5 / 4 + 1)
        }
        phone.conditions.path = .none
        try phone.wake()
        let before = times.count
        try phone.pass(2 * Self.hour)
        #expect(times.count == before, "nothing is tried without a network")
        phone.conditions.path = .mobile
        try phone.wake()
        #expect(times.count == before + 1)
    }

    @Test func `nothing is sent before Retry-After, not even what is urgent`() throws {
        let phone = try consenting()
        phone.service = Answers.willing
        try phone.pass(Self.minute)
        phone.service = { $0.isUpload ? Answers.problem(429, "rate_limited", retryAfter: 1_200) : Answers.willing($0) }
        try phone.take(.happened(Occurrence(.callDrop, sim: VirtualPhone.sim)))
        let before = phone.requests.count
        try phone.take(.happened(Occurrence(.emergency, sim: VirtualPhone.sim)))
        try phone.pass(1_190_000)
        #expect(phone.requests.count == before)
        try phone.pass(60_000)
        #expect(phone.requests.count > before)
    }

    @Test func `ordinary records wait until the service wants them, urgent ones do not`() throws {
        let phone = try consenting()
        phone.service = Answers.willing
        try phone.pass(20 * Self.minute)
        phone.service = { $0.isUpload ? Answers.receipt($0, nextUpload: 5_000) : Answers.willing($0) }
        try phone.pass(20 * Self.minute)
        let bulk = phone.requests.filter { $0.isUpload }.count
        try phone.pass(4_000_000)
        #expect(phone.requests.filter { $0.isUpload }.count <= bulk + 1)
        let before = phone.uploads.count
        try phone.take(.rated(Rating(stars: 1)))
        #expect(phone.uploads.count == before + 1)
        #expect(phone.uploads.last?.records.first?["rating"] as? Int == 1)
    }

    @Test func `an urgent record is a message with its own time, and a request when the message is lost`() throws {
        let phone = try consenting()
        phone.service = Answers.willing
        try phone.pass(Self.minute)
        phone.service = { $0.route == .realtime ? nil : Answers.willing($0) }
        try phone.take(.happened(Occurrence(.callDrop, sim: VirtualPhone.sim)))
        let tries = phone.uploads.suffix(2)
        let message = try #require(tries.first), request = try #require(tries.last)
        #expect(message.route == .realtime && request.route == .http && request.path == "/v1/reports")
        #expect(message.records.first?["sent_at_ms"] as? Int64 == phone.reading.wall)
        var withoutTime = try #require(message.records.first)
        withoutTime["sent_at_ms"] = nil
        #expect(NSDictionary(dictionary: withoutTime) == NSDictionary(dictionary: request.records[0]))
        #expect(phone.facts.urgent.count == 0)
    }

    @Test func `an answer that is no receipt is no receipt`() throws {
        let phone = try consenting()
        phone.service = { request in
            request.isUpload
                ? DeviceResponse(status: 200, body: Array("<html>Welcome to the hotel</html>".utf8))
                : Answers.willing(request)
        }
        try phone.pass(Self.hour)
        phone.service = { request in
            request.isUpload ? DeviceResponse(status: 404, body: Array("<html>".utf8)) : Answers.willing(request)
        }
        try phone.pass(3 * Self.hour)
        #expect(phone.counters["accepted"] == nil && phone.counters.keys.allSatisfy { !$0.hasPrefix("refused") })
        phone.service = Answers.willing
        try phone.pass(3 * Self.hour)
        let made = try #require(phone.counters["made"]), accepted = try #require(phone.counters["accepted"])
        #expect(made - accepted <= 4)
    }

    @Test func `too large is cut in halves until it is taken`() throws {
        let phone = try consenting()
        phone.conditions.path = .none
        try phone.wake()
        try phone.pass(10 * Self.hour)
        phone.service = { request in
            guard request.isUpload else { return Answers.willing(request) }
            return request.records.count > 7 ? Answers.problem(413, "too_many_rows") : Answers.receipt(request)
        }
        phone.conditions.path = .wifi
        try phone.wake()
        try phone.pass(Self.hour)
        #expect((phone.counters["accepted"] ?? 0) >= 40)
        #expect(phone.requests.filter { $0.isUpload }.map { $0.records.count }.max()! > 7)
    }

    @Test func `a counter that the service knows from before a backup is counted on from where it says`() throws {
        let phone = try consenting()
        var used: Set<Int> = Set(1...40)
        var sent: [Int] = []
        phone.service = { request in
            guard request.isUpload else { return Answers.willing(request) }
            let seqs = request.records.compactMap { $0["seq"] as? Int }
            let conflicts = seqs.enumerated().filter { used.contains($0.element) }
            let items = conflicts.map {
                #"{"index":\#($0.offset),"id":null,"status":"conflict","code":"seq_conflict","detail":"count on from 41, or"}"#
            }
            sent += seqs.filter { !used.contains($0) }
            used.formUnion(seqs)
            let body = """
                {"batch_id":"b","accepted":\(seqs.count - conflicts.count),"duplicates":0,"conflicts":\(conflicts.count),\
                "rejected":0,"items":[\(items.joined(separator: ","))]}
                """
            return DeviceResponse(status: 200, nextUpload: 900, body: Array(body.utf8))
        }
        try phone.pass(4 * Self.hour)
        #expect((phone.counters["renumbered"] ?? 0) > 0 && phone.counters["conflicts"] == nil)
        #expect(sent.count == Set(sent).count && sent.min()! > 40)
        #expect(phone.counters["accepted"] == Int64(sent.count))
    }

    @Test func `a token that nobody has is given up, and the phone enrols again`() throws {
        let phone = try consenting()
        phone.service = Answers.willing
        try phone.pass(Self.minute)
        phone.service = { $0.isUpload ? Answers.problem(401, "unauthorized") : Answers.willing($0) }
        try phone.take(.rated(Rating(stars: 1)))
        #expect(phone.requests.filter { $0.path == "/v1/devices" }.count >= 2)
        phone.service = Answers.willing
        try phone.pass(2 * Self.hour)
        #expect(phone.facts.urgent.count == 0 && phone.facts.pending[.urgent] == nil)
    }

    @Test func `uploads stay under 50 KB, and what waited for days follows at once`() throws {
        let phone = try consenting()
        phone.conditions.path = .none
        phone.conditions.motion = .moving
        try phone.wake()
        try phone.pass(6 * 24 * Self.hour)
        phone.service = Answers.willing
        phone.conditions.path = .wifi
        try phone.wake()
        try phone.pass(Self.minute)
        let uploads = phone.requests.filter(\.isUpload)
        #expect(uploads.count >= 2 && uploads.allSatisfy { $0.body.count < 50_000 })
        #expect(phone.facts.isEmpty)
    }
}
