import Models
import QoE
import Testing

@testable import Laboratory

struct OwnCSVTests {
    @Test func `both forms of a time are read`() throws {
        let rows = try FieldSamples.read("captured_at,rsrp_dbm\n2026-03-01T10:00:00Z,-90\n1772359200000,-91.5\n").rows
        #expect(rows.map(\.row.capturedAt) == [1_772_359_200_000, 1_772_359_200_000])
        #expect(rows.map { $0.row.values[ColumnID.rsrp] } == [-900, -915])
    }

    @Test func `a rating makes a row feedback, a device column names the phone`() throws {
        let rows = try FieldSamples.read(
            "device,captured_at_ms,rating,cqi,id\na,5,2,,\n,6,,7,6f9619ff-8b86-4d01-b42d-00c04fc964ff\n"
        ).rows
        #expect(rows.map(\.row.kind) == [.feedback, .report])
        #expect(rows.map(\.row.device) == ["a", "trace"])
        #expect(rows[1].row.texts[ColumnID.id] == "6f9619ff-8b86-4d01-b42d-00c04fc964ff")
    }

    @Test func `half a position is none`() throws {
        let (rows, ledger) = try FieldSamples.read("captured_at_ms,latitude,longitude,cqi\n5,4.05,,7\n")
        #expect(rows[0].row.values == [ColumnID.capturedAt: 5, ColumnID.cqi: 7])
        #expect(ledger.entries[.noPosition]?.count == 1)
    }

    @Test func `empty cells are nothing to speak of`() throws {
        #expect(try FieldSamples.read("captured_at_ms,rsrp_dbm,cqi\n5,,7\n").ledger.entries.isEmpty)
    }

    @Test func `a recording keeps when its rows are sent`() throws {
        let text =
            "# nkul-recording 1\ndevice,kind,sent_at_ms,captured_at_ms,seq,cqi\nd,report,,6,2,7\nd,report,9,5,1,7\n"
        let (rows, ledger) = try FieldSamples.read(text)
        #expect(rows.map(\.row.sentAt) == [nil, 9] && ledger.entries.isEmpty)
        #expect(ImportAssembly.rows([rows.reversed()], nil).map(\.due) == [6, 9])
    }

    @Test func `rows without any time are of the time that is given, and a file without one is refused`() throws {
        let text = "Handy,Empfang,Ping\na,-90,12\n"
        let columns = try ColumnMapping("handy=device,empfang=rsrp_dbm,ping=latency_ms", columns: OwnCSV.names)
        let given = ImportSettings(columns: columns, capturedAt: 7_000)
        let (rows, ledger) = try FieldSamples.read(text, given)
        #expect(rows.map(\.row.capturedAt) == [7_000] && rows[0].row.device == "a")
        #expect(rows[0].row.values[ColumnID.latency] == 120 && ledger.entries[.suppliedTime]?.count == 1)
        let error = #expect(throws: RecordingError.self) {
            try FieldSamples.read(text, ImportSettings(columns: columns))
        }
        #expect("\(try #require(error))".contains("--captured-at"))
    }

    @Test(arguments: [("EDGE", "rssi_dbm", "-50.96"), ("EDGE", "rssi_dbm", "-113.04"), ("LTE", "rsrp_dbm", "-140.04")])
    func `a value beyond the range of its network type is left out though rounding would bring it into it`(
        type: String, column: String, value: String
    ) throws {
        func imported(_ value: String) throws -> (RecordingRow, ImportLedger) {
            let (rows, ledger) = try FieldSamples.read(
                "captured_at_ms,network_type,cqi,\(column)\n5,\(type),7,\(value)\n")
            return (rows[0].row, ledger)
        }
        let field = try #require(RecordingKind.report.recordKind.fields.first { $0.name == column }).column
        let bound = String(value.prefix { $0 != "." })
        let (beyond, ledger) = try imported(value), (at, none) = try imported(value == "-50.96" ? "-51" : bound)
        #expect(beyond.values[field] == nil && ledger.entries[.implausible]?.count == 1)
        #expect(at.values[field] != nil && none.entries[.implausible] == nil)
    }

    @Test func `a recording can be imported again`() throws {
        let text = "# nkul-recording 1\ndevice,kind,captured_at_ms,seq,event\nd,report,5,9,call_drop\n"
        let row = try FieldSamples.read(text).rows[0].row
        #expect(row == RecordingRow(device: "d", values: [ColumnID.capturedAt: 5, ColumnID.seq: 9, ColumnID.event: 0]))
    }

    @Test(arguments: ["soon", "9223372036854775807", "-9223372036854775808", "1e3"])
    func `a time of sending that cannot be read or be is left out and noted`(time: String) throws {
        let (rows, ledger) = try FieldSamples.read("captured_at_ms,sent_at_ms,cqi\n86400000,\(time),7\n5,,7\n")
        #expect(rows.map(\.row.sentAt) == [nil, nil])
        #expect(ledger.entries[.unreadableValue]?.value == "sent_at_ms \(time)")
        let relocation = Relocation(
            towns: [Town(name: "Kribi", latitude: 0, longitude: 0, population: 1)], seed: 1)
        #expect(ImportAssembly.rows([rows], relocation).count == 2)
    }

    @Test func `a capture time that cannot be is none, and the other column's is taken and that noted`() throws {
        let most = "9223372036854775807"
        let (rows, ledger) = try FieldSamples.read(
            "captured_at_ms,captured_at,cqi\n\(most),,7\n\(most),2026-03-01T10:00:00Z,7\n,-\(most),7\n")
        #expect(rows.map(\.row.capturedAt) == [1_772_359_200_000])
        #expect(ledger.entries[.unreadableTime]?.count == 2)
        #expect(ledger.entries[.unreadableValue]?.value == "captured_at_ms \(most)")
    }
}
