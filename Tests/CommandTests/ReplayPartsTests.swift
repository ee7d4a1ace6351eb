import Foundation
import Models
import NIOCore
import QoE
import ServiceKit
import Testing

@testable import Laboratory

struct ReplayPartsTests {
    private func device(_ name: String, rows: Int, seq: Bool = true, id: Bool = true) -> RecordingSurvey.Device {
        var device = RecordingSurvey.Device(name: name)
        device.rows = rows
        device.highestSeq = seq ? Int64(rows) : 0
        device.hasSeq = seq
        device.isIdentified = seq || id
        return device
    }

    @Test func `each device has a phone unless told otherwise`() {
        let cast = ReplayCast([device("a", rows: 5), device("b", rows: 7, seq: false)], phones: nil)
        #expect(cast.phones.map(\.name) == ["a", "b"] && cast.players == [[0], [1]])
        #expect(cast.phones.allSatisfy { $0.numbering == .recorded })
    }

    @Test func `further phones send no ids of the recording`() {
        let cast = ReplayCast([device("a", rows: 5), device("b", rows: 7, seq: false)], phones: 4)
        #expect(cast.phones.map(\.name) == ["a", "b", "a#1", "b#1"] && cast.players == [[0, 2], [1, 3]])
        #expect(cast.phones.map(\.numbering) == [.recorded, .recorded, .recordedSeq, .counted])
    }

    @Test func `a device whose rows are not all named is numbered anew`() {
        #expect(ReplayCast([device("a", rows: 5, seq: false, id: false)], phones: nil).phones[0].numbering == .counted)
    }

    @Test func `phones that share devices count the rows of all of them`() {
        let cast = ReplayCast((0..<5).map { device("\($0)", rows: 10) }, phones: 2)
        #expect(cast.players == [[0], [1], [0], [1], [0]] && cast.phones.map(\.span) == [30, 20])
    }

    private let sender = ReplayUpload.Sender(play: 0, phone: 3, kind: .report)

    private func write(_ bytes: inout [UInt8]) { bytes.append(UInt8(ascii: "x")) }

    @Test func `rows wait for company up to a number`() {
        var grouper = ReplayGrouper(rowLimit: 3, patience: 1_000)
        #expect(grouper.add(sender, row: 0, time: 0, isUrgent: false, write: write).isEmpty)
        #expect(grouper.add(sender, row: 1, time: 10, isUrgent: false, write: write).isEmpty)
        let full = grouper.add(sender, row: 2, time: 20, isUrgent: false, write: write)
        #expect(full == [ReplayUpload(sender: sender, firstRow: 0, due: 20, body: Array("[x,x,x]".utf8), rows: 3)])
        #expect(grouper.drain(at: 30).isEmpty)
    }

    @Test func `rows wait for company up to a time`() {
        var grouper = ReplayGrouper(rowLimit: 3, patience: 1_000)
        _ = grouper.add(sender, row: 4, time: 5, isUrgent: false, write: write)
        #expect(grouper.due(at: 1_004).isEmpty)
        #expect(grouper.due(at: 9_999).map(\.due) == [1_005])
        #expect(grouper.due(at: 99_999).isEmpty)
    }

    @Test func `an urgent row goes at once and alone`() {
        var grouper = ReplayGrouper(rowLimit: 3, patience: 1_000)
        _ = grouper.add(sender, row: 0, time: 0, isUrgent: false, write: write)
        let urgent = grouper.add(sender, row: 1, time: 7, isUrgent: true, write: write)
        #expect(urgent.map(\.rows) == [1] && urgent.map(\.due) == [7] && urgent[0].isUrgent)
        #expect(Array(grouper.firstRows(of: 0)) == [0])
    }

    @Test func `what waits is bounded, the oldest goes early`() {
        var grouper = ReplayGrouper(rowLimit: 100, patience: 1 << 40, byteLimit: 200)
        var largest = 0, gone: [Int] = []
        for row in 0..<500 {
            let sender = ReplayUpload.Sender(play: 0, phone: row % 60, kind: .report)
            gone += grouper.add(sender, row: row, time: Int64(row), isUrgent: false, write: write).map(\.firstRow)
            largest = max(largest, grouper.firstRows(of: 0).reduce(0) { sum, _ in sum + 1 })
        }
        #expect(largest <= 101 && gone == gone.sorted() && gone.first == 0)
    }

    @Test(arguments: [429, 503, 500, 408])
    func `what may pass is tried again, as late as the service asks`(status: Int) {
        func answer(_ retryAfter: Int?) -> Result<LoadResponse, LoadFailure> {
            .success(LoadResponse(status: status, retryAfter: retryAfter, body: ByteBuffer()))
        }
        #expect(ReplayRetry.decide(answer(3), attempt: 0) == .again(after: 3_000))
        #expect(ReplayRetry.decide(answer(nil), attempt: 2) == .again(after: 400))
        #expect(ReplayRetry.decide(.failure(.timedOut), attempt: 50) == .again(after: 5_000))
    }

