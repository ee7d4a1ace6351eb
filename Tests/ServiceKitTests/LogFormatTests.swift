import Foundation
import Logging
import Testing

@testable import ServiceKit

struct LogFormatTests {
    private func line(_ message: String, _ metadata: Logger.Metadata) -> LogLine {
        LogLine(
            time: "T", level: .warning, label: "ingest", message: message, metadata: metadata.merging(["a": "1"]) { $1 }
        )
    }

    private static let nasty = "it\nbroke \u{7f}\u{1b}[31m \"é\\\u{2028}"

    @Test func `a line is one line whatever is in it`() {
        #expect(
            line("it\nbroke", ["path": "/x y", "q": "\"\\\u{1b}"]).text(.text)
                == "time=T level=warning service=ingest msg=\"it\\nbroke\" a=1 path=\"/x y\" q=\"\\\"\\\\\\u{1b}\"")
    }

    @Test func `plain words stay unquoted, empty ones do not vanish`() {
        let text = line("listening", ["a": "127.0.0.1:80", "b": ""]).text(.text)
        #expect(text == "time=T level=warning service=ingest msg=listening a=1 b=\"\"")
    }

    @Test func `in JSON a line is one object that has everything as it was`() throws {
        let text = line(Self.nasty, ["path": "/x y", Self.nasty: "", "many": ["1", "2"]]).text(.json)
        #expect(text.unicodeScalars.allSatisfy { $0.value >= 32 }, "\(text)")
        let object = try JSONValue(bytes: Array(text.utf8))
        let metadata: [String: JSONValue] = [
            "a": .string("1"), "path": .string("/x y"), Self.nasty: .string(""), "many": .string(#"["1", "2"]"#),
        ]
        let expected: [String: JSONValue] = [
            "time": .string("T"), "level": .string("warning"), "label": .string("ingest"),
            "message": .string(Self.nasty), "metadata": .object(metadata),
        ]
        #expect(object == .object(expected))
    }

    @Test(arguments: LogFormat.allCases)
    func `an error is in the metadata, in either format`(format: LogFormat) throws {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        let logger = Logger(label: "ingest") { LogWriter(label: $0, format: format, output: ends[1]) }
        logger.warning("it failed", error: ServiceError(.failed, "no disk"), metadata: ["lane": "batch"])
        close(ends[1])
        let bytes = try #require(try FileHandle(fileDescriptor: ends[0], closeOnDealloc: true).readToEnd())
        let text = String(decoding: bytes, as: UTF8.self)
        switch format {
        case .text:
            #expect(text.hasSuffix("level=warning service=ingest msg=\"it failed\" error=\"no disk\" lane=batch\n"))
        case .json: #expect(text.contains(#""message":"it failed","metadata":{"error":"no disk","lane":"batch"}"#))
        }
    }

    @Test(arguments: [
        (0, "1970-01-01T00:00:00.000Z"), (1_750_000_000_123, "2025-06-15T15:06:40.123Z"),
        (-1, "1969-12-31T23:59:59.999Z"),
    ])
    func `times are RFC 3339 in UTC`(time: Int64, text: String) {
        #expect(SystemTime.text(time) == text)
    }
}
