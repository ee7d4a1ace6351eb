import Foundation
import Laboratory
import Models
import ServiceKit
import Wire

/// The uploads of recorded drives in the order in which phones would send them.
struct RecordedUploads {
    /// Reports of each phone, in order.
    private let phones: [[RecordingRow]]
    private let profile: RecordingProfile

    /// Milliseconds between the starts of two copies of a drive: far more than one block spans, so that no block has the same
    /// reports twice, which would compress too well.
    private static let copyDistance: Int64 = 300_000

    /// Casts phones for the drives and lets them start one after another.
    init(_ traces: RecordedTraces, as profile: RecordingProfile) {
        self.profile = profile
        let copies = traces.copies.prefix(profile.copies), hands = profile.step / traces.step
        var random = SplitMix64(seed: 624)
        if hands > 1 {
            let drives = copies.flatMap { $0 }
            phones = (0..<hands).map { Self.dealt(drives, hand: $0, of: hands, step: profile.step, &random) }
        } else {
            phones = copies.enumerated().flatMap { copy, drives in
                drives.map { Self.moved($0, to: Int64(copy) * Self.copyDistance + random.below(100_000)) }
            }
        }
    }

    var phoneCount: Int { phones.count }
    var reportCount: Int { phones.reduce(0) { $0 + $1.count } }

    /// Requests by `senders`, one a phone; the last report of all was captured now.
    func requests(of senders: [Phone], named ids: RecordID, to host: HostPort) throws -> [LoadRequest] {
        let last = phones.compactMap(\.last?.capturedAt).max() ?? 0
        let shift = Int64(Date().timeIntervalSince1970 * 1_000) - last
        var random = SplitMix64(seed: 7), uploads: [(due: Int64, request: LoadRequest)] = []
        for (rows, sender) in zip(phones, senders) {
            for first in stride(from: 0, to: rows.count, by: profile.uploadRows) {
                let part = first..<min(first + profile.uploadRows, rows.count)
                var json: [UInt8] = []
                for number in part {
                    var row = rows[number]
                    row.capturedAt += shift
                    row.texts[ColumnID.id] = ids.text(capturedAt: row.capturedAt, &random)
                    json.append(UInt8(ascii: number == first ? "[" : ","))
                    ReplayRowText.append(
                        row, capturedAt: row.capturedAt, seq: ids == .seq ? Int64(number + 1) : nil,
                        withID: ids != .seq, to: &json)
                }
                json.append(UInt8(ascii: "]"))
                uploads.append(
                    (
                        rows[part.upperBound - 1].capturedAt,
                        LoadRequest.reports(try Deflater.deflate(json, format: .gzip), token: sender.token, to: host)
                    ))
            }
        }
        return uploads.sorted { $0.due < $1.due }.map(\.request)
    }

    /// A drive that begins at another time.
    private static func moved(_ drive: [RecordingRow], to start: Int64) -> [RecordingRow] {
        let shift = start - (drive.first?.capturedAt ?? 0)
        return drive.map { row in
            var row = row
            row.capturedAt += shift
            return row
        }
    }

    /// What one of several phones gets of all drives, as cards are dealt, so that its reports are a step apart; give or take
    /// what phones are late in their sleep. Each takes the drives in an order of its own: phones that report together are
    /// in different places.
    private static func dealt(
        _ drives: [[RecordingRow]], hand: Int, of hands: Int, step: Int, _ random: inout SplitMix64
    ) -> [RecordingRow] {
        let start = random.below(Int64(step) * 1_000)
        var rows: [RecordingRow] = []
        for drive in drives.shuffled(using: &random) {
            for place in stride(from: hand, to: drive.count, by: hands) {
                var row = drive[place]
                row.capturedAt = start + Int64(rows.count * step * 1_000) + random.below(30_000)
                rows.append(row)
            }
        }
        return rows
    }
}
