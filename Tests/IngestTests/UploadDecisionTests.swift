import IngestDuplicates
import IngestUploads
import Models
import Testing
import Wire

/// What is decided of an upload is what would be decided of its rows one by one, in whatever order their counters are.
@Suite struct UploadDecisionTests {
    private static let now = Reading.now

    private struct Row {
        let seq: Int
        var id: Int?
        var pci = 1
        var age = 1_000

        var text: String {
            let identifier = id.map { #","id":"00000000-0000-4000-8000-0000000\#(10_000 + $0)""# } ?? ""
            return #"{"seq":\#(seq),"captured_at_ms":\#(now - Int64(age)),"pci":\#(pci)\#(identifier)}"#
        }
    }

    private func upload(_ rows: some Sequence<Row>) throws -> Upload {
        let text = "[" + rows.map(\.text).joined(separator: ",") + "]"
        return try Reading.upload(Array(text.utf8), listsAll: true)
    }

    private func said(_ decision: UploadDecision) -> [String] {
        decision.items.map { "\($0.status) \($0.code ?? "")" }
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func `counters in any order are decided as row by row`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var rows = (1...300).map { Row(seq: $0 * 64 % 997 * 7 + 1) }
        for _ in 0..<100 {
            var row = rows.randomElement(using: &random)!
            switch Int.random(in: 0..<4, using: &random) {
            case 0: break
            case 1: row.pci = 2
            case 2: row.id = Int.random(in: 0..<9, using: &random)
            default: row.age = 9 * 86_400_000
            }
            rows.append(row)
        }
        rows.shuffle(using: &random)
        var memory = LayeredMemory(), oneByOne = LayeredMemory()
        let whole = UploadDecision(try upload(rows), &memory, now: Self.now, onlyUrgent: false)
        let each = try rows.map { row in
            UploadDecision(try upload([row]), &oneByOne, now: Self.now, onlyUrgent: false)
        }
        #expect(said(whole) == each.flatMap(said))
        #expect(whole.accepted == rows.indices.filter { !each[$0].accepted.isEmpty }.map(Int32.init))
        #expect(memory == oneByOne)
        #expect(Set(said(whole)).count > 4, "\(Set(said(whole)))")
    }
}
