import Logging
import Testing

@testable import ServiceKit

struct LogfmtHandlerTests {
    private func line(_ message: String, _ metadata: Logger.Metadata) -> String {
        let event = LogEvent(
            level: .warning, message: "\(message)", metadata: metadata, source: nil, file: "", function: "", line: 0)
        return LogfmtHandler.line(event, label: "ingest", metadata: ["a": "1"], now: "T")
    }

    @Test func `a line is one line whatever is in it`() {
        #expect(
            line("it\nbroke", ["path": "/x y", "q": "\"\\\u{1b}"])
                == "time=T level=warning service=ingest msg=\"it\\nbroke\" a=1 path=\"/x y\" q=\"\\\"\\\\\\u{1b}\"\n")
    }

    @Test func `plain words stay unquoted, empty ones do not vanish`() {
        #expect(
            line("listening", ["a": "127.0.0.1:80", "b": ""])
                == "time=T level=warning service=ingest msg=listening a=127.0.0.1:80 b=\"\"\n")
    }

    @Test(arguments: [
        (0, "1970-01-01T00:00:00.000Z"), (1_750_000_000_123, "2025-06-15T15:06:40.123Z"),
        (-1, "1969-12-31T23:59:59.999Z"),
    ])
    func `times are RFC 3339 in UTC`(time: Int64, text: String) {
        #expect(SystemTime.text(time) == text)
    }
}
