import AggregatorDeriving
import Foundation
import Models
import Testing

@Suite struct OpenRowDirectoryTests {
    @Test func `many days keep few files open and lose nothing`() throws {
        let world = try AggregatorWorld()
        let rows = (0..<30).map { AcceptedRow.plain(capturedAt: 1_785_000_000_000 + Int64($0) * 86_400_000) }
        for row in rows { try world.step([try world.block([row])]) }
        try world.settle()
        #expect(try world.open.existingDays().count == 30)
        #expect(try world.dump() == NaiveStatistics.dump(rows))
    }
}
