import Foundation
import PipelineTesting
import Testing

/// A few records that are sent while other services may not be there yet: a report, one that is urgent, a rating.
struct EarlyLoad {
    private let now = Int(Date().timeIntervalSince1970 * 1000)
    private let records: [[ReferenceRecord]]

    init() {
        let place: [String: ReferenceRecord.Value] = [
            "captured_at_ms": .number(Double(now - 1000)), "latitude": .number(4.05), "longitude": .number(9.7),
            "network_type": .text("LTE"), "mcc": .number(624), "mnc": .number(1),
        ]
        func record(_ seq: Int, _ kind: String, _ more: [String: ReferenceRecord.Value]) -> ReferenceRecord {
            let fields = place.merging(more) { $1 }.merging(["seq": .number(Double(seq))]) { $1 }
            return ReferenceRecord(kind: kind, fields: fields)
        }
        records = [
            [
                record(1, "report", ["download_kbps": .number(12_000)]),
                record(2, "report", ["event": .text("emergency")]),
            ],
            [record(3, "feedback", ["rating": .number(4)])],
        ]
    }

    /// Enrols a phone and sends everything.
    func send(to pack: ServicePack) throws {
        let phone = try EnrolledPhone.enrolled(port: pack.ingestPort)
        for upload in records {
            #expect(try phone.send(upload, key: nil, port: pack.ingestPort).allSatisfy { $0 == "accepted" })
        }
    }

    /// Waits until it is among raw rows, statistics, alarms and paid rewards.
    func expectArrived(in pack: ServicePack) throws {
        var model = ReferenceModel()
        for upload in records { _ = model.submit(upload, device: 1, receivedAt: now) }
        try PipelineCheck.expectAgreement(pack, model)
        var alarms = ""
        let isTold = try becomesTrue(within: 120) {
            alarms = try Self.alarms(in: pack)
            return model.alarms.allSatisfy { alarms.contains($0.cell) }
        }
        #expect(isTold, "\(alarms)")
    }

    private static func alarms(in pack: ServicePack) throws -> String {
        let token = try RawRowsPage.regulatorToken(pack)
        let headers = ["Authorization": "Bearer \(token)"]
        return try HTTPExchange.send("GET", "/v1/alarms", port: pack.exporterPort, headers: headers).text
    }
}
