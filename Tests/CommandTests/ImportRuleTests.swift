import Foundation
import Models
import QoE
import Testing

@testable import Laboratory

/// Each rule has a sample that breaks it and a clean neighbour that does not.
struct ImportRuleTests {
    private typealias Samples = FieldSamples

    /// A text in which a rule applies, on which line first, and how often.
    private static func sample(of rule: ImportRule) -> (text: String, line: Int, count: Int) {
        switch rule {
        case .zonelessTime: (Samples.gNetTrack([:]), 2, 1)
        case .repeatedHour: (Samples.gNetTrack([:], ["Timestamp": "2020.10.25_01.30.00"]), 3, 1)
        case .secondsTime: ("captured_at,rsrp_dbm\n1795770000,-95\n", 2, 1)
        case .suppliedTime: (Samples.netMonster, 1, 2)
        case .nonStandalone: (Samples.gNetTrack(["NetworkMode": "5G"]), 2, 1)
        case .operatorWithoutNumber: (Samples.gNetTrack([:]), 2, 1)
        // It takes two files: ImportCommandTests.
        case .sharedName: ("", 0, 0)
        case .noValue: (Samples.gNetTrack(["RSSI": "-", "CQI": "-"]), 2, 2)
        case .pingAllLost: (Samples.gNetTrack(["PINGLOSS": "100.0", "PINGAVG": "-"]), 2, 1)
        case .sentinel: (Samples.gNetTrack(["RSRP": "-200"]), 2, 1)
        case .leakedMaximum: (Samples.gNetTrack(["RSRQ": "2147483647.0", "SNR": "2147483647"]), 2, 2)
        case .positiveRSRQ: (Samples.gNetTrack(["RSRQ": "7"]), 2, 1)
        case .otherRadioFigure: (Samples.gNetTrack(["NetworkMode": "HSPA+"]), 2, 1)
        case .otherQualityFigure: (Samples.gNetTrack(["NetworkMode": "GPRS", "RSRQ": "1"]), 2, 1)
        case .idleThroughput: (Samples.gNetTrack(["State": "I"], ["State": "V"], ["State": "VD"]), 2, 2)
        case .unknownCell: (Samples.gNetTrack(["RAWCELLID": "0"]), 2, 1)
        case .operatorMissing: (Samples.gNetTrack(["Operatorname": "0"]), 2, 1)
        case .operatorIsNumber: (Samples.gNetTrack(["Operatorname": "27203"]), 2, 1)
        case .unknownNetwork: (Samples.gNetTrack(["NetworkMode": "6G"]), 2, 1)
        case .implausible: (Samples.gNetTrack(["SNR": "-30.0"], ["RSRP": "-141"]), 2, 2)
        case .placeholderValues: ("captured_at,mnc,rsrp_dbm,rsrq_db,sinr_db\n2026-11-27T10:00:00Z,1,-44,-3,40\n", 2, 1)
        case .lossOverHundred: (Samples.survey([:], ["loss_pct": "276"]), 3, 1)
        case .sameSecond: (Samples.gNetTrack([:], [:], [:]), 3, 2)
        case .clockWentBack: (Samples.gNetTrack([:], ["Timestamp": "2020.02.13_13.03.20"]), 3, 1)
        case .outOfOrder: (Samples.survey([:], ["timestamp_utc_ms": "1742165300000"], [:]), 3, 1)
        case .frozenPosition: (frozen, 4, 2)
        case .noPosition: (Samples.gNetTrack(["Latitude": "0", "Longitude": "0.0"], ["Latitude": "-"]), 2, 2)
        case .decimalComma: (Samples.survey(["latency_ms": "3,5"]), 2, 1)
        case .letterForDigit: (Samples.survey(["latency_ms": "O.17"]), 2, 1)
        case .splitNumber: (Samples.survey(["dl_kbps": "10 3"]), 2, 1)
        case .placeholder: (Samples.survey(["jitter_ms": "_ _"]), 2, 1)
        case .controlCharacter: (Samples.survey(["latency_ms": "3\u{85}"], ["suggestions": "more\u{85}speed"]), 2, 2)
        case .otherEncoding: ("captured_at_ms,rating,comment\n5,4,tr\u{E8}s\n", 2, 1)
        case .untrimmed: (Samples.survey(["suggestions": " reduce  prices "], ["dl_kbps": "45 "]), 2, 2)
        case .longText:
            (Samples.survey(["suggestions": "Increase Network Speed;Improve Network stability;Reduce prices"]), 2, 1)
        case .unreadableValue: (Samples.survey(["latency_ms": "slow"]), 2, 1)
        case .scoreMissing: (Samples.survey(["qoe_score": ""]), 2, 1)
        case .wrongWidth: (Samples.gNetTrack([:]) + "2020.02.13_13.03.24,1,2\n", 3, 1)
        case .unreadableTime: (Samples.gNetTrack(["Timestamp": "2020.02.30_13.03.24"]), 2, 1)
        case .unknownKind: ("captured_at_ms,kind\n5,quiz\n", 2, 1)
        case .nothingMeasured: ("captured_at_ms,rsrp_dbm\n5,-90\n6,\n", 3, 1)
        case .fieldMissing: ("captured_at_ms,kind,prompt_id\n5,prompt,p\n", 2, 1)
        case .neighbourCell: (Samples.towerCollector, 3, 1)
        case .noCell: (Samples.wigle, 5, 2)
        }
    }

