import Models
import ServiceKit
import Storage
import Testing

@testable import PrivacyWorker

/// Tampering with the file of a running home.
struct AuditCheckTests {
    private let bench: PrivacyBench

    init() throws {
        bench = try PrivacyBench()
        let writer = try ConsentWriter()
        for version in 1...5 { try bench.step(writer.append([.sample(1, Int64(version), ["measurement"])])) }
    }

    @Test func `a log that nobody touched is sound`() throws {
        #expect(try bench.check() == .init(entries: 6, fault: nil))
    }

    @Test(arguments: [
        ("UPDATE audit_entries SET detail = '{}' WHERE number = 3", AuditFault.changed(number: 3)),
        ("UPDATE audit_entries SET subject = NULL WHERE number = 4", .changed(number: 4)),
        ("DELETE FROM audit_entries WHERE number = 2", .wrongNumber(expected: 2, found: 3)),
        (
            "DELETE FROM audit_entries WHERE number = 2; UPDATE audit_entries SET number = number - 1 WHERE number > 2",
            .brokenChain(number: 2)
        ),
        ("DELETE FROM audit_entries WHERE number > 4", .wrongLength(signed: 6, found: 4)),
        ("DELETE FROM audit_entries", .wrongLength(signed: 6, found: 0)),
        ("DELETE FROM audit_entries; DELETE FROM audit_head", .noHead),
        ("UPDATE audit_head SET count = 5", .wrongSignature),
    ])
    func `each way of tampering has its sentence`(sql: String, fault: AuditFault) throws {
        try bench.tamper(sql)
        #expect(try bench.check().fault == fault)
    }

    @Test func `a log set back with an older signed head is found by what was published`() throws {
        let entries = try bench.entries()
        let older = try PrivacyBench.keys.head(after: entries[3])
        try bench.tamper("DELETE FROM audit_entries WHERE number > 4")
        try bench.database.write { try AuditLog($0).save(older) }
        #expect(try bench.check().fault == .setBack(published: 5, found: 4))
    }

    @Test func `a head of another key is no head`() throws {
        let others = try AuditKeys(signing: [UInt8](2...33), subjects: [UInt8](33...64))
        #expect(
            try AuditCheck.run(bench.database.reader(), keys: others, sealer: nil).fault == .wrongSignature)
    }

    private func list(_ arguments: JSONValue) throws -> JSONValue {
        try JSONValue(encoding: AuditCalls(reader: bench.database.reader()).page(arguments))
    }

    private func show(_ number: Int64) throws -> JSONValue {
        try JSONValue(encoding: AuditCalls(reader: bench.database.reader()).entry(["number": .integer(number)]))
    }

    @Test func `entries are listed from both ends, page by page, with the signed head`() throws {
        let numbers = { (page: JSONValue) in (page["entries"]?.array ?? []).compactMap { $0["number"]?.integer } }
        let newest = try list(["limit": 4])
        #expect(numbers(newest) == [6, 5, 4, 3] && newest["next"] == 3 && newest["head"]?["count"] == 6)
        let rest = try list(["limit": 4, "before": 3])
        #expect(numbers(rest) == [2, 1] && rest["next"] == nil)
        let oldest = try list(["limit": 4, "after": 0])
        #expect(numbers(oldest) == [1, 2, 3, 4] && oldest["next"] == 4)
        #expect(try numbers(list(["after": 4])) == [5, 6])
    }

    @Test func `an entry is shown with its hashes, and one that there is not is refused`() throws {
        let entry = try bench.entries()[2], shown = try show(3)
        #expect(shown["hash"] == .string(Hexadecimal.text(entry.hash)) && shown["action"] == .string(entry.action))
        #expect(shown["subject"] == .string(Hexadecimal.text(entry.subject)) && shown["at_ms"] == .integer(entry.at))
        #expect(throws: ControlError.self) { try show(7) }
    }
}
