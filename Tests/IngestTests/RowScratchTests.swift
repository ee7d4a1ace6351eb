import QoE
import Testing

@testable import IngestUploads

@Suite struct RowScratchTests {
    @Test func `an excerpt shows nothing of an earlier body`() throws {
        let scratch = RowScratch(slots: RowTables(.qoe).mostSlots, rows: 64, inflatedLimit: 10_000)
        try load(String(repeating: "somebody else's ", count: 40), scratch)
        try load(#"{"seq":1,"pci":x"#, scratch)
        #expect(scratch.excerpt(offset: 15, length: 40) == "x")
        #expect(scratch.excerpt(offset: 16, length: 40) == "")
        #expect(scratch.excerpt(offset: 200, length: 40) == "")
    }

    private func load(_ text: String, _ scratch: RowScratch) throws {
        try Array(text.utf8).withUnsafeBytes { try scratch.load($0, isCompressed: false) }
    }
}