    private static let settings = ImportSettings(
        zone: TimeZone(identifier: "Europe/Dublin") ?? .gmt, capturedAt: 1_795_770_000_000)

    /// 20 s in one place at 36 km/h, then 200 m north.
    private static let frozen = Samples.gNetTrack(
        [:], ["Timestamp": "2020.02.13_13.03.30"], ["Timestamp": "2020.02.13_13.03.34"],
        ["Timestamp": "2020.02.13_13.03.44"], ["Timestamp": "2020.02.13_13.03.45", "Latitude": "51.937407"])

    @Test(arguments: ImportRule.allCases.filter { $0 != .sharedName })
    func `each rule counts its dirt with the first place`(rule: ImportRule) throws {
        let sample = Self.sample(of: rule)
        let bytes: [UInt8] =
            rule == .otherEncoding ? sample.text.unicodeScalars.map { UInt8($0.value) } : Array(sample.text.utf8)
        let ledger = try Samples.read(bytes, Self.settings).ledger
        let entry = try #require(ledger.entries[rule])
        #expect(entry.count == sample.count)
        #expect(entry.example == ImportSite(file: "trace.csv", line: sample.line))
        #expect(!rule.words.isEmpty)
    }

    @Test func `clean rows are taken and break no rule that changes something`() throws {
        for text in [Samples.gNetTrack([:]), Samples.survey([:])] {
            let ledger = try Samples.read(text).ledger
            #expect(ledger.entries.keys.allSatisfy { $0.outcome == .noted }, "\(ledger.entries)")
            #expect(ledger.files[0].taken == 1 && ledger.files[0].mended == 0)
        }
    }

    @Test func `a clean log row has every value in stored units`() throws {
        let row = try Samples.read(Samples.gNetTrack([:])).rows[0].row
        let expected: [UInt8: Int64] = [
            ColumnID.capturedAt: 1_581_599_004_000,
            ColumnID.latitude: 519_356_070, ColumnID.longitude: -83_881_850, ColumnID.locationSource: 0,
            ColumnID.speed: 1_000, ColumnID.networkType: NetworkType.lte.rawValue, ColumnID.cellID: 11_016_972,
            ColumnID.areaCode: 0x9CBA, ColumnID.rsrp: -1_000, ColumnID.rsrq: -130, ColumnID.sinr: 10, ColumnID.cqi: 13,
            ColumnID.rssi: -830, ColumnID.download: 24, ColumnID.upload: 3, ColumnID.latency: 640, ColumnID.jitter: 10,
            ColumnID.loss: 0,
        ]
        #expect(row == RecordingRow(device: "trace", values: expected))
    }

