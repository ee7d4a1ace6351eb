import Foundation
import GRDB
import Models
import Storage
import SubjectRights
import Testing
import Wire

@Suite struct AccessExecutorTests {
    private let service = try! GivingService()

    @Test func `everything of who asks is given, nothing of others, and the last part says what it was`() throws {
        try service.read(1, devices: [7, 8, 7, 7, 8, 7, 7])
        try service.order("r1", 7)
        try service.settle()
        let (lines, contents) = try service.answer("r1")
        #expect(lines.map(number) == ["1", "3", "4", "6", "7"])
        #expect(lines.allSatisfy { $0.hasPrefix(#"{"kind":"row","service":"sample","#) })
        #expect(contents?.kinds.map(\.count) == [5, 0] && contents?.isCutShort == false)
        #expect(contents?.kinds[0].from == 10 && contents?.kinds[0].to == 70)
        #expect(try service.parts().map(\.device) == [7, 7])
        #expect(try service.parts().map(\.document.key) == ["r1/sample/00001", "r1/sample/00002"])
    }

    @Test func `a device of which nothing is held gets an answer that says so`() throws {
        try service.order("r1", 7)
        try service.settle()
        let (lines, contents) = try service.answer("r1")
        #expect(lines.isEmpty && contents?.lines == 0 && contents?.kinds.count == 2)
    }

    @Test func `nothing is given before the records of before the request have come`() throws {
        try service.order("r1", 7, after: 2)
        try service.read(1, devices: [7])
        try service.settle()
        #expect(try service.parts().isEmpty && service.records.pages == 0)
        try service.read(2, devices: [7])
        try service.settle()
        #expect(try service.answer("r1").lines.map(number) == ["1", "2"])
    }

    /// The order names the generation of the life that was lost; the rows of before come in the present one.
    @Test func `a request from before a restore is answered after it`() throws {
        try service.read(1, devices: [7])
        try service.order("r1", 7, after: 2)
        try service.settle()
        try service.restore(batchAt: 4)
        try service.settle()
        #expect(try service.parts().isEmpty)
        try service.read(2, devices: [7], generation: 8)
        try service.settle()
        #expect(try service.answer("r1").lines.map(number) == ["1", "2"])
    }

    @Test(arguments: [1, 3, 5, 8, 20])
    func `a crash loses nothing and repeats nothing`(steps: Int) throws {
        service.records.padding = String(repeating: "x", count: 20_000)
        try service.read(1, devices: (0..<40).map { $0 % 3 == 0 ? 8 : 7 })
        try service.order("r1", 7)
        for _ in 0..<steps { try service.step() }
        try service.restart()
        try service.settle()
        let (lines, contents) = try service.answer("r1")
        #expect(lines.map(number) == (1...40).filter { ($0 - 1) % 3 != 0 }.map { "\($0)" })
        #expect(contents?.lines == lines.count)
        #expect(try service.parts().map(\.document.index) == Array(1...service.parts().count))
    }

    @Test func `a step that was not committed is done again`() throws {
        try service.read(1, devices: [7, 7, 7])
        try service.order("r1", 7)
        try service.database.write {
            try $0.execute(
                sql: "CREATE TEMP TRIGGER full BEFORE UPDATE ON access_orders BEGIN SELECT RAISE(ABORT, 'full'); END")
        }
        for _ in 0..<5 { #expect(throws: (any Error).self) { for _ in 0..<9 { try service.step() } } }
        try service.database.write { try $0.execute(sql: "DROP TRIGGER full") }
        try service.settle()
        #expect(try service.answer("r1").lines.map(number) == ["1", "2", "3"])
    }

    @Test func `requests that wait together are answered one after another`() throws {
        try service.read(1, devices: [7, 8, 9])
        for (request, device) in [("a", 7), ("b", 8), ("c", 9)] { try service.order(request, UInt64(device)) }
        try service.order("a", 7)
        try service.settle()
        #expect(try ["a", "b", "c"].map { try service.answer($0).lines.map(number) } == [["1"], ["2"], ["3"]])
        #expect(try service.parts().count == 6)
    }

    @Test func `lines that deflate to nothing much smaller travel in parts of bounded size`() throws {
        var random = SystemRandomNumberGenerator()
        let noise = (0..<60_000).map { _ in UInt8.random(in: 0...255, using: &random) }
        service.records.padding = Hexadecimal.text(noise)
        try service.read(1, devices: [7])
        try service.order("r1", 7)
        try service.settle()
        #expect(try service.parts().allSatisfy { $0.sealed.count <= AccessPart.mostSealed })
        #expect(try service.parts().count > 3)
        #expect(try service.answer("r1").lines.first?.contains(Hexadecimal.text(noise)) == true)
    }

    @Test func `when a request is over its parts are told to be gone and are gone from the journal`() throws {
        try service.read(1, devices: [7, 8])
        try service.order("r1", 7)
        try service.order("r2", 8)
        try service.settle()
        try service.close("r1")
        try service.settle()
        #expect(try service.parts().map(\.document.request) == ["r2", "r2"])
        #expect(try service.removals().sorted() == ["r1/sample/00001", "r1/sample/00002"])
        #expect(try service.known() == 1)
        try service.close("r1")
        try service.close("never heard of")
        try service.settle()
        #expect(try service.removals().count == 2 && service.known() == 1)
    }

    @Test(arguments: 0..<6) func `a crash while parts are taken away leaves none`(steps: Int) throws {
        try service.read(1, devices: [7])
        try service.order("r1", 7)
        try service.settle()
        try service.close("r1")
        for _ in 0..<steps { try service.step() }
        try service.restart()
        try service.settle()
        #expect(try service.parts().isEmpty && service.known() == 0)
    }

    @Test func `a request that is over before it is answered gives nothing more`() throws {
        try service.read(1, devices: (0..<30).map { _ in 7 })
        try service.order("r1", 7)
        try service.step()
        try service.close("r1")
        try service.settle()
        #expect(try service.parts().isEmpty && service.known() == 0)
    }

    @Test func `an erasure takes requests and parts of its subject, and leaves nothing that names it`() throws {
        try service.read(1, devices: [7, 8])
        try service.order("r1", 7)
        try service.order("r2", 8)
        try service.settle()
        try service.erase(7)
        try service.settle()
        #expect(try service.parts().map(\.device) == [8, 8])
        #expect(try service.removals().isEmpty && service.known() == 1)
    }

    @Test func `nothing is given while others' parts take a quarter of what the journal may have`() throws {
        let service = try GivingService(journalBytes: 1_200)
        try service.read(1, devices: [7, 8])
        try service.order("r1", 7)
        try service.order("r2", 8)
        try service.settle()
        #expect(Set(try service.parts().map(\.document.request)) == ["r1"])
        try service.restart()
        try service.settle()
        #expect(Set(try service.parts().map(\.document.request)) == ["r1", "r2"])
    }

    private func number(_ line: String) -> String {
        let object = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        return object?["number"] as? String ?? ""
    }
}
