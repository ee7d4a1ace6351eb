import Models
import Testing

@testable import AggregatorCells

@Suite struct CellInboxTests {
    private struct Failure: Error {}

    private let inbox = CellInbox(batches: 2)
    private let slice = FoldSlice(part: FoldPart(last: 7), day: 0, number: 0)

    private func isEnd() throws -> Bool { if case .end = try inbox.takeSums() { true } else { false } }

    @Test func `a slice that nobody has begun is taken back, one that was begun is not`() throws {
        inbox.put(slice)
        #expect(try !isEnd())
        #expect(inbox.withdrawSlice())
        #expect(try isEnd())
        inbox.put(slice)
        guard case .sum(let begun)? = inbox.take(isSumming: false) else {
            Issue.record("no slice")
            return
        }
        #expect(begun.part.last == 7 && !inbox.withdrawSlice())
        inbox.endSums(nil)
        #expect(try isEnd())
    }

    @Test func `what keeps sums from being made is told after those that were`() throws {
        inbox.put(slice)
        _ = inbox.take(isSumming: false)
        guard case .fill(let batch)? = inbox.take(isSumming: true) else {
            Issue.record("no batch")
            return
        }
        inbox.put(filled: batch)
        inbox.endSums(nil, Failure())
        guard case .batch = try inbox.takeSums() else {
            Issue.record("no sums")
            return
        }
        #expect(throws: Failure.self) { try inbox.takeSums() }
        inbox.put(slice)
        #expect(try !isEnd(), "of the next slice it says nothing")
    }

    @Test func `a slice that is given up ends for both`() throws {
        inbox.put(slice)
        inbox.giveUp()
        #expect(try isEnd())
        #expect(inbox.isWanted)
        inbox.put(slice)
        _ = inbox.take(isSumming: false)
        inbox.giveUp()
        #expect(!inbox.isWanted)
        inbox.endSums(nil)
        #expect(try inbox.isWanted && isEnd())
    }
}
