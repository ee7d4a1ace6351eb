import Foundation
import PipelineTesting

/// A recording as these tests send it, made of field traces.
///
/// What is added to them: times are moved, a trace at a time, to the last hours; now and then a record is given an event,
/// or a rating follows it, because field logs have no urgent records.
struct FieldRecording {
    /// Records of each phone, in order.
    let phones: [[ReferenceRecord]]
    /// True if the records were measured in the field.
    let isReal: Bool

    var recordCount: Int { phones.reduce(0) { $0 + $1.count } }

    /// - Parameters:
    ///   - mostRecords: no further phone is added once there are so many.
    ///   - naming: records that name no network, as those of most field logs, are given the phone's: one of two operators.
    init(seed: UInt64, now: Int, mostRecords: Int = .max, naming isNaming: Bool = false) throws {
        var random = SeededRandom(seed: seed)
        let field = try FieldTraces.shared.get()
        var phones: [[ReferenceRecord]] = [], count = 0
        for (index, trace) in field.traces.enumerated() where count < mostRecords {
            phones.append(
                Self.embellished(
                    trace.map { isNaming ? Self.named($0, network: index % 2 + 1) : $0 },
                    endingAt: now - index * 900_000, &random))
            count += phones[index].count
        }
        self.phones = phones
        isReal = field.isReal
    }

    private static func embellished(
        _ trace: [ReferenceRecord], endingAt end: Int, _ random: inout SeededRandom
    ) -> [ReferenceRecord] {
        let shift = Double(end) - (trace.compactMap { $0.number("captured_at_ms") }.max() ?? 0)
        var records: [ReferenceRecord] = []
        for var record in trace {
            record.fields["id"] = nil
            record.fields["captured_at"] = nil
            record.fields["captured_at_ms"] = .number((record.number("captured_at_ms") ?? 0) + shift)
            if random.chance(8) {
                record.fields["event"] = .text(random.pick(["call_drop", "no_service", "emergency"]))
            }
            records.append(named(record, records.count + 1, &random))
            if random.chance(5) {
                record.kind = "feedback"
                record.fields["rating"] = .number(Double(random.within(1...5)))
                records.append(named(record, records.count + 1, &random))
            }
        }
        return records
    }

    private static func named(_ record: ReferenceRecord, network: Int) -> ReferenceRecord {
        guard record.fields["mcc"] == nil else { return record }
        var record = record
        record.fields["mcc"] = .number(624)
        record.fields["mnc"] = .number(Double(network))
        return record
    }

    /// Phones count their records; some name them as well.
    private static func named(_ record: ReferenceRecord, _ seq: Int, _ random: inout SeededRandom) -> ReferenceRecord {
        var record = record
        record.fields["seq"] = .number(Double(seq))
        if random.chance(300) {
            let tail = String(random.below(1 << 40) | 1 << 40, radix: 16)
            record.fields["id"] = .text("0192f0c1-7a5b-7\(String(tail.prefix(3)))-8abc-0\(tail)".lowercased())
        }
        return record
    }
}
