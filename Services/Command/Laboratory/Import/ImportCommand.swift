package import ArgumentParser
import CommandSupport
import Foundation
import Models
import ServiceKit

/// `nkul import`: field recordings to a Nkul recording.
package struct ImportCommand: ParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Makes a Nkul recording of field recordings; says what it took, mended and left.",
        discussion: """
            Reads logs of G-NetTrack (.txt and .csv), exports of Tower Collector, NetMonster and WiGLE, answers of the \
            Cameroon QoE survey, CSV with the device API's column names, and recordings; plain or gzip, between commas, \
            semicolons, tabs or bars, in UTF-8, UTF-16 or Windows-1252. Other files are read by --columns. Every departure \
            from the files is counted by its rule with an example, columns that are not used are named, and what the device \
            API would refuse is left out. If nothing could be taken, the exit code is 1. All rows are held in memory to be \
            sorted (about 2 KB each).

            --relocate moves each trace as a whole onto a town (the more people, the likelier), its operator onto one of \
            Cameroon's (weights invented), and its date onto the day of the earliest row, keeping the time of day; rows \
            without any position get the centre of a town. The recording's first line says what is real and what was added.
            """)

    @Argument(help: "Files to read.") var files: [String]

    @Option(name: .shortAndLong, help: "The recording to write (gzip CSV).") var output: String

    @Flag(name: .long, help: "Put it in the place of a file that is there already.") var force = false

    @Option(
        name: .long,
        help: "Map this file's columns to device API columns, e.g. lat=latitude,lon=longitude.")
    var columns: String?

    @Option(
        name: .long, help: "When rows of files without times were captured: RFC 3339, e.g. 2026-03-01T10:00:00+01:00.",
        transform: InstantArgument.milliseconds)
    var capturedAt: UnixMilliseconds?

    @Option(name: .long, help: "Towns (CSV: name, latitude, longitude, population) to move the traces to.")
    var relocate: String?

    @Option(name: .long, help: "Other seed, other towns and operators.") var seed: UInt64 = 1

    @Option(name: .long, help: "Zone of times without one, e.g. Europe/Dublin.") var timeZone = "UTC"

    @Flag(name: .long, help: "Figures as one line of JSON.") var json = false

    package init() {}

    package func validate() throws {
        guard !files.isEmpty else { throw ValidationError("give at least one file to import") }
        guard TimeZone(identifier: timeZone) != nil else {
            throw ValidationError("--time-zone \(timeZone): no such zone; e.g. Africa/Douala")
        }
    }

    package func run() throws {
        try OutputFile.check(output, inputs: files + (relocate.map { [$0] } ?? []), isReplacing: force)
        try OutputFile.refuseTwice(files)
        var ledger = ImportLedger()
        let settings = ImportSettings(
            zone: TimeZone(identifier: timeZone) ?? .gmt,
            columns: try columns.map { try ColumnMapping($0, columns: OwnCSV.names) } ?? .init(),
            capturedAt: capturedAt)
        let relocation = try relocate.map { Relocation(towns: try Town.read($0), seed: seed) }
        var read = try files.map { try ImportFile.read($0, settings, &ledger) }
        ImportAssembly.nameApart(&read, &ledger)
        let rows = ImportAssembly.rows(read, relocation)
        if !rows.isEmpty { try write(rows, notes(rows.count, read, ledger)) }
        let report = ImportReport(ledger, output: rows.isEmpty ? nil : output, devices: Set(rows.map(\.device)).count)
        print(json ? report.json : report.text)
        guard !rows.isEmpty else { throw ServiceError(.failed, "nothing was taken, so \(output) is not written") }
    }

    private func write(_ rows: [RecordingRow], _ notes: RecordingNotes) throws {
        let further = Set(rows.map(\.kind.recordKind)).subtracting(RecordingColumns.base).sorted { $0.id < $1.id }
        let writer = try RecordingWriter(
            path: output, notes: notes, further: further, isDelayed: rows.contains { $0.sentAt != nil })
        for row in rows { try writer.append(row) }
        try writer.finish()
    }

    private func notes(_ rows: Int, _ read: [[ImportedRow]], _ ledger: ImportLedger) -> RecordingNotes {
        let contents = ImportNotes(
            files: Array(zip(ledger.files, read)), isRelocated: relocate != nil,
            isTimeSupplied: ledger.entries[.suppliedTime] != nil)
        var notes = RecordingNotes(["made_by": "nkul import \(Version.text)", "rows": "\(rows)"])
        notes["real"] = contents.real.joined(separator: ", ")
        let simulated = contents.said("simulated")
        if !simulated.isEmpty { notes["simulated"] = simulated.joined(separator: ", ") }
        if !contents.added.isEmpty { notes["added"] = contents.added.joined(separator: ", ") }
        if relocate != nil { notes["seed"] = "\(seed)" }
        if ledger.entries[.zonelessTime] != nil { notes["zone"] = timeZone }
        notes["sources"] = files.map { ($0 as NSString).lastPathComponent }.joined(separator: " ")
        return notes
    }
}
