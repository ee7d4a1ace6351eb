import IngestUploads
import Models
import QoE
import ServiceKit
import Testing
import Wire

@testable import IngestUploads

/// Bodies as NeoStumbler and Tower Collector make them, from their formats, and bodies that nobody should send.
@Suite struct GeosubmitTests {
    static let key = DeviceToken.hash("a key of nobody")
    /// One item as NeoStumbler writes it: what it does not know is left out, counts and texts stand side by side.
    static let neoStumbler = """
        {"items":[{"timestamp":1759999990000,"position":{"latitude":4.0511,"longitude":9.7679,"accuracy":12.5,"age":120,
        "altitude":31.2,"altitudeAccuracy":2.5,"heading":271.0,"speed":1.4,"source":"gps"},"wifiAccessPoints":[
        {"macAddress":"02:00:5e:10:00:01","radioType":"802.11ac","age":900,"channel":36,"frequency":5180,"signalStrength":-61},
        {"macAddress":"02:00:5e:10:00:02","signalStrength":-80,"ssid":"a } b ] \\" {"}],"cellTowers":[
        {"radioType":"lte","mobileCountryCode":624,"mobileCountryCodeStr":"624","mobileNetworkCode":1,
        "mobileNetworkCodeStr":"01","locationAreaCode":4102,"cellId":26246147,"age":30,"asu":43,"primaryScramblingCode":211,
        "serving":1,"signalStrength":-97,"timingAdvance":3,"arfcn":1300},
        {"radioType":"lte","age":30,"primaryScramblingCode":212,"serving":0,"signalStrength":-104,"arfcn":1300}],
        "bluetoothBeacons":[{"macAddress":"02:00:5e:10:00:03","age":5}]}]}
        """

    /// One item as Tower Collector writes it: integers of Java, and 2147483647 for what is not known.
    static let towerCollector = """
        {"items":[{"timestamp":1759999980000,"position":{"latitude":3.848,"longitude":11.5021,"accuracy":4,"altitude":700,
        "heading":0,"speed":0,"source":"gps"},"cellTowers":[{"radioType":"wcdma","mobileCountryCode":624,
        "mobileNetworkCode":2,"locationAreaCode":2147483647,"cellId":66051,"primaryScramblingCode":9,"asu":12,
        "signalStrength":-89,"serving":1},{"radioType":"gsm","mobileCountryCode":624,"mobileNetworkCode":2,
        "locationAreaCode":31,"cellId":402,"signalStrength":-71,"serving":1}]}]}
        """

    static func read(
        _ body: [UInt8], isCompressed: Bool = false, consent: Consent = .all, reader: UploadReader = Reading.reader,
        key: TokenHash = key
    ) throws(DeviceAPIError) -> (upload: Upload?, tally: GeosubmitTally) {
        let device = DeviceIdentity(ordinal: 7, consent: consent, consentVersion: 3)
        let request = UploadRequest(kind: .report, isCompressed: isCompressed, arrivedAt: Reading.now)
        return try body.withUnsafeBytes { bytes in
            Result { () throws(DeviceAPIError) in
                try reader.readGeosubmit(bytes, of: device, key: key, as: request)
            }
        }.get()
    }

    static func read(_ text: String, consent: Consent = .all) throws(DeviceAPIError) -> (
        upload: Upload?, tally: GeosubmitTally
    ) { try read(Array(text.utf8), consent: consent) }

    /// An item with one serving cell, all of whose values can be set.
    static func item(
        _ timestamp: String = "\(Reading.now)", position: String = #"{"latitude":4.05,"longitude":9.77}"#,
        cell: String = #""cellId":1"#
    ) -> String {
        #"{"timestamp":\#(timestamp),"position":\#(position),"cellTowers":[{"radioType":"lte","serving":1,\#(cell)}]}"#
    }

