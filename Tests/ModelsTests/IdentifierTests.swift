import Models
import QoE
import Testing

@Suite("Identifiers")
struct IdentifierTests {
    @Test
    func `a UUID reads and prints the same, in any case`() throws {
        let text = "018f4e2a-9b3c-7d1e-8f00-0123456789ab"
        #expect(try #require(RecordIdentifier(text: text)).text == text)
        #expect(RecordIdentifier(text: text.uppercased()) == RecordIdentifier(text: text))
        for bad in ["", "018f4e2a9b3c7d1e8f000123456789ab", "018f4e2a-9b3c-7d1e-8f00-0123456789ag"] {
            #expect(RecordIdentifier(text: bad) == nil)
        }
    }

    @Test
    func `the identifier of a device and its counter is a UUIDv8 and differs for each pair`() {
        var seen: Set<RecordIdentifier> = []
        for device in UInt64(1)...50 {
            for seq in Int64(1)...50 { seen.insert(RecordIdentifier(device: device, seq: seq)) }
        }
        #expect(seen.count == 2_500)
        let text = Array(RecordIdentifier(device: 7, seq: 9).text)
        #expect(text[14] == "8")
        #expect(text[19] == "8")
    }

    @Test
    func `PLMN text pads the network code to two digits and reads back`() {
        #expect(PLMN(mcc: 624, mnc: 1).text == "62401")
        #expect(PLMN(mcc: 310, mnc: 260).text == "310260")
        #expect(PLMN(text: "62401") == PLMN(mcc: 624, mnc: 1))
        #expect(PLMN(text: "310260") == PLMN(mcc: 310, mnc: 260))
        #expect(PLMN(mcc: 624, mnc: nil) == .unknown)
        #expect(PLMN(text: "624") == nil)
    }

    @Test
    func `what is no cell key is none`() throws {
        let cell = CellKey(
            bucketSeconds: 3_600, bucketStart: 1_785_000_000, quadkey: Quadkey(level: 16, code: 0xfedc_ba98),
            plmn: PLMN(mcc: 624, mnc: 1), technology: .g4, population: .shared)
        #expect(
            cell.bytes == [
                1, 1, 0, 0, 0, 0, 0x6a, 0x64, 0xf0, 0x40, 16, 0, 0xfe, 0xdc, 0xba, 0x98, 0, 9, 0x85, 0x81, 3, 1,
            ])
        // A month, a level that does not fit, a code that is none of the level, another population.
        for (place, byte) in [(1, UInt8(3)), (10, 21), (11, 1), (10, 15), (21, 2)] {
            var bytes = cell.bytes
            bytes[place] = byte
            #expect(CellKey(bytes: bytes) == nil, "\(place)")
        }
    }

    @Test
    func `a cell key of version 1 is that of what is not shared`() throws {
        let bytes: [UInt8] = [
            0, 1, 0x51, 0x80, 0, 0, 0, 0, 0x6a, 0x64, 0xf0, 0x40, 16, 0xfe, 0xdc, 0xba, 0x98, 0, 9, 0x85, 0x81, 3,
        ]
        let cell = CellKey(
            bucketSeconds: 86_400, bucketStart: 1_785_000_000, quadkey: Quadkey(level: 16, code: 0xfedc_ba98),
            plmn: PLMN(mcc: 624, mnc: 1), technology: .g4, population: .unshared)
        for version in [UInt8(1), 2] { #expect(bytes.withUnsafeBytes { CellKey($0, ofKind: version) } == cell) }
        #expect(cell.bytes.withUnsafeBytes { CellKey($0, ofKind: 3) } == cell)
        #expect(bytes.withUnsafeBytes { CellKey($0, ofKind: 3) } == nil)
        #expect(cell.bytes.withUnsafeBytes { CellKey($0, ofKind: 2) } == nil)
    }

    @Test
    func `a cell key reads back, and its bytes are in the order of keys`() {
        var random = SystemRandomNumberGenerator()
        var keys: [CellKey] = []
        for _ in 0..<500 {
            let level = Int.random(in: 5...20, using: &random)
            let quadkey =
                level == 5
                ? nil : Quadkey(level: level, code: .random(in: 0..<(1 << UInt64(2 * level)), using: &random))
            keys.append(
                CellKey(
                    programme: [1, 2, 255].randomElement(using: &random)!,
                    bucket: CellKey.Bucket.allCases.randomElement(using: &random)!,
                    bucketStart: .random(in: 0...2_000_000_000, using: &random), quadkey: quadkey,
                    scope: [0, 624_001, .max].randomElement(using: &random)!,
                    stratum: .random(in: 0...255, using: &random),
                    population: CellKey.Population.allCases.randomElement(using: &random)!))
        }
        for key in keys { #expect(CellKey(bytes: key.bytes) == key) }
        func parts(_ key: CellKey) -> [UInt64] {
            let place = [UInt64(key.quadkey?.level ?? 0), key.quadkey?.code ?? 0]
            let who = [UInt64(key.scope), UInt64(key.stratum), UInt64(key.population.rawValue)]
            return [UInt64(key.programme), UInt64(key.bucket.rawValue), UInt64(key.bucketStart)] + place + who
        }
        #expect(keys.sorted() == keys.sorted { parts($0).lexicographicallyPrecedes(parts($1)) })
        #expect(CellKey(bytes: [1, 2, 3]) == nil)
    }
}
