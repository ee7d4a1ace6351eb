import Foundation
import Models
import QoE
import Testing
import Wire

@testable import Laboratory

struct RecordingTests {
    private let folder = ScratchFolder()

    private func rows(_ count: Int) -> [RecordingRow] {
        (0..<count).map { number in
            var row = RecordingRow(device: "d,\(number % 3)", kind: number % 2 == 0 ? .report : .feedback)
            row.capturedAt = 1_700_000_000_000 + Int64(number / 2)
            row.values[ColumnID.seq] = Int64(number) + 1
            row.values[ColumnID.latitude] = -38_482_700 + Int64(number)
            row.values[ColumnID.rsrp] = -843
            row.values[ColumnID.networkType] = NetworkType.hspaPlus.rawValue
            row.values[ColumnID.roaming] = 1
            row.texts[ColumnID.comment] = "say \"no\",\u{85} 😡"
            return row
        }
    }

    private func write(_ rows: [RecordingRow], _ name: String, _ notes: RecordingNotes = RecordingNotes()) throws
        -> String
    {
        let writer = try RecordingWriter(path: "\(folder.path)/\(name)", notes: notes)
        for row in rows { try writer.append(row) }
        try writer.finish()
        return writer.path
    }

    private func read(_ path: String) throws -> [RecordingRow] {
        var reader = try RecordingReader(path: path), rows: [RecordingRow] = []
        while let row = try reader.next() { rows.append(row) }
        return rows
    }

    @Test func `rows come back as they were written`() throws {
        #expect(try read(write(rows(3_000), "a")) == rows(3_000))
    }

    @Test func `rows that are sent later come back in that order, and only recordings with them have the column`()
        throws
    {
        var both = rows(2)
        both[0].sentAt = both[1].capturedAt + 5_000
        let writer = try RecordingWriter(path: "\(folder.path)/late", notes: RecordingNotes(), isDelayed: true)
        for row in both.reversed() { try writer.append(row) }
        try writer.finish()
        #expect(try read(writer.path) == both.reversed())
        #expect(RecordingColumns.header(isDelayed: true).prefix(3) == ["device", "kind", "sent_at_ms"])
        #expect(!RecordingColumns.header().contains("sent_at_ms"))
        let wrong = try RecordingWriter(path: "\(folder.path)/wrong", notes: RecordingNotes(), isDelayed: true)
        try wrong.append(both[0])
        #expect(throws: RecordingError.self) { try wrong.append(both[1]) }
        let survey = try RecordingSurvey(path: writer.path)
        #expect(survey.first == both[1].capturedAt && survey.end == both[0].sentAt)
    }

    @Test func `the same rows give the same bytes`() throws {
        _ = try write(rows(500), "a", RecordingNotes(["k": "v"]))
        _ = try write(rows(500), "b", RecordingNotes(["k": "v"]))
        #expect(folder.bytes("a") == folder.bytes("b"))
    }

    @Test func `notes come back with quotes, spaces and backslashes`() throws {
        let notes = RecordingNotes(["real": "radio, \"ping\"", "path": "a\\b=c", "empty": "", "seed": "7"])
        #expect(try RecordingReader(path: write(rows(1), "a", notes)).notes == notes)
    }

    @Test func `every field of reports and feedback has a column`() {
        for field in RecordKind.report.fields + RecordKind.feedback.fields {
            #expect(RecordingColumns.header().contains(RecordingColumns.name(of: field)))
        }
        #expect(Set(RecordingColumns.header()).count == RecordingColumns.header().count)
        #expect(RecordingColumns.header().prefix(2) == ["device", "kind"])
    }

