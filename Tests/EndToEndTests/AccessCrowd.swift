import Foundation
import PipelineTesting
import Synchronization

/// Phones that send, of which some ask for a copy of everything and fetch it.
final class AccessCrowd: Sendable {
    let phones: [EnrolledPhone]
    private let uploads: [[[ReferenceRecord]]]
    private let asking: [Int]
    private let port: Int
    private let fetched = Mutex<[Int: String]>([:])
    private let asked = Mutex<[Int: String]>([:])
    private let failures = Mutex<[String]>([])
    private let working = Atomic<Int>(0)

    /// The copies, by the place of the phone.
    var copies: [Int: String] { fetched.withLock { $0 } }
    /// The requests, by the place of the phone.
    var requests: [Int: String] { asked.withLock { $0 } }
    var problems: [String] { failures.withLock { $0 } }
    var isDone: Bool { working.load(ordering: .relaxed) == 0 }

    /// Enrols the phones, one after another, so that their numbers are their places + 1.
    init(_ pack: ServicePack, phones count: Int, asking: [Int], seed: UInt64) throws {
        port = pack.ingestPort
        self.asking = asking
        var random = SeededRandom(seed: seed)
        phones = try (0..<count).map { _ in try EnrolledPhone.enrolled(port: pack.ingestPort) }
        let now = Int(Date().timeIntervalSince1970 * 1_000)
        var uploads: [[[ReferenceRecord]]] = []
        for place in 0..<count {
            uploads.append((0..<4).map { Self.upload($0, of: place, now, &random) })
        }
        self.uploads = uploads
    }

    /// All records that a phone sends.
    func records(of place: Int) -> [ReferenceRecord] { uploads[place].flatMap(\.self) }

    /// Where a phone's rewards go.
    func number(of place: Int) -> String { "+2376700010\(place / 10)\(place % 10)" }

    /// What must not be in another's copy.
    func needles(of place: Int) -> [String] {
        [phones[place].device, phones[place].token, number(of: place)]
            + records(of: place).flatMap { [$0.text("id"), $0.text("comment")].compactMap(\.self) }
    }

    /// Everybody sends everything, gives a number and changes a consent.
    func send() throws {
        for place in phones.indices {
            for upload in uploads[place] {
                let answer = try EnrolledPhone.insisting { try self.phones[place].exchange(upload, port: self.port) }
                guard answer.status == 200 else { throw Refused(status: answer.status, text: answer.text) }
            }
            let payout = #"{"phone":"\#(number(of: place))","operator":"62401"}"#
            let consent = """
                {"consent":{"measurement":true,"location_precise":true,"location_coarse":true,"call_events":true,\
                "rewards":true,"operator_sharing":true,"research":true},"policy_version":"2"}
                """
            for (path, body) in [("/v1/me/payout", payout), ("/v1/me/consent", consent)] {
                let answer = try EnrolledPhone.insisting { try self.call("PUT", path, self.phones[place], body) }
                guard answer.status == 200 else { throw Refused(status: answer.status, text: answer.text) }
            }
        }
    }

    /// Those who ask do, each on a thread, and fetch their copy.
    func fetch() {
        working.store(asking.count, ordering: .relaxed)
        for place in asking {
            Thread.detachNewThread {
                do { try self.fetch(place) } catch { self.failures.withLock { $0.append("phone \(place): \(error)") } }
                self.working.subtract(1, ordering: .relaxed)
            }
        }
    }

    /// One call of a phone.
    func call(_ method: String, _ path: String, _ phone: EnrolledPhone, _ body: String = "") throws -> HTTPExchange {
        try HTTPExchange.send(
            method, path, port: port,
            headers: ["Content-Type": "application/json", "Authorization": "Bearer \(phone.token)"],
            body: Array(body.utf8))
    }

    private func fetch(_ place: Int) throws {
        let taken = try EnrolledPhone.insisting { try self.call("POST", "/v1/me/data", self.phones[place]) }
        let members = try JSONSerialization.jsonObject(with: Data(taken.body)) as? [String: Any]
        guard taken.status == 202, let request = members?["request_id"] as? String else {
            throw Refused(status: taken.status, text: taken.text)
        }
        asked.withLock { $0[place] = request }
        var last = ""
        let came = becomesTrue(within: 180) {
            guard let answer = try? self.call("GET", "/v1/me/data/\(request)", self.phones[place]) else { return false }
            last = "\(answer.status) \(answer.text.prefix(300))"
            guard answer.status == 200, answer.text.hasSuffix("}\n"), answer.text.contains(#""kind":"end""#) else {
                return false
            }
            self.fetched.withLock { $0[place] = answer.text }
            return true
        }
        if !came { throw Refused(status: 0, text: "no copy came: \(last)") }
    }

    private static func upload(
        _ number: Int, of place: Int, _ now: Int, _ random: inout SeededRandom
    ) -> [ReferenceRecord] {
        (0..<random.within(2...6)).map { _ in
            let id = String(
                format: "%08x-%04x-4%03x-8%03x-%012llx", UInt32(random.below(1 << 32)), random.below(65_536),
                random.below(4_096), random.below(4_096), UInt64(random.below(1 << 48)))
            var fields: [String: ReferenceRecord.Value] = [
                "id": .text(id), "captured_at_ms": .number(Double(now - random.below(40) * 3_600_000)),
                "latitude": .number(3.8 + Double(random.below(40)) / 10_000),
                "longitude": .number(11.5 + Double(random.below(40)) / 10_000), "mcc": .number(624),
                "mnc": .number(Double(1 + random.below(2))), "network_type": .text("LTE"),
                "download_kbps": .number(Double(random.below(50_000))),
            ]
            if number == 2 {
                fields["rating"] = .number(Double(random.within(1...5)))
                fields["comment"] = .text(String(format: "words %012llx", UInt64(random.below(1 << 48))))
                return ReferenceRecord(kind: "feedback", fields: fields)
            }
            if random.chance(300) {
                fields["event"] = .text("emergency")
                fields["captured_at_ms"] = .number(Double(now))
            }
            return ReferenceRecord(kind: "report", fields: fields)
        }
    }
}
