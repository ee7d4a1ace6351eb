import Foundation
import GRDB
import Models
import Storage
import TemporaryFiles
import Testing

@testable import RewardDispatcher

/// Paying by file: orders out, results in.
@Suite struct PayoutFileTests {
    private let directory: TemporaryDirectory
    private let database: ServiceDatabase
    private let provider: PayoutFileProvider

    init() throws {
        directory = try TemporaryDirectory()
        database = try ServiceDatabase(
            path: directory.path("payouts.sqlite"), migrations: PayoutFileStore.migrations)
        provider = try Self.provider(database, directory)
    }

    private static func provider(_ database: ServiceDatabase, _ directory: TemporaryDirectory) throws
        -> PayoutFileProvider
    {
        try PayoutFileProvider(
            database, BlockSealer(key: [UInt8](repeating: 5, count: 32)), directory: directory.path("files"))
    }

    private func call(_ seq: Int64, _ purpose: ProviderCall.Purpose = .pay) -> ProviderCall {
        let grant = GrantID(device: 1, campaign: "c", record: RecordIdentifier(device: 1, seq: seq))
        var call = ProviderCall(
            purpose: purpose, grant: grant, reference: PaymentReference(grant, attempt: 1), device: 1, amount: 50,
            attempt: 1, ask: 0, at: 1_750_000_000_000, quietMilliseconds: 0)
        call.recipient = PayoutNumber(phone: "+23767000000\(seq)", operator: "62402")
        return call
    }

    private func reference(_ seq: Int64) -> String { call(seq).reference.text }

    private func results(_ rows: String...) -> ResultFile {
        ResultFile("reference,result,amount_xaf,note\n" + rows.joined(separator: "\n"))
    }

