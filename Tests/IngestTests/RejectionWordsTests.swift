import Testing

@testable import Ingest
@testable import IngestUploads

/// What a phone's author reads of a record that was not taken.
struct RejectionWordsTests {
    @Test(
        arguments: [
            (0, "0 seconds"), (1, "1 second"), (119, "119 seconds"), (120, "2 minutes"), (7_199, "119 minutes"),
            (7_200, "2 hours"), (172_799, "47 hours"), (777_600, "9 days"), (1_795_770_000, "56 years"),
            (UInt128(UInt64.max), "584542046090 years"),
        ] as [(UInt128, String)])
    func `a span is told in the largest unit of which there are two`(seconds: UInt128, text: String) {
        #expect(SpanInWords.text(seconds: seconds) == text)
    }

    @Test func `a text of another format is told with the format, by name and example`() {
        let time = RowDetail.text(.badFormat, value: "\"yesterday\"", offset: 0, field: "captured_at")
        #expect(time == "\"yesterday\" is no time of RFC 3339, e.g. 2026-03-01T10:00:00+01:00")
        let id = RowDetail.text(.badFormat, value: "\"7\"", offset: 0, field: "report_id")
        #expect(id.hasPrefix("\"7\" is no UUID, e.g. "))
    }
}
