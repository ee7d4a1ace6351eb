import Foundation
import PipelineTesting
import Testing

/// What one client does, others do not feel, and memory does not grow by.
@Suite(.serialized, .enabled(if: EndToEnd.isEnabled))
struct HostileClientTests {
    /// Memory that ingest may ever have beside its program, kB. Of the program some 60 MB are resident in a debug build, and Linux takes
    /// them back when it needs them.
    private static let mostMemory = 110_000

    @Test
    func `bombs, lies, floods and slow senders: problems, bounded memory, and others are served`() throws {
        let pack = try ServicePack()
        try pack.start(["nkul-ingest"])
        let good = try EnrolledPhone.enrolled(port: pack.ingestPort)
        let usual = try Self.times(of: good, from: 1, count: 60, pack)
        let hostile = HostileClients(port: pack.ingestPort)
        // A device of their own each: limits of one do not spare the service the others.
        for client in 0..<3 {
            let phone = try EnrolledPhone.enrolled(port: pack.ingestPort)
            let clients = try HostileClients.all(token: phone.token)
            hostile.start(stride(from: client, to: clients.count, by: 3).map { clients[$0] })
        }
        let meanwhile = try Self.times(of: good, from: 1_001, count: 150, pack)
        #expect(hostile.stop())

        for (name, answers) in hostile.heard.sorted(by: { $0.key < $1.key }) {
            let strange = answers.filter { !Self.isFitting($0.key, name) }
            #expect(strange.isEmpty, "\(name): \(answers)")
            // Who sends all it has, and then reads, is told what was wrong with it.
            let isTold =
                name == "a length that lies upwards"
                || answers.keys.contains { $0.hasPrefix("4") || $0 == "101" || $0 == "200" }
            #expect(isTold || answers.keys.contains("held"), "\(name): \(answers)")
        }
        #expect(hostile.heard.count == 21, "\(hostile.heard.keys.sorted())")
        let memory = try Self.highWater(of: pack.processes["nkul-ingest"]!)
        #expect(memory < Self.mostMemory, "\(memory) kB")
        // The flood takes all of two processors; nobody waits for more than a turn of it.
        #expect(meanwhile.last! < 3, "\(meanwhile.last!) s")
        #expect(try Self.times(of: good, from: 2_001, count: 20, pack).last! < 1)
        print(
            "hostile clients: \(hostile.heard.values.reduce(0) { $0 + $1.values.reduce(0, +) }) attacks,",
            "\(memory / 1_000) MB at most; a good client's middle answer after",
            "\(Int(meanwhile[meanwhile.count / 2] * 1_000)) ms instead of \(Int(usual[usual.count / 2] * 1_000)) ms")
    }

    /// Seconds that uploads of one row took, ascending; each must be accepted.
    private static func times(
        of phone: EnrolledPhone, from first: Int, count: Int, _ pack: ServicePack
    ) throws -> [Double] {
        try (first..<first + count).map { seq in
            let record = ReferenceRecord(
                kind: "report",
                fields: [
                    "seq": .number(Double(seq)),
                    "captured_at_ms": .number((Date().timeIntervalSince1970 * 1_000).rounded(.down)),
                ])
            let began = Date()
            let answer = try phone.exchange([record], port: pack.ingestPort)
            #expect(answer.status == 200 && answer.text.contains("\"accepted\":1"), "\(answer.status): \(answer.text)")
            return Date().timeIntervalSince(began)
        }.sorted()
    }

    /// Whether an answer is one that such a client should get: a problem of its own making, or that it is too much.
    private static func isFitting(_ answer: String, _ name: String) -> Bool {
        switch answer {
        case "held", "closed": true
        // The opening is answered before the fragments.
        case "101": name.contains("fragments")
        // One record that is out of range, in a receipt that says so.
        case "200": name == "a huge number"
        default: answer.hasPrefix("4") && answer.hasSuffix("problem") || answer == "503 problem"
        }
    }

    private static func highWater(of process: ServiceProcess) throws -> Int {
        let status = try String(contentsOfFile: "/proc/\(process.identifier)/status", encoding: .utf8)
        func kilobytes(_ name: String) throws -> Int {
            let line = try #require(status.split(separator: "\n").first { $0.hasPrefix(name + ":") })
            return try #require(Int(line.filter(\.isNumber)))
        }
        return try kilobytes("VmHWM") - kilobytes("RssFile")
    }
}
