import Foundation
import PipelineTesting
import Synchronization

/// Phones that send, of which some have themselves erased while they go on.
final class ErasureLoad: Sendable {
    let phones: [EnrolledPhone]
    /// Uploads of each phone, in their order.
    let uploads: [[[ReferenceRecord]]]
    /// Places of the phones that are to be erased.
    let erased: [Int]
    private let port: Int
    let now: Int
    private let requests: Mutex<[Int: String]> = Mutex([:])
    private let failures: Mutex<[String]> = Mutex([])
    private let working = Atomic<Int>(0)

    var problems: [String] { failures.withLock { $0 } }
    var isDone: Bool { working.load(ordering: .relaxed) == 0 }
    /// The request of each erased phone, by its place.
    var requested: [Int: String] { requests.withLock { $0 } }

    /// Enrols the phones, one after another, so that their numbers are their places + 1.
    ///
    /// - Parameter now: on the clocks of the services.
    init(
        _ pack: ServicePack, devices: Int, erased count: Int, seed: UInt64,
        now: Int = Int(Date().timeIntervalSince1970 * 1000)
    ) throws {
        port = pack.ingestPort
        self.now = now
        var random = SeededRandom(seed: seed)
        phones = try (0..<devices).map { _ in try EnrolledPhone.enrolled(port: pack.ingestPort) }
        erased = Array((0..<devices).shuffled(using: &random).prefix(count)).sorted()
        var uploads: [[[ReferenceRecord]]] = []
        for place in 0..<devices { uploads.append(Self.uploads(of: place, now, &random)) }
        self.uploads = uploads
    }

    /// What the first half of the uploads named, for a scan.
    func subjects(sentOnly: Bool) -> [ScannedSubject] {
        erased.map { place in
            let records = sentOnly ? uploads[place].prefix(1).flatMap(\.self) : uploads[place].flatMap(\.self)
            return ScannedSubject(
                ordinal: Int64(place + 1), identifiers: [phones[place].device] + records.compactMap { $0.text("id") },
                token: phones[place].token, texts: records.compactMap { $0.text("comment") })
        }
    }

    /// The model of a run that never saw the erased ones.
    var model: ReferenceModel {
        var model = ReferenceModel()
        let gone = Set(erased)
        for place in phones.indices where !gone.contains(place) {
            for upload in uploads[place] { _ = model.submit(upload, device: place + 1, receivedAt: now) }
        }
        return model
    }

    /// Every phone sends its first upload.
    func begin() { run { place in try self.send(self.uploads[place][0], of: place) } }

    /// The others follow; phones that are to be erased ask for it in between and go on as if nothing had happened.
    func goOn() {
        let gone = Set(erased)
        run { place in
            for upload in self.uploads[place].dropFirst() {
                if gone.contains(place) { try self.eraseOnce(place) }
                try self.send(upload, of: place)
            }
        }
    }

    private func run(_ work: @escaping @Sendable (Int) throws -> Void) {
        let next = Mutex(0), threads = 4
        working.store(threads, ordering: .relaxed)
        for _ in 0..<threads {
            Thread.detachNewThread {
                while let place = next.withLock({ next -> Int? in
                    defer { next += 1 }
                    return next < self.phones.count ? next : nil
                }) {
                    do { try work(place) } catch { self.failures.withLock { $0.append("phone \(place): \(error)") } }
                }
                self.working.subtract(1, ordering: .relaxed)
            }
        }
    }

    /// Sends until it is answered; an erased phone must be told so.
    private func send(_ records: [ReferenceRecord], of place: Int) throws {
        let wasErased = requests.withLock { $0[place] != nil }
        let answer = try EnrolledPhone.insisting {
            try self.phones[place].exchange(records, port: self.port)
        }
        guard answer.status == (wasErased ? 410 : 200) else { throw Refused(status: answer.status, text: answer.text) }
    }

    /// Asks for erasure until it is known to be taken: a lost answer shows as 410 that names the request.
    private func eraseOnce(_ place: Int) throws {
        guard requests.withLock({ $0[place] == nil }) else { return }
        let headers = ["Content-Type": "application/json", "Authorization": "Bearer \(phones[place].token)"]
        let answer = try EnrolledPhone.insisting {
            try HTTPExchange.send(
                "POST", "/v1/me/erasures", port: self.port, headers: headers,
                body: Array(#"{"scope":{"all":true}}"#.utf8))
        }
        let members = try JSONSerialization.jsonObject(with: Data(answer.body)) as? [String: Any]
        guard [202, 410].contains(answer.status), let request = members?["request_id"] as? String else {
            throw Refused(status: answer.status, text: answer.text)
        }
        requests.withLock { $0[place] = request }
    }

    private static func uploads(
        of place: Int, _ now: Int, _ random: inout SeededRandom
    ) -> [[ReferenceRecord]] {
        (0..<4).map { upload in
            let records = (0..<random.within(1...4)).map { _ in record(place, now, &random) }
            // An upload is of one kind.
            return upload == 2 ? records.map { feedback($0, &random) } : records
        }
    }

    private static func record(_ place: Int, _ now: Int, _ random: inout SeededRandom) -> ReferenceRecord {
        let id = String(
            format: "%08X-%04X-4%03X-8%03X-%012llX", UInt32(random.below(1 << 32)), random.below(65_536),
            random.below(4_096), random.below(4_096), UInt64(random.below(1 << 48)))
        var fields: [String: ReferenceRecord.Value] = [
            "id": .text(id.lowercased()), "captured_at_ms": .number(Double(now - random.below(40) * 3_600_000)),
            "latitude": .number(3.8 + Double(random.below(400)) / 10_000),
            "longitude": .number(11.5 + Double(random.below(400)) / 10_000), "mcc": .number(624),
            "mnc": .number(Double(1 + random.below(2))), "network_type": .text("LTE"),
            "download_kbps": .number(Double(random.below(50_000))),
        ]
        if random.chance(100) {
            fields["event"] = .text("emergency")
            // Recent enough to raise an alarm, whenever within the run it is sent.
            fields["captured_at_ms"] = .number(Double(now - random.below(3) * 1_000_000))
        }
        return ReferenceRecord(kind: "report", fields: fields)
    }

    private static func feedback(_ report: ReferenceRecord, _ random: inout SeededRandom) -> ReferenceRecord {
        var fields = report.fields
        fields["event"] = nil
        fields["rating"] = .number(Double(random.within(1...5)))
        fields["comment"] = .text(String(format: "words %012llx", UInt64(random.below(1 << 48))))
        return ReferenceRecord(kind: "feedback", fields: fields)
    }
}
