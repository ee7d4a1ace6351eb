package import ArgumentParser
import Foundation
import Models
import QoE
import ServiceKit

/// `nkul import`: field recordings to a Nkul recording.
package struct ImportCommand: ParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Makes a Nkul recording of field recordings; says what it took, mended and left.",
        discussion: """
            Reads G-NetTrack CSV logs, answers of the Cameroon QoE survey, CSV with the device API's column names, and
            recordings; plain or gzip. Every departure from the files is counted by its rule with an example. All rows are
            held in memory to be sorted (about 2 KB each).
            --relocate moves each trace as a whole onto a town (the more people, the likelier), its operator onto one of
            Cameroon's (weights invented), and its date onto the day of the earliest row, keeping the time of day; rows
            without any position get the centre of a town. The recording's first line says what is real and what was added.
            """)

    @Argument(help: "Files to read.") var files: [String]

    @Option(name: .shortAndLong, help: "The recording to write (gzip CSV).") var output: String

    @Option(name: .long, help: "Towns (CSV: name, latitude, longitude, population) to move the traces to.")
    var relocate: String?

    @Option(name: .long, help: "Other seed, other towns and operators.") var seed: UInt64 = 1

    @Option(name: .long, help: "Zone of times without one, e.g. Europe/Dublin.") var timeZone = "UTC"

    @Flag(name: .long, help: "Figures as one line of JSON.") var json = false

    package init() {}

    package func validate() throws {
        guard !files.isEmpty else { throw ValidationError("give at least one file to import") }
        guard TimeZone(identifier: timeZone) != nil else {
            throw ValidationError("--time-zone \(timeZone): no such zone")
        }
    }

    package func run() throws {
        var ledger = ImportLedger()
        let zone = TimeZone(identifier: timeZone) ?? .gmt
        let relocation = try relocate.map { Relocation(towns: try Town.read($0), seed: seed) }
        let read = try files.map { try ImportFile.read($0, zone: zone, &ledger) }
        let rows = ImportAssembly.rows(read, relocation)
        let further = Set(rows.map(\.kind.recordKind)).subtracting(RecordingColumns.base).sorted { $0.id < $1.id }
        let writer = try RecordingWriter(path: output, notes: notes(rows), further: further)
        for row in rows { try writer.append(row) }
        try writer.finish()
        let report = ImportReport(ledger, output: output, devices: Set(rows.map(\.device)).count)
        print(json ? report.json : report.text)
    }

    private func notes(_ rows: [RecordingRow]) -> RecordingNotes {
        var notes = RecordingNotes(["made_by": "nkul import \(Version.text)", "rows": "\(rows.count)"])
        notes["real"] =
            relocate == nil
            ? "time, place, radio, throughput, ping, rating"
            : "time of day, radio, throughput, ping, rating, shape of each way"
        notes["added"] = relocate == nil ? "device, seq" : "device, seq, operator, place, date"
        if relocate != nil { notes["seed"] = "\(seed)" }
        notes["zone"] = timeZone
        notes["sources"] = files.map { ($0 as NSString).lastPathComponent }.joined(separator: " ")
        return notes
    }
}
