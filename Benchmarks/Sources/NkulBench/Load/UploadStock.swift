import Foundation
import Laboratory
import Models
import ServiceKit
import Synchronization
import Wire

/// Uploads made before a run, so that sending them costs little.
struct UploadStock: Sendable {
    /// Repetitions included.
    let requests: [LoadRequest]
    /// Records in all of them, repetitions included.
    let reports: Int
    /// Bodies of some of them, for the floor.
    let samples: [[UInt8]]
    /// When it was made: its reports were captured in the two minutes before, but for those of phones that were offline.
    var madeAt = UnixMilliseconds(Date().timeIntervalSince1970 * 1_000)

    /// Seconds since the bucket of 5 minutes began in which it was made. Below 120 its reports are in two buckets, whose cells
    /// all change.
    var secondsIntoBucket: Int { Int(madeAt % 300_000 / 1_000) }

    /// - Parameters:
    ///   - sizes: reports of an upload, drawn evenly.
    ///   - repeating: whether one upload in fifty is an earlier one again.
    ///   - age: how long ago its reports were captured, milliseconds, drawn evenly for each upload.
    static func make(
        uploads: Int, sizes: ClosedRange<Int>, phones: [Phone], cells: CellGrid, seed: UInt64, host: HostPort,
        repeating: Bool = true, age: ClosedRange<Int64> = 0...0
    ) throws -> UploadStock {
        let now = Int64(Date().timeIntervalSince1970 * 1_000), half = (uploads + 1) / 2
        let parts = Mutex<[Int: Part]>([:])
        DispatchQueue.concurrentPerform(iterations: 2) { worker in
            let range = worker * half..<min(uploads, (worker + 1) * half)
            let part = Part(range, sizes, phones, cells, seed &+ UInt64(worker), host, now, repeating, age)
            parts.withLock { $0[worker] = part }
        }
        let made = parts.withLock { [$0[0], $0[1]].compactMap { $0 } }
        return UploadStock(
            requests: made.flatMap(\.requests), reports: made.reduce(0) { $0 + $1.reports },
            samples: made.flatMap(\.samples), madeAt: now)
    }

    /// What one thread makes.
    private struct Part: Sendable {
        var requests: [LoadRequest] = []
        var reports = 0
        var samples: [[UInt8]] = []

        init(
            _ range: Range<Int>, _ sizes: ClosedRange<Int>, _ phones: [Phone], _ cells: CellGrid, _ seed: UInt64,
            _ host: HostPort, _ now: Int64, _ repeating: Bool, _ age: ClosedRange<Int64>
        ) {
            var text = ReportText(seed: seed), random = SplitMix64(seed: seed ^ 0x5eed)
            var deflater = Deflater(format: .gzip, level: 6)
            var earlier: [(phone: Phone, body: [UInt8], count: Int)] = []
            for number in range {
                if repeating, number % 50 == 49, earlier.count == 20 {
                    let again = earlier[random.below(20)]
                    add(again.phone, again.body, again.count, key: "again-\(seed)-\(number)", host)
                    continue
                }
                let phone = phones[number % phones.count], count = sizes.lowerBound + random.below(sizes.count)
                // One upload in twenty comes from a phone that was offline: its rows are late together.
                let offline = random.below(20) == 0 ? Int64(3_600_000 + random.below(6 * 86_400_000)) : 0
                let late = offline + Int64.random(in: age, using: &random)
                var json: [UInt8] = [91], body: [UInt8] = []
                for row in 0..<count {
                    if row > 0 { json.append(44) }
                    let place = (phone.number + random.below(3)) % cells.middles.count
                    text.append(device: phone.number, at: cells.middles[place], now: now, late: late, to: &json)
                }
                json.append(93)
                deflater.reset()
                guard (try? deflater.append(json, into: &body)) != nil, (try? deflater.finish(into: &body)) != nil
                else { continue }
                add(phone, body, count, key: nil, host)
                if samples.count < 1_000 { samples.append(body) }
                if earlier.count < 20 {
                    earlier.append((phone, body, count))
                } else {
                    earlier[random.below(20)] = (phone, body, count)
                }
            }
        }

        private mutating func add(_ phone: Phone, _ body: [UInt8], _ count: Int, key: String?, _ host: HostPort) {
            requests.append(.reports(body, token: phone.token, to: host, key: key))
            reports += count
        }
    }
}
