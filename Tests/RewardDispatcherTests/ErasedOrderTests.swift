import GRDB
import Lanes
import Models
import Storage
import TemporaryFiles
import Testing

@testable import RewardDispatcher

/// Orders that are paid by file, of subjects that are erased meanwhile.
@Suite struct ErasedOrderTests {
    private let start = RewardBench.start
    private let directory: TemporaryDirectory
    private let provider: PayoutFileProvider

    init() throws {
        directory = try TemporaryDirectory()
        let books = try ServiceDatabase(path: directory.path("payouts.sqlite"), migrations: PayoutFileStore.migrations)
        provider = try PayoutFileProvider(
            books, BlockSealer(key: [UInt8](repeating: 5, count: 32)), directory: directory.path("files"))
    }

    private func order(_ bench: RewardBench) throws -> ProviderCall {
        try bench.give([Given(seq: 1)])
        try bench.tick(start)
        var call = try #require(bench.takeCalls().first)
        call.recipient = PayoutNumber(phone: "+237670000001", operator: "62401")
        return call
    }

    /// Asks until the grant is settled; the files that are written then.
    private func settle(_ bench: RewardBench) async throws -> [PayoutFile] {
        for step in 1...5 as ClosedRange<Int64> {
            try bench.tick(start + step * 100_000)
            for call in bench.takeCalls() { bench.effects.answers.add(await provider.ask(call), to: call) }
        }
        try bench.tick(start + 1_000_000)
        #expect(try bench.number("SELECT count(*) FROM grants WHERE state = 'rejected'") == 1)
        #expect(try bench.total(.budget) == 0 && bench.total(.float) == 0)
        return try await provider.writeFile(day: 20_254)
    }

    @Test func `an order of an erased subject is written into no file, and its amount goes back`() async throws {
        let bench = try RewardBench(books: provider), call = try order(bench)
        bench.effects.answers.add(await provider.pay(call), to: call)
        try bench.tick(start + 10)
        try bench.erase(1, at: start + 20)
        #expect(try await settle(bench) == [])
    }

    @Test func `nor is one that was on its way while its subject was erased`() async throws {
        let bench = try RewardBench(books: provider), call = try order(bench)
        try bench.erase(1, at: start + 20)
        bench.effects.answers.add(await provider.pay(call), to: call)
        #expect(try await settle(bench) == [])
    }

    @Test func `nor one of a subject that was erased before orders were withdrawn`() async throws {
        let bench = try RewardBench(), call = try order(bench)
        bench.effects.answers.add(await provider.pay(call), to: call)
        try bench.tick(start + 10)
        // As by a program that told the books nothing.
        try bench.erase(1, at: start + 20)
        let next = try RewardBench(books: provider, database: bench.database)
        #expect(try await settle(next) == [])
    }
}