    @Test func `orders go into a dated file with its digest, once, and its numbers leave the books`() async throws {
        #expect(await provider.ask(call(1, .ask)) == .notFound)
        for seq in 1...3 as ClosedRange<Int64> {
            for _ in 1...2 { #expect(await provider.pay(call(seq)) == .accepted(reference(seq))) }
        }
        let files = try await provider.writeFile(day: 20_254)
        #expect(files.map(\.name) == ["payouts-2025-06-15-1.csv"])
        let path = directory.path("files/payouts-2025-06-15-1.csv")
        let text = try String(contentsOfFile: path, encoding: .utf8)
        let lines = text.split(separator: "\r\n").map(String.init)
        #expect(lines.count == 4 && lines[0] == PayoutFile.header)
        #expect(lines.contains("\(reference(2)),+237670000002,62402,50,1750000000000"))
        let sum = try String(contentsOfFile: path + ".sha256", encoding: .utf8)
        #expect(sum == "\(files[0].digest)  payouts-2025-06-15-1.csv\n")
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        #expect(try await provider.writeFile(day: 20_254) == [])
        let kept = try database.read {
            try Int.fetchOne($0, sql: "SELECT count(*) FROM orders WHERE sealed IS NOT NULL")
        }
        #expect(kept == 0)
        _ = await provider.pay(call(4))
        #expect(try await provider.writeFile(day: 20_254).map(\.name) == ["payouts-2025-06-15-2.csv"])
    }

    @Test func `a file that a crash left unwritten is written with the next, as it was to be`() async throws {
        _ = await provider.pay(call(1))
        let store = PayoutFileStore(BlockSealer(key: [UInt8](repeating: 5, count: 32)))
        _ = try database.write { try store.assign(day: 20_254, $0) }
        _ = await provider.pay(call(2))
        let files = try await provider.writeFile(day: 20_255)
        #expect(files.map(\.name) == ["payouts-2025-06-15-1.csv", "payouts-2025-06-16-1.csv"])
        #expect(files[0].text.contains(reference(1)) && !files[0].text.contains(reference(2)))
    }

    @Test func `one bad row of a result file is named, and the others count`() async throws {
        for seq in 1...6 as ClosedRange<Int64> { _ = await provider.pay(call(seq)) }
        _ = try await provider.writeFile(day: 20_254)
        _ = await provider.pay(call(7))
        let outcome = try await provider.take(
            results(
                "\(reference(1)),paid,50,receipt 7", "\(reference(2)),Failed,,no network",
                "\(reference(3)),rejected,50,\"no, such number\"", "\(reference(4)),maybe,50,",
                "\(reference(5)),paid,70,",
                "\(reference(6)),paid", "\(reference(7)),paid,50,", "ff\(reference(1).dropFirst(2)),paid,50,",
                "x,paid,50,",
                "\(reference(1)),paid,50,receipt 7"))
        #expect(outcome.applied == 3 && outcome.unchanged == 1)
        #expect(outcome.problems.named.map(\.line) == [5, 6, 7, 8, 9, 10] && outcome.problems.count == 6)
        #expect(outcome.problems.named[1].what == "amount_xaf is 70, and not 50")
        #expect(outcome.problems.named[3].what == "the order is in no file yet")
        #expect(await provider.ask(call(1, .ask)) == .confirmed("receipt 7"))
        #expect(await provider.ask(call(2, .ask)) == .failed("no network"))
        #expect(await provider.ask(call(3, .ask)) == .rejected("no, such number"))
        #expect(await provider.ask(call(4, .ask)) == .accepted(reference(4)))
    }

    @Test func `what is paid can be taken back, and never turns into a failure`() async throws {
        _ = await provider.pay(call(1))
        _ = try await provider.writeFile(day: 20_254)
        _ = try await provider.take(results("\(reference(1)),paid,,"))
        let denied = try await provider.take(results("\(reference(1)),failed,,"))
        #expect(denied.applied == 0 && denied.problems.named == [.init(line: 2, what: "failed cannot follow paid")])
        #expect(try await provider.take(results("\(reference(1)),reversed,,")).applied == 1)
        #expect(await provider.ask(call(1, .ask)) == .reversed(""))
    }

    @Test func `a file of a French Excel is read, and one without the columns is refused`() throws {
        let file = ResultFile("\u{FEFF}Result;Other;Reference\r\npaid;x;\(reference(1))\r\n\r\n")
        #expect(file.problems.count == 0 && file.rows.map(\.result) == [.paid] && file.rows[0].line == 2)
        #expect(ResultFile("ref,result\n").problems.named.map(\.line) == [1])
        #expect(ResultFile("").problems.named.map(\.line) == [1])
    }

    @Test func `an open quote spoils its own row only`() throws {
        let file = ResultFile(
            """
            reference,result,note
            "\(reference(1)),paid,x
            \(reference(2)),paid,"two
            lines"
            \(reference(3)),paid,"x"y
            \(reference(4)),failed,x
            """)
        #expect(file.rows.map(\.reference.text) == [reference(2), reference(4)] && file.rows[0].line == 3)
        #expect(file.problems.named.map(\.line) == [2, 5])
    }

    @Test func `rows at fault are all counted, and the first are named`() async throws {
        let file = ResultFile("reference,result\n" + String(repeating: "x,paid\n", count: 5_000))
        let outcome = try await provider.take(file)
        #expect(outcome.problems.count == 5_000 && outcome.problems.named.map(\.line) == Array(2...101))
        let text = try #require(String(validating: JSONEncoder().encode(outcome), as: UTF8.self))
        #expect(text.contains("\"problem_count\":5000"))
    }

    @Test func `a note holds no number of a subscriber`() async throws {
        _ = await provider.pay(call(1))
        _ = try await provider.writeFile(day: 20_254)
        _ = try await provider.take(results("\(reference(1)),failed,50,237 670 000 001 is off"))
        #expect(await provider.ask(call(1, .ask)) == .failed("… is off"))
    }

    @Test func `orders of erased subjects are in no file, and rejected unless their file is on disk`() async throws {
        for seq in 1...4 as ClosedRange<Int64> { _ = await provider.pay(call(seq)) }
        try provider.withdraw([call(1).reference, call(2).reference])
        let first = try await provider.writeFile(day: 20_254)
        #expect(first.count == 1 && !first[0].text.contains(reference(1)) && !first[0].text.contains(reference(2)))
        #expect(first[0].text.contains(reference(3)))
        #expect(await provider.ask(call(1, .ask)) == .rejected("withdrawn"))
        // A file that a crash left with its numbers in the books, once on disk and once not.
        for seq in 5...6 as ClosedRange<Int64> {
            _ = await provider.pay(call(seq))
            let store = PayoutFileStore(BlockSealer(key: [UInt8](repeating: 5, count: 32)))
            let name = try #require(try database.write { try store.assign(day: 20_254 + seq, $0) })
            if seq == 5 { try Data().write(to: URL(filePath: directory.path("files/" + name))) }
            try provider.withdraw([call(seq).reference])
        }
        #expect(await provider.ask(call(5, .ask)) == .accepted(reference(5)), "somebody may have seen it")
        #expect(await provider.ask(call(6, .ask)) == .rejected("withdrawn"))
        #expect(try await provider.writeFile(day: 20_270) == [])
        let kept = try database.read {
            try Int.fetchOne($0, sql: "SELECT count(*) FROM orders WHERE sealed IS NOT NULL")
        }
        #expect(kept == 0)
        // What is in no books is nobody's.
        try provider.withdraw([call(9).reference])
        #expect(await provider.ask(call(9, .ask)) == .notFound)
    }

    @Test func `numbers are in no file of the books, and references of erased payments go`() async throws {
        for seq in 1...2 as ClosedRange<Int64> { _ = await provider.pay(call(seq)) }
        let books = try FileManager.default.contentsOfDirectory(atPath: directory.path).filter {
            $0.hasPrefix("payouts")
        }
        for book in books {
            let bytes = try #require(FileManager.default.contents(atPath: directory.path(book)))
            #expect(bytes.range(of: Data("67000000".utf8)) == nil, "\(book)")
        }
        _ = try await provider.writeFile(day: 20_254)
        let replaced = ReplacedReference(reference: call(1).grant, replacement: GrantID(1, 2), attempts: 1)
        #expect(try provider.replace([replaced]))
        #expect(await provider.ask(call(1, .ask)) == .notFound)
        #expect(await provider.ask(call(2, .ask)) == .accepted(reference(2)))
    }
}