    @Test func `on 3G the level is rssi_dbm, and no RSRP or RSRQ is claimed`() throws {
        let values = try Samples.read(Samples.gNetTrack(["NetworkMode": "UMTS", "RSRP": "-77", "RSRQ": "-9"])).rows[0]
            .row.values
        #expect(values[ColumnID.rssi] == -770)
        #expect(values[ColumnID.rsrp] == nil && values[ColumnID.rsrq] == nil)
    }

    @Test func `a log that does not say what the phone did keeps its speeds`() throws {
        let lines = Samples.gNetTrack([:]).split(separator: "\n").map { line in
            line.split(separator: ",").enumerated().filter { $0.offset != 14 }.map { String($0.element) }
        }
        #expect(!lines[0].contains("State"))
        let text = lines.map { $0.joined(separator: ",") }.joined(separator: "\n")
        let (rows, ledger) = try Samples.read(text)
        #expect(rows[0].row.values[ColumnID.download] == 24 && rows[0].row.values[ColumnID.upload] == 3)
        #expect(ledger.entries[.idleThroughput] == nil)
    }

    @Test(arguments: [
        (["NetworkMode": "EDGE", "RSRP": "-48"], ColumnID.rssi), (["RAWCELLID": "300000000"], ColumnID.cellID),
        (["NetworkMode": "EDGE", "RSRP": "-114"], ColumnID.rssi), (["RSRP": "-141"], ColumnID.rsrp),
    ])
    func `what the device API would refuse on a network type is left out and counted`(
        cells: [String: String], column: UInt8
    )
        throws
    {
        let (rows, ledger) = try Samples.read(Samples.gNetTrack(cells))
        #expect(rows[0].row.values[column] == nil)
        #expect(ledger.entries[.implausible]?.count == 1)
        #expect(rows[0].row.values[ColumnID.download] == 24 && ledger.files[0].mended == 1)
    }

    @Test func `an idle phone claims no throughput`() throws {
        let values = try Samples.read(Samples.gNetTrack(["State": "I"])).rows[0].row.values
        #expect(values[ColumnID.download] == nil && values[ColumnID.upload] == nil)
    }

    @Test func `pings that were all lost are loss without latency`() throws {
        let values = try Samples.read(Samples.gNetTrack(["PINGLOSS": "100", "PINGAVG": "0"])).rows[0].row.values
        #expect(values[ColumnID.loss] == 10_000 && values[ColumnID.latency] == nil)
    }

    @Test func `a raw PLMN is an operator, a name is none`() throws {
        let rows = try Samples.read(Samples.gNetTrack(["Operatorname": "27203"], ["Operatorname": "0"], [:])).rows
        #expect(rows[0].row.values[ColumnID.mcc] == 272 && rows[0].row.values[ColumnID.mnc] == 3)
        #expect(rows[1].row.values[ColumnID.mcc] == nil && !rows[1].hasOperator)
        #expect(rows[2].row.values[ColumnID.mcc] == nil && rows[2].hasOperator)
    }

    @Test func `rows of one second get times of their own, in order`() throws {
        let rows = try Samples.read(Samples.gNetTrack([:], [:], [:])).rows.map(\.row.capturedAt)
        #expect(rows.map { $0 - rows[0] } == [0, 1, 2])
    }

    @Test func `a frozen position says how far it may be off`() throws {
        let rows = try Samples.read(Self.frozen).rows.map(\.row)
        #expect(rows.map { $0.values[ColumnID.accuracy] } == [nil, nil, 2_010, 2_010, nil])
        #expect(rows[2].values[ColumnID.speed] == nil && rows[1].values[ColumnID.speed] == 1_000)
        #expect(rows[2].values[ColumnID.download] == 24)
    }