    @Test func `a row is JSON that says what the recording says`() throws {
        var row = RecordingRow(device: "d", kind: .feedback)
        row.values = [
            ColumnID.capturedAt: 5, ColumnID.seq: 9, ColumnID.rsrp: -843,
            ColumnID.networkType: NetworkType.lteCA.rawValue,
            ColumnID.roaming: 1, ColumnID.rating: 2, ColumnID.latitude: -1,
        ]
        row.texts = [ColumnID.comment: "\"no\"\\\u{1}\u{85}😡", ColumnID.id: "i"]
        var bytes: [UInt8] = []
        ReplayRowText.append(row, capturedAt: 1_005, seq: 12, withID: false, to: &bytes)
        let parsed = try JSONSerialization.jsonObject(with: Data(bytes))
        let object = try #require(parsed as? [String: Any])
        #expect(object["captured_at_ms"] as? Int == 1_005 && object["seq"] as? Int == 12 && object["id"] == nil)
        #expect(object["rsrp_dbm"] as? Double == -84.3 && object["network_type"] as? String == "LTE_CA")
        #expect(object["roaming"] as? Bool == true && object["comment"] as? String == "\"no\"\\\u{1}\u{85}😡")
        #expect(object["latitude"] as? Double == -1e-7 && object.count == 8)
    }

    @Test func `an address is read from a URL`() throws {
        #expect(try ReplayTarget(url: "http://127.0.0.1:8080/").address.port == 8080)
        #expect(try ReplayTarget(url: "http://phones.example").address.port == 80)
        let secure = try ReplayTarget(url: "HTTPS://phones.example/")
        #expect(secure.isSecure && "\(secure)" == "https://phones.example:443")
        #expect(try ReplayTarget(url: "https://[::1]:8443").address == HostPort(host: "::1", port: 8443))
        #expect(try !ReplayTarget(url: "127.0.0.1:8080").isSecure)
        #expect(throws: (any Error).self) { try ReplayTarget(url: "ftp://phones.example") }
        #expect(throws: (any Error).self) { try ReplayTarget(url: "http://:x") }
    }

    @Test func `authorities are a PEM file, and only for https`() throws {
        let folder = ScratchFolder(), secure = try ReplayTarget(url: "https://phones.example")
        #expect(try secure.security(authorities: nil) != nil)
        #expect(try ReplayTarget(url: "http://phones.example").security(authorities: nil) == nil)
        for (target, file) in [
            (secure, folder.path + "/absent.pem"), (secure, folder.write("empty.pem", "nothing")),
            (try ReplayTarget(url: "http://phones.example"), "/etc/ssl/certs/ca-certificates.crt"),
        ] {
            let error = #expect(throws: ServiceError.self) { try target.security(authorities: file) }
            #expect(error?.exitCode == 2 && error?.message.hasPrefix("--ca") == true, "\(file)")
        }
    }

    @Test func `who cannot be trusted is not tried again`() {
        #expect(ReplayRetry.decide(.failure(.insecure("why")), attempt: 0) == .fatal("why"))
    }

    @Test func `a finished recording begins again at its start with its first shift`() throws {
        let folder = ScratchFolder()
        let text = "# nkul-recording 1\ndevice,kind,captured_at_ms,seq\nd,report,5,1\nd,report,9,2\n"
        let survey = try RecordingSurvey(path: folder.write("r", text))
        var state = ReplayState(survey, now: 1_000)
        state.isFinished = true
        state.position = 2
        state.begin(isLooping: false, end: survey.end, now: 5_000)
        #expect(state.position == 0 && state.roundShift == 991 && state.round == 0 && !state.isFinished)
        state.isFinished = true
        state.begin(isLooping: true, end: survey.end, now: 5_000)
        #expect(state.round == 1 && state.roundShift == 4_991)
        state.position = 1
        state.begin(isLooping: true, end: survey.end, now: 9_000)
        #expect(state.position == 1 && state.roundShift == 4_991)
        state.begin(isLooping: false, end: survey.end, now: 9_000)
        #expect(state.position == 0 && state.round == 0 && state.roundShift == 991)
    }

    @Test func `a state that is damaged is an error, not a new beginning`() throws {
        let folder = ScratchFolder()
        try FileManager.default.createDirectory(atPath: folder.path + "/replay", withIntermediateDirectories: true)
        folder.write("replay/abc.json", "{")
        #expect(throws: (any Error).self) { try ReplayState.load("abc", in: .init(path: folder.path)) }
    }
}
