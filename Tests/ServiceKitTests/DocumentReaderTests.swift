import Models
import ServiceKit
import Testing

@Suite struct DocumentReaderTests {
    @Test func `what stands inside of secrets is not shown either`() {
        var reader = DocumentReader(
            ["keys": [["hex": "hunter2"]], "inner": ["hex": "hunter2"]], within: "secrets.", areSecret: true)
        for var one in reader.objects("keys", in: 1...1, of: "keys") + [reader.object("inner")].compactMap(\.self) {
            _ = one.whole("hex", in: 1...2, default: 1)
            #expect(one.problems.count == 1 && !one.problems.contains { $0.description.contains("hunter2") })
        }
    }
}