    @Test func `a phone that stands still is not frozen`() throws {
        let text = Samples.gNetTrack(
            ["Speed": "0"], ["Speed": "0", "Timestamp": "2020.02.13_13.05.00"],
            ["Speed": "0", "Timestamp": "2020.02.13_13.05.01", "Latitude": "51.935617"])
        #expect(try Samples.read(text).ledger.entries[.frozenPosition] == nil)
    }

    @Test func `typing errors are read only where they mean one thing`() throws {
        let text = Samples.survey(["latency_ms": "O.17", "jitter_ms": "3,5", "dl_kbps": "10 3", "ul_kbps": "_ _"])
        let values = try Samples.read(text).rows[0].row.values
        #expect(values[ColumnID.latency] == 2 && values[ColumnID.jitter] == 35)
        #expect(values[ColumnID.download] == nil && values[ColumnID.upload] == nil)
    }

    @Test func `feedback keeps its score, its words and the measurement`() throws {
        let row = try Samples.read(Samples.survey([:]), named: "answers.csv.gz").rows[0].row
        #expect(row.kind == .feedback && row.device == "answers-1" && row.texts == [ColumnID.comment: "Reduce prices"])
        #expect(row.values[ColumnID.rating] == 4 && row.values[ColumnID.download] == 450)
        #expect(row.values[ColumnID.networkType] == NetworkType.lte.rawValue)
    }

    @Test func `long words end with a whole item`() throws {
        let text = Self.sample(of: .longText).text
        let comment = try Samples.read(text).rows[0].row.texts[ColumnID.comment]
        #expect(comment == "Increase Network Speed;Improve Network stability")
    }

    @Test func `a row without a score is a report`() throws {
        #expect(try Samples.read(Samples.survey(["qoe_score": ""])).rows[0].row.kind == .report)
    }

    @Test func `a file of no known kind is refused with its header`() throws {
        let error = #expect(throws: RecordingError.self) { try Samples.read("a,b\n1,2\n") }
        #expect("\(try #require(error))".contains(":1: not a recording that import knows (commas, UTF-8): a | b"))
    }

    @Test func `a speed beyond all numbers is left out and noted`() throws {
        let (rows, ledger) = try FieldSamples.read(FieldSamples.gNetTrack(["Speed": "9223372036854775.8"]))
        #expect(rows[0].row.values[ColumnID.speed] == nil && ledger.entries[.implausible]?.count == 1)
    }

    @Test func `a survey's time that cannot be read is noted, and the local one taken`() throws {
        let (rows, ledger) = try FieldSamples.read(FieldSamples.survey(["timestamp_utc_ms": "soon"]))
        #expect(rows.map(\.row.capturedAt) == [1_742_169_000_000])
        #expect(ledger.entries[.unreadableValue]?.value == "timestamp_utc_ms soon")
    }

    /// As the device API does (docs/errors.md): 100.004 % is no loss, though it is kept as 100.00.
    @Test(arguments: [
        ("loss_pct", "100.004", "100"), ("latency_ms", "60000.04", "60000"), ("jitter_ms", "-0.01", "0"),
        ("rsrp_dbm", "-30.96", "-31"), ("rsrp_dbm", "-156.04", "-156"), ("sinr_db", "40.01", "40.00"),
        ("latitude", "90.00000001", "90"), ("download_kbps", "10000000.4", "1e7"),
    ])
    func `ranges are those of a value as it is written`(name: String, beyond: String, within: String) throws {
        let field = try #require(RecordKind.report.field(named: name))
        var ledger = ImportLedger()
        #expect(ImportCell.value(within, field, &ledger) == field.stored(within) && field.stored(within) != nil)
        #expect(ledger.entries.isEmpty)
        #expect(field.stored(beyond) == field.stored(within))
        #expect(ImportCell.value(beyond, field, &ledger) == nil)
        #expect(ledger.entries.count == 1)
    }
}
