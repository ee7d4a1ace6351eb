import ArgumentParser
import Foundation
import Models
import QoE
import ServiceKit
import Testing

@testable import Command
@testable import Laboratory

struct SimulateCommandTests {
    private let folder = ScratchFolder()

    private func run(_ name: String, _ more: [String] = []) throws {
        let arguments = ["simulate", "--devices", "12", "--hours", "3", "-o", "\(folder.path)/\(name)"] + more
        var command = try NkulCommand.parseAsRoot(arguments)
        try command.run()
    }

    @Test func `the same seed gives the same bytes, recording and truth; another seed others`() throws {
        let script = folder.write("faults.json", #"{"faults":[{"kind":"congestion","from":1,"to":2}]}"#)
        let same = ["--seed", "5", "--faults", script, "--force"]
        try run("a", same)
        let (recording, truth) = (folder.bytes("a"), folder.bytes("a.truth.json"))
        try run("a", same)
        #expect(folder.bytes("a") == recording && folder.bytes("a.truth.json") == truth)
        #expect(!recording.isEmpty && !truth.isEmpty)
        try run("a", ["--seed", "6", "--faults", script, "--force"])
        #expect(folder.bytes("a") != recording)
    }

    @Test(arguments: ["a", "a.truth.json"])
    func `a file that is there already stays, unless --force is given`(name: String) throws {
        folder.write(name, "precious")
        let error = #expect(throws: (any Error).self) { try run("a", ["--seed", "5"]) }
        #expect("\(try #require(error))".hasSuffix("\(name) is there already; --force puts another in its place"))
        #expect(folder.bytes(name) == Array("precious".utf8))
        try run("a", ["--seed", "5", "--force"])
        #expect(folder.bytes(name) != Array("precious".utf8))
    }

    @Test func `where the truth cannot be written there is no recording either`() throws {
        try FileManager.default.createDirectory(
            atPath: "\(folder.path)/a.truth.json", withIntermediateDirectories: false)
        #expect(throws: ServiceError.self) { try run("a", ["--seed", "5", "--force"]) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["a.truth.json"])
    }

    @Test func `its script of faults is never written over`() throws {
        let script = folder.write("a", #"{"faults":[]}"#)
        let error = #expect(throws: (any Error).self) { try run("a", ["--seed", "5", "--faults", script, "--force"]) }
        #expect(error.map { NkulCommand.report($0) } == 2)
        #expect(folder.bytes("a") == Array(#"{"faults":[]}"#.utf8))
    }

    @Test func `what it writes is a recording that says that nothing is real`() throws {
        try run("a", ["--seed", "5", "--towns", "Garoua", "--start", "2026-05-01T06:00:00Z", "--json"])
        var reader = try RecordingReader(path: "\(folder.path)/a"), count = 0
        #expect(reader.notes["simulated"] == "everything" && reader.notes["towns"] == "Garoua")
        while let row = try reader.next() {
            #expect(row.capturedAt >= 1_777_615_200_000)
            count += 1
        }
        #expect(count > 50)
    }

    @Test func `the truth says which clocks are wrong and who was offline`() throws {
        var simulation = try SimulatedDays.simulation(devices: 150, hours: 24)
        while simulation.next() != nil {}
        let object = try JSONSerialization.jsonObject(with: simulation.truth.json())
        let truth = try #require(object as? [String: Any])
        #expect((truth["wrong_clocks"] as? [Any])?.isEmpty == false)
        #expect((10...60).contains((truth["offline"] as? [Any])?.count ?? 0))
        #expect(truth["devices"] as? Int == 150)
    }

    @Test func `rows of offline hours keep their time and have no figures of service`() throws {
        var simulation = try SimulatedDays.simulation(devices: 60, hours: 24)
        var rows: [RecordingRow] = []
        while let row = simulation.next() { rows.append(row) }
        let wrong = Set(simulation.truth.wrong_clocks.map(\.device))
        var seen = 0
        for span in simulation.truth.offline where !wrong.contains(span.device) {
            let inside = (span.from_ms + 10_000)..<(span.to_ms - 10_000)
            for row in rows where row.device == span.device && inside.contains(row.capturedAt) {
                #expect(row.values[ColumnID.download] == nil && row.values[ColumnID.latency] == nil)
                seen += 1
            }
        }
        #expect(seen > 20)
    }

    @Test(arguments: [
        ["--seed", "1", "--towns", "Atlantis"], ["--seed", "1", "--start", "yesterday"], ["--seed", "-1"], [],
        ["--seed", "1", "--interval", "0"],
    ])
    func `wrong usage ends with 2`(more: [String]) {
        let error = #expect(throws: (any Error).self) { try run("a", more) }
        #expect(error.map { NkulCommand.report($0) } == 2)
    }
}
