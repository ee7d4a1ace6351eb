import Foundation
import PipelineTesting
import Synchronization

/// A phone with a bad connection: each upload is tried once, what was not acknowledged goes into other uploads next time.
final class LatePhone: Sendable {
    let phone: EnrolledPhone
    let records: [ReferenceRecord]
    private let receipts: Mutex<[Int: String]> = Mutex([:])
    private let refusals: Mutex<[String]> = Mutex([])

    init(_ phone: EnrolledPhone, _ records: [ReferenceRecord]) {
        self.phone = phone
        self.records = records
    }

    /// Places of the records that the phone has no receipt for.
    var pending: [Int] { receipts.withLock { known in records.indices.filter { known[$0] == nil } } }

    /// Answers that were no receipts and did not say to come again.
    var refused: [String] { refusals.withLock { $0 } }

    /// What the first receipt said of each record.
    var statuses: [Int: String] { receipts.withLock { $0 } }

    /// `count` reports and ratings, named by a counter, by an id, or by both, captured one a second up to `end`.
    static func records(_ count: Int, until end: Int, seed: UInt64) -> [ReferenceRecord] {
        var random = SeededRandom(seed: seed)
        return (0..<count).map { place in
            var fields: [String: ReferenceRecord.Value] = [
                "captured_at_ms": .number(Double(end - (count - place) * 1_000)),
                "latitude": .number(4.05 + Double(random.below(100)) / 1_000), "longitude": .number(9.7),
                "network_type": .text("LTE"), "mcc": .number(624), "mnc": .number(1),
                "latency_ms": .number(Double(random.within(20...400))),
            ]
            let naming = random.below(3)
            if naming != 1 { fields["seq"] = .number(Double(place + 1)) }
            if naming != 0 { fields["id"] = .text(uuid(&random)) }
            guard random.chance(200) else { return ReferenceRecord(kind: "report", fields: fields) }
            fields["rating"] = .number(Double(random.within(1...5)))
            return ReferenceRecord(kind: "feedback", fields: fields)
        }
    }

    static func uuid(_ random: inout SeededRandom) -> String {
        let digits = String(random.next() | 1 << 63, radix: 16) + String(random.next() | 1 << 63, radix: 16)
        let parts = [8, 4, 4, 4, 12].reduce(into: (digits[...], [Substring]())) { rest, length in
            rest.1.append(rest.0.prefix(length))
            rest.0 = rest.0.dropFirst(length)
        }
        return parts.1.joined(separator: "-")
    }

    /// Cuts what is pending, and now and then something that is not, into uploads of up to `size`, and tries each once.
    ///
    /// - Parameter pause: microseconds between two uploads.
    func tryOnce(port: Int, size: Int, seed: UInt64, pause: UInt32 = 0) {
        var random = SeededRandom(seed: seed)
        let known = records.indices.filter { !pending.contains($0) && random.chance(200) }
        let places = (pending + known).shuffled(using: &random)
        for kind in ["report", "feedback"] {
            var rest = places.filter { records[$0].kind == kind }[...]
            while !rest.isEmpty {
                send(Array(rest.prefix(size)), port: port)
                rest = rest.dropFirst(size)
                usleep(pause)
            }
        }
    }

    private func send(_ places: [Int], port: Int) {
        guard let answer = try? phone.exchange(places.map { records[$0] }, port: port, timeout: 10) else { return }
        guard answer.status == 200,
            let receipt = try? JSONSerialization.jsonObject(with: Data(answer.body)) as? [String: Any]
        else {
            if answer.status != 503 { refusals.withLock { $0.append("\(answer.status) \(answer.text)") } }
            return
        }
        for item in receipt["items"] as? [[String: Any]] ?? [] {
            guard let index = item["index"] as? Int, let status = item["status"] as? String else { continue }
            receipts.withLock { $0[places[index], default: status] = $0[places[index]] ?? status }
        }
    }
}
