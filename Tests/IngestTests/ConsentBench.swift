import Foundation
import IngestCommands
import IngestCommit
import IngestUploads
import Models
import QoE
import Wire

/// A device whose subscriber changes their mind, over an engine of its own.
final class ConsentBench {
    let bench: EngineBench
    let start = Reading.now
    private var nextSeq: Int64 = 1
    private(set) var device: DeviceIdentity

    init(_ consent: Consent, requestsLimit: Int = 1 << 20) throws {
        bench = try EngineBench(requestsLimit: requestsLimit)
        device = try Self.enrol(bench, consent).get()
    }

    static func enrol(_ bench: EngineBench, _ consent: Consent, now: Int64 = Reading.now) throws
        -> Result<DeviceIdentity, DeviceAPIError>
    {
        let enrolment = Enrolment(
            deviceID: [UInt8](0..<16), tokenHash: [UInt8](0..<32), platform: "android", appVersion: "1",
            consent: consent,
            policyVersion: "2025-1")
        return try bench.engine.commit([], commands: [enrolment], now: now).answers(to: Enrolment.self)[0]
    }

    /// Changes the consent; later uploads are read under it.
    @discardableResult
    func change(_ consent: Consent, at time: Int64, policy: String = "2025-1") throws -> IngestOutcome {
        let change = ConsentChange(device: device.ordinal, consent: consent, policyVersion: policy)
        let outcome = try bench.engine.commit([], commands: [change], now: time)
        device = try outcome.answers(to: ConsentChange.self)[0].get().identity
        return outcome
    }

    /// An upload of one row for each time, read under the consent of now: prepared, not committed.
    func upload(captured times: [Int64], event: String = "call_drop") throws -> Upload {
        let rows = times.map { time in
            defer { nextSeq += 1 }
            return """
                {"seq":\(nextSeq),"captured_at_ms":\(time),"latitude":3.8480123,"longitude":11.5021,"accuracy_m":8,
                 "location_source":"gps","speed_mps":3,"event":"\(event)","latency_ms":20}
                """
        }
        let body = Array(("[" + rows.joined(separator: ",") + "]").utf8)
        let request = UploadRequest(kind: .report, arrivedAt: times.max()!)
        return try body.withUnsafeBytes { try Reading.reader.read($0, of: device, as: request) }
    }

    /// Commits an upload; the rows that were stored, urgent ones first.
    func commit(_ upload: Upload, at time: Int64) throws -> (receipt: Result<Receipt, DeviceAPIError>, rows: [Columns])
    {
        let outcome = try bench.engine.commit([upload], now: time)
        return (
            outcome.receipts[0], try EngineBench.rows(outcome, .realtime) + EngineBench.rows(outcome, .batch)
        )
    }

    /// The consents that an outcome tells the privacy worker of.
    static func documents(_ outcome: IngestOutcome) throws -> [ConsentDocument] {
        try EngineBench.rows(outcome, .requests).flatMap { columns in
            try (0..<columns.rowCount).map { row in
                try JSONDecoder().decode(ConsentDocument.self, from: Data(columns[ColumnID.document]!.value(row)!))
            }
        }
    }
}
