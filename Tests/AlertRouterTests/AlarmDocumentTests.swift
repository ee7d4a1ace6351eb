import Foundation
import Models
import QoE
import Testing
import Wire

@testable import AlertRouter

@Suite
struct AlarmDocumentTests {
    private func alarm(_ urgent: Urgent) throws -> Alarm {
        var core = AlertRouterCore(nil, updateInterval: 1_000)
        _ = core.handle(.records([urgent.record], newDevices: 1, now: urgent.receivedAt))
        return try #require(core.alarm)
    }

    private func object(_ bytes: [UInt8]) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
    }

    @Test(arguments: [
        Urgent(event: .emergency), Urgent(event: .noService), Urgent(event: .callDrop), Urgent(rating: 1),
        Urgent(event: .callDrop, mnc: nil, latitude: nil),
    ])
    func `a document is JSON with what TMF642 asks for`(urgent: Urgent) throws {
        let document = try object(alarm(urgent).document(state: .raised))
        for name in [
            "id", "alarmType", "perceivedSeverity", "probableCause", "sourceSystemId", "state", "alarmRaisedTime",
            "alarmedObject", "rule", "cell", "devices",
        ] { #expect(document[name] != nil, "\(name)") }
        #expect(document["alarmRaisedTime"] as? String == "2025-06-15T15:06:40.000Z")
        #expect(document["state"] as? String == "raised")
    }

    @Test
    func `documents of networks and of late erasures are the same to the byte since the first version`() throws {
        let time = "2025-06-15T15:06:40.000Z", cell = Urgent.cell.text
        let placed = try String(decoding: alarm(.drop()).document(state: .raised), as: UTF8.self)
        let id = "62401-\(cell)-1750000000000"
        #expect(
            placed == """
                {"id":"\(id)","href":"/tmf-api/alarmManagement/v4/alarm/\(id)","@type":"Alarm","alarmType":\
                "qualityOfServiceAlarm","perceivedSeverity":"major","probableCause":"degradedSignal","specificProblem":\
                "calls are dropped","state":"raised","ackState":"unacknowledged","sourceSystemId":"nkul",\
                "serviceAffecting":true,"alarmRaisedTime":"\(time)","alarmReportingTime":"\(time)","alarmChangedTime":\
                "\(time)","alarmedObject":{"id":"62401/\(cell)","@referredType":"Cell"},"place":[{"id":"\(cell)","role":\
                "quadkey"}],"plmn":"62401","rule":"urgent.call_drop","cell":"\(cell)","devices":1,"records":1}
                """)
        let vague = try String(
            decoding: alarm(Urgent(rating: 1, mnc: nil, latitude: nil)).document(state: .raised), as: UTF8.self)
        #expect(
            vague.contains(
                """
                "alarmedObject":{"id":"unknown","@referredType":"Cell"},"plmn":"unknown","rule":"urgent.rating",\
                "cell":"","devices":1
                """))
        #expect(vague.contains("\"id\":\"unknown-none-1750000000000\""))
        var core = LatenessCore(nil)
        _ = core.handle(late: 2, now: 1_750_000_000_000)
        let late = try String(decoding: #require(core.alarm).document(state: .raised), as: UTF8.self)
        #expect(
            late == """
                {"id":"erasures-1750000000000","href":"/tmf-api/alarmManagement/v4/alarm/erasures-1750000000000","@type":\
                "Alarm","alarmType":"processingErrorAlarm","perceivedSeverity":"major","probableCause":\
                "thresholdCrossed","specificProblem":"erasures are not completed in time","state":"raised","ackState":\
                "unacknowledged","sourceSystemId":"nkul","serviceAffecting":false,"alarmRaisedTime":"\(time)",\
                "alarmReportingTime":"\(time)","alarmChangedTime":"\(time)","alarmedObject":{"id":"erasures",\
                "@referredType":"Service"},"plmn":"unknown","rule":"erasure.late","cell":"","devices":0,"records":2}
                """)
    }

    @Test
    func `a header has the attributes of CloudEvents and Nkul's own`() throws {
        let alarm = try alarm(.drop())
        let telling = try #require(AlarmNotification(.changeSeverity(from: .minor), alarm))
        let header = try object(AlertHeader.alarm(telling, tenant: .regulator, seq: 12, time: 1_750_000_000_123))
        #expect(header["specversion"] as? String == "1.0")
        #expect(header["id"] as? String == "12")
        #expect(header["source"] as? String == "/nkul/alerts/regulator")
        #expect(header["type"] as? String == "nkul.alarm.updated")
        #expect(header["time"] as? String == "2025-06-15T15:06:40.123Z")
        #expect(header["subject"] as? String == alarm.id)
        #expect(header["seq"] as? Int == 12)
        #expect(header["severity"] as? String == "major")
        #expect(header["previousSeverity"] as? String == "minor")
        #expect(header["encoding"] as? String == "deflate")
    }

    @Test
    func `a change of severity is told under the old topic and then the new`() throws {
        let alarm = try alarm(.drop())
        #expect(
            AlarmNotification(.changeSeverity(from: .minor), alarm)?.topics == [
                alarm.key.topic(.minor), alarm.key.topic(.major),
            ])
        #expect(AlarmNotification(.update, alarm)?.topics == [alarm.key.topic(.major)])
        #expect(AlarmNotification(.raise, alarm)?.topics == [alarm.key.topic(.major)])
        #expect(AlarmNotification(.wait(until: 1), alarm) == nil)
    }

    @Test
    func `a body is a zlib stream of the document, one after another from one deflater`() throws {
        let deflater = BodyDeflater()
        for size in [0, 1, 700, 100_000] {
            let document = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 3) }
            #expect(try Inflater.inflate(deflater.deflate(document), format: .zlib, limit: 1 << 20) == document)
        }
    }

    @Test(
        arguments: [
            0, -1, 951_782_399_999, 951_782_400_000, 1_709_164_800_000, 4_102_444_799_999, 1_750_000_000_123,
        ] as [Int64])
    func `times are RFC 3339 in UTC, as Foundation writes them`(time: Int64) {
        let formatter = ISO8601DateFormatter()
        formatter.formatOptions = [.withInternetDateTime, .withFractionalSeconds]
        let seconds = Int64((Double(time) / 1000).rounded(.down))
        formatter.formatOptions = [.withInternetDateTime]
        let expected = formatter.string(from: Date(timeIntervalSince1970: Double(seconds))).dropLast()
        let fraction = String(1_000 + time - seconds * 1000).dropFirst()
        #expect(Timestamp.text(time) == "\(expected).\(fraction)Z")
    }
}
