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
         "loss_pct":0.125,"test_method":"ndt7","test_bytes":9000000,"test_duration_ms":20000,"test_min_rtt_ms":31.25,
         "test_loaded_rtt_ms":"240","event":"slow_data","mock_location":true,"model":{"a":[1,{"b":null}]},"nothing":null}
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
            (ColumnID.testMethod, 0), (ColumnID.testBytes, 9_000_000), (ColumnID.testDuration, 20_000),
            (ColumnID.testLeastRoundTrip, 313), (ColumnID.testLoadedRoundTrip, 2_400),
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
        (#""rsrp_dbm":"-84;-84""#, RowCode.wrongType, "rsrp_dbm"), (#""rsrp_dbm":[-84,-84]"#, .wrongType, "rsrp_dbm"),
        (#""cqi":{"a":1}"#, .wrongType, "cqi"),
        (#""cqi":true"#, .wrongType, "cqi"), (#""roaming":"yes""#, .wrongType, "roaming"),
        (#""roaming":2"#, .wrongType, "roaming"),
        (#""mcc":"62x""#, .wrongType, "mcc"), (#""mcc":-1"#, .outOfRange, "mcc"), (#""mcc":624.5"#, .notWhole, "mcc"),
        (#""rssi_dbm":2147483647"#, .sentinel, "rssi_dbm"), (#""cell_id":2147483647"#, .sentinel, "cell_id"),
        (#""cell_id":9223372036854775807"#, .sentinel, "cell_id"),
        (#""area_code":"2147483647""#, .sentinel, "area_code"),
        (#""cell_id":"9223372036854775807""#, .sentinel, "cell_id"),
        (#""cell_id":" 9223372036854775807 ""#, .sentinel, "cell_id"),
        (#""rsrp_dbm":255"#, .outOfRange, "rsrp_dbm"), (#""rsrp_dbm":-200"#, .outOfRange, "rsrp_dbm"),
        (#""network_type":"LTE","rsrp_dbm":-145"#, .outOfRange, "rsrp_dbm"),
        (#""network_type":"EDGE","rssi_dbm":-115"#, .outOfRange, "rssi_dbm"),
        (#""network_type":"LTE","pci":504"#, .outOfRange, "pci"),
        (#""network_type":13,"cell_id":268435456"#, .outOfRange, "cell_id"),
        (#""network_type":"6G""#, .unknownValue, "network_type"),
        (#""network_type":21"#, .unknownValue, "network_type"),
        (#""event":"explosion""#, .unknownValue, "event"), (#""latitude":90.1"#, .outOfRange, "latitude"),
        (#""loss_pct":276"#, .outOfRange, "loss_pct"), (#""latency_ms":1e999"#, .outOfRange, "latency_ms"),
        (#""latency_ms":123456789012345678901234567890"#, .outOfRange, "latency_ms"),
        (#""latency_ms":NaN"#, .wrongType, "latency_ms"), (#""latency_ms":-Infinity"#, .wrongType, "latency_ms"),
        (#""latency_ms":tru"#, .wrongType, "latency_ms"), (#""cqi":1.5"#, .notWhole, "cqi"),
        (#""cqi":1,"cqi":2"#, .givenTwice, "cqi"), (#""cqi":"x","cqi":2"#, .givenTwice, "cqi"),
        (#""cqi":2,"cqi":null"#, .givenTwice, "cqi"), (#""report_id":"not-a-uuid""#, .badFormat, "report_id"),
        (#""emoji":"🐧""#, .unknownValue, "emoji"),
    ])
    func `a bad value is left out and named, and its row stays`(fields: String, code: RowCode, field: String) throws {
        let left = try Reading.leftOut(fields, kind: .feedback)
        #expect(left.map(\.code) == [code] && left.map(\.field) == [field], "\(left)")
        #expect(left.first?.detail?.isEmpty == false)
    }

    @Test(arguments: ["NaN", "-Infinity", "tru", "\"\u{FF}\"", "{\"a\":\"\u{FF}\"}"])
    func `a broken value of a member that is no field costs no more than one of a field`(value: String) throws {
        // U+00FF stands for the byte, which no UTF-8 has.
        let text = #"{"seq":1,"captured_at_ms":\#(Reading.now),"cqi":3,"future":VALUE,"pci":4}"#.replacing(
            "VALUE", with: value)
        let upload = try Reading.upload(text.unicodeScalars.map { UInt8($0.value) })
        #expect(upload.rejections.isEmpty && upload.leftOut.isEmpty)
        #expect(upload.value(ColumnID.cqi) == 3 && upload.value(ColumnID.pci) == 4)
    }

    @Test(arguments: [
        (#""latency_ms":"x""#, RowCode.wrongType, "latency_ms"),
        (#""rsrp_dbm":255,"sinr_db":99"#, .outOfRange, "rsrp_dbm"),
        (#""latitude":0,"longitude":0.0"#, .outOfRange, "latitude"), (#""cell_id":2147483647"#, .sentinel, "cell_id"),
        (#""latitude":4,"longitude":9,"accuracy_m":-1"#, .outOfRange, "accuracy_m"),
        (#""captured_at":"2025-02-30T00:00:00Z","cqi":1"#, .badFormat, "captured_at"),
        (#""captured_at":5,"cqi":1"#, .wrongType, "captured_at"), (#""seq":2,"cqi":1"#, .givenTwice, "seq"),
        (#""id":"not-a-uuid","cqi":1"#, .badFormat, "id"),
        (#""captured_at_ms":6,"cqi":1"#, .givenTwice, "captured_at_ms"),
    ])
    func `a row is rejected where nothing else is left, or identity or time are wrong`(
        fields: String, code: RowCode, field: String
    ) throws {
        let rejection = try #require(try Reading.rejection(fields))
        #expect(rejection.code == code && rejection.field == field && rejection.row == 0 && !rejection.detail.isEmpty)
    }

    @Test(arguments: [(#""seq":0,"cqi":1"#, RowCode.outOfRange), (#""seq":1.5,"cqi":1"#, .notWhole)])
    func `a counter that cannot be rejects its row`(fields: String, code: RowCode) throws {
        let upload = try Reading.upload(
            #"{"captured_at_ms":5,"id":"0190a6e0-1b2c-7def-8123-456789abcdef","# + fields + "}")
        #expect(upload.rejections.map(\.code) == [code] && upload.rejections.map(\.field) == ["seq"])
    }

    @Test func `the placeholder of a modem without a radio costs its three values and no more`() throws {
        let left = try Reading.leftOut(
            #""network_type":"NR","rsrp_dbm":-44,"rsrq_db":-3,"sinr_db":40,"download_kbps":8200"#)
        #expect(left.map(\.field) == ["rsrp_dbm", "rsrq_db", "sinr_db"])
        #expect(left.allSatisfy { $0.code == .sentinel })
    }

    @Test(arguments: [
        (#""latitude":91,"longitude":9"#, ["latitude", "longitude"]),
        (#""latitude":0,"longitude":0"#, ["latitude", "longitude"]),
        (#""latitude":4,"longitude":"x""#, ["longitude", "latitude"]),
        (#""latitude":4,"longitude":9,"accuracy_m":-1"#, ["accuracy_m", "latitude", "longitude"]),
        (#""latitude":4,"longitude":9,"accuracy_m":2147483647"#, ["accuracy_m", "latitude", "longitude"]),
    ])
    func `half a place, or one of impossible accuracy, is left out as a whole`(fields: String, left: [String]) throws {
        #expect(try Reading.leftOut(fields).map(\.field) == left)
    }

    @Test func `a rating stands whatever its context says`() throws {
        let left = try Reading.leftOut(
            #""loss_pct":276,"comment":"\#(String(repeating: "a", count: 51))""#, kind: .feedback)
        #expect(left.map(\.code) == [.outOfRange, .tooLong])
        let upload = try Reading.upload(
            #"{"seq":1,"captured_at_ms":5,"rating":4,"loss_pct":276}"#, kind: .feedback)
        #expect(upload.value(ColumnID.rating) == 4 && upload.value(ColumnID.loss) == nil)
    }

    @Test func `the receipt names what was left out, and says so again`() throws {
        let bench = try EngineBench(),
            body =
                #"[{"seq":1,"captured_at_ms":\#(Reading.now),"cqi":3,"pci":-1},{"seq":2,"captured_at_ms":\#(Reading.now),"cqi":4}]"#
        let receipt = try bench.receipt(try Reading.upload(body))
        let item =
            #"{"index":0,"id":"00000000-0007-8000-8000-000000000001","status":"accepted","left_out":[{"field":"pci","code":"out_of_range","detail":"-1 is not within 0…1007"}]}"#
        #expect(
            String(decoding: receipt.body, as: UTF8.self)
                == #"{"batch_id":"\#(receipt.batchID.text)","accepted":2,"duplicates":0,"conflicts":0,"rejected":0,"items":[\#(item)]}"#
        )
        let again = try bench.receipt(try Reading.upload(body))
        #expect(again.isRepeated && again.body == receipt.body)
        let other = try bench.receipt(try Reading.upload(body + " "))
        #expect(
            other.items.map(\.status) == [.duplicate, .duplicate] && other.items[0].leftOut.map(\.field) == ["pci"])
    }

    @Test(arguments: [
        #""network_type":"LTE","rsrp_dbm":-140"#, #""network_type":"5G","rsrp_dbm":-156"#, #""rsrp_dbm":-145"#,
        #""network_type":"hspa+","rssi_dbm":-121"#, #""latitude":0,"longitude":0.0000001"#, #""network_type":"99""#,
        #""latency_ms":null"#, #""cell_id":68719476735,"network_type":20"#, #""unknown":2147483647"#, #""pci":1007"#,
        #""latitude":-90,"longitude":180"#, #""latency_ms":0e400"#, #""latency_ms":1E-400"#,
        #""ev\u0065nt":"no_service""#,
    ])
    func `what is plausible is accepted`(fields: String) throws {
        #expect(try Reading.rejection(fields) == nil)
        #expect(try Reading.leftOut(fields).isEmpty)
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
            try Reading.leftOut(#""comment":"\#(comment)""#, kind: .feedback).first?.code
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
