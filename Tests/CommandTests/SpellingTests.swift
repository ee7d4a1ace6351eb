import Foundation
import Laboratory
import Models
import QoE
import Testing

@testable import Command

/// `nkul import` reads a value as the device API does: `Tests/Fixtures/values.tsv` says as what.
@Suite struct SpellingTests {
    @Test func `a value is read as the device API reads it`() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Fixtures/values.tsv")
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").filter { !$0.hasPrefix("#") }
        #expect(lines.count > 100)
        for line in lines {
            let cells = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            let field = try #require(RecordKind.report.field(named: cells[0]))
            #expect(field.stored(cells[1]) == Int64(cells[2]), "\(line)")
        }
    }
}
