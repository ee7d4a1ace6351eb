import ArgumentParser
import Foundation
import Models
import ServiceKit
import Testing

@testable import Command
@testable import Laboratory

struct ImportCommandTests {
    private let folder = ScratchFolder()

    private func run(_ arguments: [String]) throws {
        var command = try NkulCommand.parseAsRoot(["import"] + arguments)
        try command.run()
    }

    private func notes(_ text: String, _ more: [String] = []) throws -> RecordingNotes {
        let input = folder.write("in.csv", text), output = "\(folder.path)/out.csv.gz"
        try run([input, "-o", output, "--force"] + more)
        return try RecordingReader(path: output).notes
    }

    @Test(arguments: ["captured_at_ms,rsrp_dbm\n5,-90\n", "captured_at_ms,rsrp_dbm\nnever,-90\n"])
    func `an import that took nothing fails and writes nothing`(text: String) throws {
        let input = folder.write("in.csv", text), output = "\(folder.path)/out.csv.gz"
        guard text.contains("never") else {
            try run([input, "-o", output])
            #expect(!folder.bytes("out.csv.gz").isEmpty)
            return
        }
        let error = #expect(throws: ServiceError.self) { try run([input, "-o", output]) }
        #expect(error?.exitCode == 1)
        #expect(folder.bytes("out.csv.gz").isEmpty)
    }

    @Test func `a file that is there already stays, unless --force is given`() throws {
        let input = folder.write("in.csv", "captured_at_ms,cqi\n5,7\n"), output = folder.write("out", "precious")
        let error = #expect(throws: ServiceError.self) { try run([input, "-o", output]) }
        #expect(error?.exitCode == 1 && folder.bytes("out") == Array("precious".utf8))
        try run([input, "-o", output, "--force"])
        #expect(folder.bytes("out") != Array("precious".utf8))
    }

    @Test func `its own input is never written over, whatever it is called`() throws {
        let text = "captured_at_ms,cqi\n5,7\n", input = folder.write("in.csv", text)
        try FileManager.default.createSymbolicLink(atPath: "\(folder.path)/link", withDestinationPath: input)
        for output in [input, "\(folder.path)/link", "\(folder.path)/./in.csv"] {
            let error = #expect(throws: ServiceError.self) { try run([input, "-o", output, "--force"]) }
            #expect(error?.exitCode == 2)
        }
        #expect(folder.bytes("in.csv") == Array(text.utf8))
    }

    @Test func `the notes say what the rows have, and what was added`() throws {
        let radio = try notes("captured_at_ms,rsrp_dbm\n5,-90\n")
        #expect(radio["real"] == "time, radio" && radio["added"] == "device, seq" && radio["zone"] == nil)
        let whole = try notes("device,seq,captured_at_ms,latitude,longitude,latency_ms\na,1,5,4.05,9.77,40\n")
        #expect(whole["real"] == "time, place, ping" && whole["added"] == nil)
        let local = try notes(
            "captured_at,cqi,download_kbps,rating\n2026-11-27 10:00:00,7,100,4\n", ["--time-zone", "Africa/Douala"])
        #expect(local["real"] == "time, radio, throughput, rating" && local["zone"] == "Africa/Douala")
    }

    @Test func `what a recording says of itself stays said`() throws {
        let simulated = try notes(
            "# nkul-recording 1 real=\"nothing but towns\" simulated=everything\ndevice,kind,captured_at_ms,seq,cqi\n"
                + "d,report,5,1,7\n")
        #expect(simulated["real"] == "nothing but towns" && simulated["simulated"] == "everything")
        #expect(simulated["added"] == nil)
    }

    @Test func `a relocated file says that place, date and operator are added`() throws {
        let towns = folder.write("towns.csv", "name,latitude,longitude,population\nKribi,2.9,9.9,93000\n")
        let moved = try notes("captured_at_ms,latitude,longitude,mcc,mnc\n5,4.05,9.77,272,1\n", ["--relocate", towns])
        #expect(moved["real"] == "time of day, shape of each way")
        #expect(moved["added"] == "device, seq, operator, place, date")
    }

    @Test(arguments: ["2", "17", "99999999999999999999"])
    func `a recording of a newer format is refused`(version: String) throws {
        let text = "# nkul-recording \(version) simulated=everything\ncaptured_at_ms,cqi\n5,7\n"
        let input = folder.write("in.csv", text)
        let error = #expect(throws: RecordingError.self) { try run([input, "-o", "\(folder.path)/out"]) }
        #expect(error?.message == "a recording of format \(version); this build reads up to 1")
        #expect(folder.bytes("out").isEmpty)
    }

    private func devices(_ inputs: [String]) throws -> Set<String> {
        let output = "\(folder.path)/out"
        try run(inputs + ["-o", output, "--force"])
        var reader = try RecordingReader(path: output), devices: Set<String> = []
        while let row = try reader.next() { devices.insert(row.device) }
        return devices
    }

    @Test func `files of one base name are devices of their own`() throws {
        let text = "captured_at_ms,cqi\n5,7\n"
        let first = folder.write("log.csv", text), second = folder.write("log.txt", text)
        #expect(try devices([first, second]) == ["log", "log-2"])
        let third = folder.write("log-2.csv", text)
        #expect(try devices([first, second, third]) == ["log", "log-2", "log-2-2"])
        let named = folder.write("named.csv", "device,captured_at_ms,cqi\nlog,6,7\n")
        #expect(try devices([first, named]) == ["log", "log-2"])
    }

    @Test func `files that name one phone are of one device`() throws {
        let text = "device,captured_at_ms,cqi\nphone,5,7\n"
        #expect(try devices([folder.write("a.csv", text), folder.write("b.csv", text)]) == ["phone"])
    }

    @Test func `the same file given twice is refused, whatever it is called`() throws {
        let input = folder.write("log.csv", "captured_at_ms,cqi\n5,7\n")
        for again in [input, "\(folder.path)/./log.csv"] {
            let error = #expect(throws: ServiceError.self) { try run([input, again, "-o", "\(folder.path)/out"]) }
            #expect(error?.exitCode == 2 && error?.message.contains("given") == true)
        }
        #expect(folder.bytes("out").isEmpty)
    }

    @Test func `what a device's name got is said`() throws {
        let rows = try FieldSamples.read("captured_at_ms,cqi\n5,7\n", named: "log.csv").rows
        var ledger = ImportLedger(), files = [rows, rows]
        for name in ["log.csv", "log.txt"] { ledger.beginFile(name, format: "Nkul CSV") }
        ImportAssembly.nameApart(&files, &ledger)
        let entry = ImportLedger.Entry(count: 1, example: ImportSite(file: "log.txt", line: 1), value: "log")
        #expect(ledger.entries == [.sharedName: entry])
    }

    @Test func `the report's words for rows that are left out are the same everywhere`() throws {
        let ledger = try FieldSamples.read("captured_at_ms,cqi\n5,7\nnever,7\n").ledger
        let json = ImportReport(ledger, output: nil, devices: 1).json
        #expect(
            json.contains(#""left_out":1"#) && json.contains(#""outcome":"left_out""#) && !json.contains(#""left""#))
    }
}