    @Test func `outcomes of prompts come back, and only recordings with them have their columns`() throws {
        var row = RecordingRow(device: "d", kind: .prompt)
        row.capturedAt = 5
        row.values = row.values.merging([
            ColumnID.outcome: PromptOutcome.ignored.rawValue, ColumnID.promptRule: PromptRule.slowSpeed.rawValue,
        ]) { $1 }
        row.texts = [ColumnID.promptID: "p-1", ColumnID.policyVersion: "7"]
        let writer = try RecordingWriter(path: "\(folder.path)/p", notes: RecordingNotes(), further: [.prompt])
        try writer.append(row)
        try writer.finish()
        #expect(try read(writer.path) == [row])
        #expect(
            RecordingColumns.header(RecordingColumns.fields([.prompt])).suffix(3) == [
                "outcome", "policy_version", "rule",
            ])
        #expect(!RecordingColumns.header().contains("outcome"))
        var text: [UInt8] = []
        ReplayRowText.append(row, capturedAt: 9, seq: 3, withID: false, to: &text)
        #expect(
            String(decoding: text, as: UTF8.self)
                == #"{"seq":3,"captured_at_ms":9,"prompt_id":"p-1","outcome":"ignored","policy_version":"7","rule":"slow_speed"}"#
        )
    }

    @Test func `an unfinished recording leaves no file`() throws {
        do {
            let writer = try RecordingWriter(path: "\(folder.path)/half", notes: RecordingNotes())
            try writer.append(rows(1)[0])
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
    }

    @Test func `rows out of order are refused when written`() throws {
        let writer = try RecordingWriter(path: "\(folder.path)/a", notes: RecordingNotes())
        let both = rows(4)
        try writer.append(both[3])
        #expect(throws: RecordingError.self) { try writer.append(both[0]) }
    }

    @Test(arguments: [
        ("device,kind,captured_at_ms\n", ":1: not a recording"),
        ("# nkul-recording 2\ndevice,kind,captured_at_ms\n", ":1: a recording of format 2; this build reads up to 1"),
        ("# nkul-recording 1\ndevice,captured_at_ms\n", ":2: the header has no column kind"),
        ("# nkul-recording 1\ndevice,kind,captured_at_ms,rsrp_dbm\nd,report,5,-8x\n", ":3: column rsrp_dbm: \"-8x\""),
        ("# nkul-recording 1\ndevice,kind,captured_at_ms\nd,report,5\nd,quiz,6\n", ":4: column kind: \"quiz\""),
        (
            "# nkul-recording 1\ndevice,kind,captured_at_ms\nd,report,5\n\"d\n2\",report,6\nd,report,4\n",
            ":6: captured_at_ms 4"
        ),
        ("# nkul-recording 1\ndevice,kind,captured_at_ms\nd,report\n", ":3: 2 cells; the header has 3"),
        ("# nkul-recording 1\ndevice,kind,captured_at_ms\n,report,5\n", ":3: no device"),
        ("# nkul-recording 1\ndevice,kind,captured_at_ms,event\nd,report,5,flood\n", ":3: column event: \"flood\""),
    ])
    func `what is wrong is named with its line`(text: String, message: String) throws {
        let path = folder.write("bad.nkul.csv", text)
        let error = #expect(throws: RecordingError.self) { try read(path) }
        #expect("\(try #require(error))".hasPrefix(path + message), "\(String(describing: error))")
    }

    @Test func `a torn recording is an error, not an end`() throws {
        let bytes = { (folder: ScratchFolder) in Array(folder.bytes("a").dropLast(20)) }
        _ = try write(rows(3_000), "a")
        let torn = folder.write("torn", bytes(folder))
        #expect(throws: RecordingError.self) { try read(torn) }
    }

    @Test func `cells of unknown columns are passed over and counted`() throws {
        let path = folder.write(
            "a", "# nkul-recording 1\nmood,device,kind,captured_at_ms\nfine,d,report,5\n,d,report,6\nbad,d,report,7\n")
        var reader = try RecordingReader(path: path)
        #expect(try reader.next() == RecordingRow(device: "d", values: [ColumnID.capturedAt: 5]))
        while try reader.next() != nil {}
        #expect(reader.passedOver == ["mood": 2])
    }
}
