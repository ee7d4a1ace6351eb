import Models
import Storage
import Testing

@testable import RewardDispatcher

/// A provider's statement beside the books.
struct ReconciliationTests {
    private let start = RewardBench.start

    /// Grants by number of the record: 1 paid at the second attempt, 2 rejected, 3 paid and taken back, 4 under way.
    private func bench() throws -> (RewardBench, [Int64: [PaymentReference]]) {
        let bench = try RewardBench()
        try bench.give((1...4).map { Given(seq: $0) })
        var references: [Int64: [PaymentReference]] = [:]
        let numbers = Dictionary(uniqueKeysWithValues: (1...4).map { (bench.id(1, $0), $0 as Int64) })
        for step in 0..<3 {
            let now = start + Int64(step) * 1_000
            try bench.tick(now)
            for call in bench.takeCalls() where call.purpose == .pay {
                let number = numbers[call.grant]!
                references[number, default: []].append(call.reference)
                switch (number, call.attempt) {
                case (1, 1): bench.effects.answers.add(.failed("busy"), to: call)
                case (1, _): bench.effects.answers.add(.confirmed("x"), to: call)
                case (2, _): bench.effects.answers.add(.rejected("no"), to: call)
                case (3, _): bench.effects.answers.add(.reversed("back"), to: call)
                default: break
                }
            }
        }
        try bench.tick(start + 3_000)
        return (bench, references)
    }

    private func reconcile(_ bench: RewardBench, _ rows: [String], all: Bool = false) throws -> Reconciliation {
        let file = ResultFile("reference,result,amount_xaf\n" + rows.joined(separator: "\n"))
        return try bench.database.read { try Reconciliation(file, period: all ? 0..<Int64.max : nil, $0) }
    }

    @Test func `a statement that says what the books say agrees in every attempt`() throws {
        let (bench, references) = try bench()
        #expect(references[1]?.count == 2)
        let found = try reconcile(
            bench,
            [
                "\(references[1]![0].text),failed,50", "\(references[1]![1].text),paid,50",
                "\(references[2]![0].text),rejected,",
                "\(references[3]![0].text),reversed,50",
            ], all: true)
        #expect(found.matched == 4 && found.problems.count == 0 && found.missing == 0 && found.doubtful == [])
        #expect(found.statementPaidXAF == 50)
    }

    @Test func `a row that is nobody's, one that comes twice, another amount and another result are named by line`()
        throws
    {
        let (bench, references) = try bench()
        let paid = references[1]![1].text
        let found = try reconcile(
            bench,
            [
                "\(paid),paid,50", "\(paid),paid,50", "00000000000040008000000000000001,paid,50",
                "\(references[2]![0].text),paid,50", "\(references[3]![0].text),reversed,60",
                "\(references[4]![0].text),paid,50",
                "x,paid,50",
            ])
        #expect(found.matched == 1 && found.problems.named.map(\.line) == [3, 4, 5, 6, 7, 8])
        #expect(found.problems.named[1].what.contains("nobody's payment"))
        #expect(found.problems.named[2].what.hasSuffix("is paid, in the books failed"))
        #expect(found.problems.named[3].what.hasSuffix("has 60 XAF, the books 50"))
        #expect(found.problems.named[4].what.hasSuffix("is paid, in the books open"))
        #expect(Set(found.doubtful) == [references[2]![0], references[4]![0]])
    }

    @Test func `a payment that the statement lacks is named`() throws {
        let (bench, references) = try bench()
        let found = try reconcile(bench, [], all: true)
        #expect(found.missing == 1 && found.missingReferences == [references[1]![1].text])
    }

    @Test func `the trial balance has every account and adds up`() throws {
        let (bench, _) = try bench()
        let balance = try bench.database.read { try TrialBalance($0) }
        #expect(balance.accounts == ["budget": -100, "owed": 0, "float": 50, "paid": 50] && balance.sum == 0)
        #expect(balance.grants.values.reduce(0, +) == 4)
    }
}