    static func body(_ items: [String]) -> String { #"{"items":["# + items.joined(separator: ",") + "]}" }

    private func counts(_ tally: GeosubmitTally) -> [GeosubmitTally.Part: Int] {
        GeosubmitTally.Part.allCases.reduce(into: [:]) { if tally[$1] > 0 { $0[$1] = tally[$1] } }
    }

    @Test func `an item of NeoStumbler is a report for its serving cell`() throws {
        let (read, tally) = try Self.read(Self.neoStumbler), upload = try #require(read)
        #expect(counts(tally) == [.item: 1, .report: 1, .neighbour: 1, .wifi: 2, .bluetooth: 1])
        #expect(upload.rows.rowCount == 1 && upload.rejections.isEmpty && upload.leftOut.isEmpty)
        let expected: [(UInt8, Int64?)] = [
            (ColumnID.capturedAt, 1_759_999_990_000), (ColumnID.latitude, 40_511_000), (ColumnID.longitude, 97_679_000),
            (ColumnID.accuracy, 125), (ColumnID.speed, 140), (ColumnID.locationSource, 0),
            (ColumnID.networkType, NetworkType.lte.rawValue), (ColumnID.mcc, 624), (ColumnID.mnc, 1),
            (ColumnID.plmnSource, 1), (ColumnID.areaCode, 4102), (ColumnID.cellID, 26_246_147), (ColumnID.pci, 211),
            (ColumnID.channel, 1300), (ColumnID.rsrp, -970), (ColumnID.rssi, nil), (ColumnID.device, 7),
        ]
        for (column, value) in expected { #expect(upload.value(column) == value, "column \(column)") }
    }

    @Test func `an item of Tower Collector with two SIM cards is two reports, without its sentinels`() throws {
        let (read, tally) = try Self.read(Self.towerCollector), upload = try #require(read)
        #expect(counts(tally) == [.item: 1, .report: 2])
        #expect(upload.rows.rowCount == 2 && upload.rejections.isEmpty)
        #expect(upload.leftOut[0]?.map(\.field) == ["area_code"] && upload.leftOut[0]?.first?.code == .sentinel)
        #expect(upload.leftOut[1] == nil)
        #expect(upload.value(ColumnID.networkType, 0) == NetworkType.umts.rawValue)
        #expect(upload.value(ColumnID.networkType, 1) == NetworkType.gsm.rawValue)
        // A scrambling code is no physical cell identity, and RSCP no RSRP.
        #expect(upload.value(ColumnID.pci, 0) == nil && upload.value(ColumnID.rsrp, 0) == nil)
        #expect(upload.value(ColumnID.rssi, 0) == -890 && upload.value(ColumnID.rssi, 1) == -710)
    }

    @Test func `a code that is text alone is taken, and null is nothing`() throws {
        let cell = #""mobileCountryCode":null,"mobileCountryCodeStr":"624","mobileNetworkCodeStr":"02","cellId":null"#
        let upload = try #require(try Self.read(Self.body([Self.item(cell: cell)])).upload)
        #expect(upload.value(ColumnID.mcc) == 624 && upload.value(ColumnID.mnc) == 2)
        #expect(upload.value(ColumnID.cellID) == nil && upload.leftOut.isEmpty)
    }

    @Test(arguments: ["fused", "manual"])
    func `a position of unknown origin has no source`(source: String) throws {
        let position = #"{"latitude":4.05,"longitude":9.77,"source":"\#(source)"}"#
        let upload = try #require(try Self.read(Self.body([Self.item(position: position)])).upload)
        #expect(upload.value(ColumnID.latitude) == 40_500_000 && upload.value(ColumnID.locationSource) == nil)
    }

    @Test func `values that cannot be are left out by name, and what says when refuses the row`() throws {
        let zero = #"{"latitude":0,"longitude":0.0,"accuracy":2147483647,"speed":[1]}"#
        let items = [
            Self.item(position: zero), Self.item(position: "null"), Self.item("2147483647"),
            Self.item("\(Reading.now + 3_600_000)"), Self.item("null"), Self.item(cell: #""cellId":2147483647"#),
        ]
        let upload = try #require(try Self.read(Self.body(items)).upload)
        #expect(Set(upload.leftOut[0]?.map(\.field) ?? []) == ["latitude", "longitude", "accuracy_m", "speed_mps"])
        #expect(upload.leftOut[1] == nil)
        #expect(upload.leftOut[5]?.map(\.field) == ["cell_id"])
        // A time in the future is refused in the commit, with all others that are too far from its clock.
        #expect(upload.rejections.map(\.row) == [4])
        #expect(upload.rejections.map(\.code) == [.missingField])
        #expect(upload.rows.rowCount == 5)
    }

    @Test(arguments: [
        ("7", GeosubmitTally.Part.notAnObject), (#""},{""#, .notAnObject), ("[[1]]", .notAnObject),
        ("null", .notAnObject),
        (#"{"timestamp":01}"#, .malformed), (#"{"timestamp" 1}"#, .malformed), (#"{"cellTowers":[7]}"#, .malformed),
        (#"{"cellTowers":[{"serving":1},{"cellId":1x}]}"#, .malformed),
        (#"{"a":"\#(String(repeating: "b", count: GeosubmitScanner.mostItemBytes))"}"#, .tooLarge),
        (#"{"a":\#(String(repeating: "[", count: 60))\#(String(repeating: "]", count: 60))}"#, .malformed),
    ])
    func `one broken item of 950 costs only itself`(broken: String, part: GeosubmitTally.Part) throws {
        var items = (0..<950).map { Self.item("\(Reading.now - Int64($0))") }
        items[475] = broken
        for isCompressed in [false, true] {
            let text = Array(Self.body(items).utf8)
            let body = isCompressed ? try Deflater.deflate(text, format: .gzip) : text
            let (upload, tally) = try Self.read(body, isCompressed: isCompressed)
            #expect(counts(tally) == [.item: 950, .report: 949, part: 1])
            #expect(upload?.rows.rowCount == 949 && upload?.rejections.isEmpty == true)
        }
    }

    @Test func `a body is the same in pieces of any size`() throws {
        let whole = Array(Self.body([Self.item(), "1", Self.item(cell: #""cellId":"\"{""#)] + [Self.neoStumbler]).utf8)
        for size in [1, 2, 3, 7, 64, 1_000] {
            var scanner = GeosubmitScanner(), found: [String] = []
            for start in stride(from: 0, to: whole.count, by: size) {
                Array(whole[start..<min(start + size, whole.count)]).withUnsafeBytes { piece in
                    scanner.feed(piece) { (element: GeosubmitScanner.Element) in
                        if case .value(let bytes) = element {
                            found.append(String(decoding: bytes, as: UTF8.self))
                        } else {
                            found.append("scalar")
                        }
                    }
                }
            }
            #expect(
                found == [Self.item(), "scalar", Self.item(cell: #""cellId":"\"{""#), Self.neoStumbler],
                "pieces of \(size)")
            #expect(scanner.hasItems && scanner.hasEnded)
        }
    }

    @Test func `a body of access points alone is taken, and gives nothing`() throws {
        let (upload, tally) = try Self.read(
            #"{"more":{"items":[1]},"items":[{"timestamp":1,"wifiAccessPoints":[{},{}]},{}],"items2":[3]}"#)
        #expect(upload == nil)
        #expect(counts(tally) == [.item: 2, .wifi: 2, .withoutServingCell: 2])
    }

    @Test func `what came before the end of a body that is cut off is taken`() throws {
        let text = Self.body([Self.item("\(Reading.now - 1)"), Self.item()])
        let (upload, tally) = try Self.read(String(text.dropLast(20)))
        #expect(counts(tally) == [.item: 1, .report: 1, .cutOff: 1] && upload?.rows.rowCount == 1)
    }

    @Test(arguments: [
        ("", "empty_body"), ("7", "missing_field"), ("[]", "missing_field"), ("{}", "missing_field"),
        (#"{"items":7}"#, "missing_field"), (#"{"items":{}}"#, "missing_field"),
        (#"{"a":["items",[]]}"#, "missing_field"),
        (#"{"items":[1,2]}"#, "nothing_readable"), ("}}]]{{", "missing_field"),
    ])
    func `what is no Geosubmit is refused by name`(text: String, code: String) {
        let problem = #expect(throws: DeviceAPIError.self) { try Self.read(text) }
        #expect(problem?.code == code)
    }

    @Test func `limits of rows and bytes hold, and a bomb is never in memory`() throws {
        let many = Array(Self.body((0..<2_001).map { Self.item("\(Reading.now - Int64($0))") }).utf8)
        #expect(problem { try Self.read(many) } == "too_many_rows")
        let reader = UploadReader(.qoe, rowLimit: 2_000, inflatedLimit: 4_000, geosubmitLimit: 100_000)
        #expect(problem { try Self.read(Array(many[..<60_000]), reader: reader) } == "inflated_too_large")
        let bomb = try Deflater.deflate([UInt8](repeating: 0x20, count: 3_000_000), format: .gzip)
        #expect(problem { try Self.read(bomb, isCompressed: true, reader: reader) } == "inflated_too_large")
        #expect(problem { try Self.read([0x1F, 0x8B, 8, 0], isCompressed: true) } == "broken_compression")
        #expect(problem { try Self.read(Array(many.prefix(80)), consent: []) } == "no_measurement_consent")
    }

    private func problem(_ body: () throws -> (upload: Upload?, tally: GeosubmitTally)) -> String? {
        do {
            _ = try body()
            return nil
        } catch { return (error as? DeviceAPIError)?.code }
    }

    @Test func `an id comes from what is said, and says it to nobody without the key`() throws {
        let one = try #require(try Self.read(Self.body([Self.item()])).upload)
        let id = try #require(one.identifier(0))
        #expect(id.text.dropFirst(14).first == "8" && "89ab".contains(id.text.dropFirst(19).first!))
        // Written in another way and in another place, it is the same.
        let spelled = Self.item("\(Reading.now).0", position: #"{"longitude":9.770,"latitude":405e-2,"age":7}"#)
        let other = try #require(try Self.read(Self.body([Self.item("1"), spelled])).upload)
        #expect(other.identifier(1) == id && other.identifier(0) != id)
        #expect(other.identities[1].content == one.identities[0].content)
        let elsewhere = try Self.read(
            Array(Self.body([Self.item()]).utf8), key: DeviceToken.hash("another key"))
        #expect(elsewhere.upload?.identifier(0) != id)
    }

    @Test func `consent is obeyed as in any upload`() throws {
        let upload = try #require(try Self.read(Self.body([Self.item()]), consent: [.measurement]).upload)
        #expect(upload.value(ColumnID.latitude) == nil && upload.value(ColumnID.cellID) == 1)
        #expect(upload.flags.isSuperset(of: [.notForOperators, .notForResearch]))
    }
}
