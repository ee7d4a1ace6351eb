import IngestUploads
import Models
import QoE
import Testing
import Wire

@Suite struct UploadReaderTests {
    static let full = """
        {"id":"0190A6E0-1b2c-7def-8123-456789abcdef","seq":12,"captured_at":"2025-10-09T08:53:20.5+00:00",
         "latitude":3.8480123,"longitude":-11.5021,"accuracy_m":4.25,"location_source":"GPS","speed_mps":1.234,
         "network_type":"lte","mcc":"624","mnc":"01","serving_mcc":624,"serving_mnc":2,"plmn_source":"sim","sim_slot":1,
         "roaming":false,"cell_id":"12345","area_code":77,"pci":3,"channel":1650,"rsrp_dbm":-84.25,"rsrq_db":-6,
         "sinr_db":1.5e1,"rssi_dbm":-60,"cqi":7,"download_kbps":1234.5,"upload_kbps":10,"latency_ms":12.34,"jitter_ms":0.05,
         "loss_pct":0.125,"event":"slow_data","mock_location":true,"model":{"a":[1,{"b":null}]},"nothing":null}
        """

    @Test func `every field of a report is read in its stored unit`() throws {
        let upload = try Reading.upload(Self.full)
        #expect(upload.rejections.isEmpty)
        #expect(upload.identifier(0)?.text == "0190a6e0-1b2c-7def-8123-456789abcdef")
        let expected: [(UInt8, Int64)] = [
            (ColumnID.seq, 12), (ColumnID.capturedAt, 1_760_000_000_500), (ColumnID.latitude, 38_480_123),
            (ColumnID.longitude, -115_021_000), (ColumnID.accuracy, 43), (ColumnID.locationSource, 0),
            (ColumnID.speed, 123),
            (ColumnID.networkType, NetworkType.lte.rawValue), (ColumnID.mcc, 624), (ColumnID.mnc, 1),
            (ColumnID.servingMCC, 624), (ColumnID.servingMNC, 2), (ColumnID.plmnSource, 0), (ColumnID.simSlot, 1),
            (ColumnID.roaming, 0), (ColumnID.cellID, 12345), (ColumnID.areaCode, 77), (ColumnID.pci, 3),
            (ColumnID.channel, 1650), (ColumnID.rsrp, -843), (ColumnID.rsrq, -60), (ColumnID.sinr, 150),
            (ColumnID.rssi, -600), (ColumnID.cqi, 7), (ColumnID.download, 1235), (ColumnID.upload, 10),
            (ColumnID.latency, 123), (ColumnID.jitter, 1), (ColumnID.loss, 13),
            (ColumnID.event, NetworkEvent.slowData.rawValue), (ColumnID.mockLocation, 1), (ColumnID.device, 7),
            (ColumnID.consentVersion, 3),
        ]
        for (column, value) in expected { #expect(upload.value(column) == value, "column \(column)") }
        #expect(upload.value(ColumnID.clockOffset) == nil)
        #expect(upload.value(ColumnID.flags) == nil)
    }

    @Test func `object array lines and CSV give the same rows`() throws {
        let rows = [#"{"seq":1,"captured_at_ms":5,"mnc":"03"}"#, #"{"seq":2,"captured_at_ms":6}"#]
        let array = try Reading.upload("[" + rows.joined(separator: " ,\n") + "]\n")
        let lines = try Reading.upload(rows.joined(separator: "\r\n") + "\n")
        let csv = try Reading.upload(
            "seq,captured_at_ms,mnc,colour\r\n1,5,03,\"a,\"\"b\r\n\"\r\n2,6,,\r\n", format: .csv)
        let bare = try Reading.upload("\u{FEFF}\"seq\",captured_at_ms,mnc\r1,5,03\r2,6,", format: .csv)
        for upload in [lines, csv, bare] {
            #expect(upload.columns == array.columns)
            #expect(upload.identities == array.identities)
        }
        #expect(array.columns.rowCount == 2)
    }

    @Test func `the IDIs not stored where it follows from seq`() throws {
        let upload = try Reading.upload(#"{"seq":9,"captured_at_ms":5}"#)
        #expect(upload.columns[ColumnID.id] == nil)
        #expect(upload.identifier(0) == RecordIdentifier(device: 7, seq: 9))
    }

    @Test(arguments: [
        (#""latency_ms":"12""#, RowCode.wrongType, "latency_ms"), (#""rsrp_dbm":"-84;-84""#, .wrongType, "rsrp_dbm"),
        (#""rsrp_dbm":[-84,-84]"#, .wrongType, "rsrp_dbm"), (#""cqi":{"a":1}"#, .wrongType, "cqi"),
        (#""cqi":true"#, .wrongType, "cqi"), (#""roaming":"yes""#, .wrongType, "roaming"),
        (#""roaming":2"#, .wrongType, "roaming"),
        (#""mcc":"62x""#, .wrongType, "mcc"), (#""mcc":-1"#, .outOfRange, "mcc"), (#""mcc":624.5"#, .notWhole, "mcc"),
        (#""rssi_dbm":2147483647"#, .sentinel, "rssi_dbm"), (#""cell_id":2147483647"#, .sentinel, "cell_id"),
        (#""cell_id":9223372036854775807"#, .sentinel, "cell_id"),
        (#""area_code":"2147483647""#, .sentinel, "area_code"),
        (#""network_type":"NR","rsrp_dbm":-44,"rsrq_db":-3,"sinr_db":40"#, .sentinel, "rsrp_dbm"),
        (#""rsrp_dbm":255"#, .outOfRange, "rsrp_dbm"), (#""rsrp_dbm":-200"#, .outOfRange, "rsrp_dbm"),
        (#""network_type":"LTE","rsrp_dbm":-145"#, .outOfRange, "rsrp_dbm"),
        (#""network_type":"EDGE","rssi_dbm":-115"#, .outOfRange, "rssi_dbm"),
        (#""network_type":"LTE","pci":504"#, .outOfRange, "pci"),
        (#""network_type":13,"cell_id":268435456"#, .outOfRange, "cell_id"),
        (#""network_type":"6G""#, .unknownValue, "network_type"), (#""network_type":7"#, .unknownValue, "network_type"),
        (#""event":"explosion""#, .unknownValue, "event"), (#""latitude":90.1"#, .outOfRange, "latitude"),
        (#""latitude":0,"longitude":0.0"#, .outOfRange, "latitude"), (#""loss_pct":276"#, .outOfRange, "loss_pct"),
        (#""latency_ms":1e999"#, .outOfRange, "latency_ms"),
        (#""latency_ms":123456789012345678901234567890"#, .outOfRange, "latency_ms"),
        (#""latency_ms":NaN"#, .malformed, "latency_ms"), (#""latency_ms":-Infinity"#, .malformed, "latency_ms"),
        (#""latency_ms":01"#, .malformed, "latency_ms"), (#""latency_ms":1."#, .malformed, "latency_ms"),
        (#""latency_ms":tru"#, .malformed, "latency_ms"), (#""cqi":1.5"#, .notWhole, "cqi"),
        (#""captured_at":"2025-02-30T00:00:00Z""#, .badFormat, "captured_at"),
        (#""captured_at":5"#, .wrongType, "captured_at"),
        (#""id":"not-a-uuid""#, .badFormat, "id"), (#""seq":0"#, .outOfRange, "seq"), (#""seq":1.5"#, .notWhole, "seq"),
    ])
    func `a bad value costs its row and names the field`(fields: String, code: RowCode, field: String) throws {
        let rejection = try #require(try Reading.rejection(fields))
        #expect(rejection.code == code)
        #expect(rejection.field == field)
        #expect(rejection.row == 0)
        #expect(!rejection.detail.isEmpty)
    }

    @Test(arguments: [
        #""network_type":"LTE","rsrp_dbm":-140"#, #""network_type":"5G","rsrp_dbm":-156"#, #""rsrp_dbm":-145"#,
        #""network_type":"hspa+","rssi_dbm":-121"#, #""latitude":0,"longitude":0.0000001"#, #""network_type":"99""#,
        #""latency_ms":null"#, #""cell_id":68719476735,"network_type":20"#, #""unknown":2147483647"#, #""pci":1007"#,
        #""latitude":-90.00000004,"longitude":180"#, #""latency_ms":0e400"#, #""latency_ms":1E-400"#,
        #""ev\u0065nt":"no_service""#,
    ])
    func `what is plausible is accepted`(fields: String) throws {
        #expect(try Reading.rejection(fields) == nil)
    }

    @Test func `missing identity and time are named`() throws {
        let upload = try Reading.upload(#"[{"captured_at_ms":1},{"seq":1},{}]"#)
        #expect(upload.rejections.map(\.field) == ["id", "captured_at", "id"])
        #expect(upload.rejections.allSatisfy { $0.code == .missingField })
    }

    @Test func `feedback needs a rating and takes emoji`() throws {
        let upload = try Reading.upload(
            """
            [{"seq":1,"captured_at_ms":1,"emoji":"😡"},{"seq":2,"captured_at_ms":1,"emoji":"\\ud83d\\ude0d","comment":"très lent"},
             {"seq":3,"captured_at_ms":1,"rating":3,"emoji":"😡"},{"seq":4,"captured_at_ms":1},{"seq":5,"captured_at_ms":1,"emoji":"🐧"},
             {"seq":6,"captured_at_ms":1,"rating":6},{"seq":7,"captured_at_ms":1,"rating":5,"trigger":"emergency","latency_ms":7}]
            """, kind: .feedback)
        #expect((0..<4).map { upload.value(ColumnID.rating, $0) } == [1, 5, 3, 5])
        #expect(upload.text(ColumnID.comment, 1) == "très lent")
        #expect(upload.rejections.map(\.field) == ["rating", "emoji", "rating"])
        #expect(upload.urgent == [0, 3])
        #expect(upload.value(ColumnID.latency, 3) == 70)
    }

    @Test func `comments are counted as a person counts`() throws {
        let family = "👨‍👩‍👧‍👦", accented = "e\u{301}"
        func code(_ comment: String) throws -> RowCode? {
            try Reading.rejection(#""rating":3,"comment":"\#(comment)""#, kind: .feedback)?.code
        }
        #expect(try code(String(repeating: family, count: 50)) == nil)
        #expect(try code(String(repeating: accented, count: 50)) == nil)
        #expect(try code(String(repeating: "a", count: 50)) == nil)
        #expect(try code(String(repeating: accented, count: 51)) == .tooLong)
        #expect(try code(String(repeating: "a", count: 51)) == .tooLong)
        #expect(try code("e" + String(repeating: "\u{301}", count: 20_000)) == .tooLong)
    }

    @Test func `captured at is corrected by sent at`() throws {
        let upload = try Reading.upload(#"{"seq":1,"captured_at_ms":1000}"#, sentAt: 5_000)
        #expect(upload.value(ColumnID.capturedAt) == Reading.now - 4_000)
        #expect(upload.value(ColumnID.clockOffset) == Reading.now - 5_000)
    }
}
