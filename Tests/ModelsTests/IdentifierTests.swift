import Models
import Testing

@Suite("Identifiers")
struct IdentifierTests {
    @Test("a UUID reads and prints the same, in any case")
    func uuid() throws {
        let text = "018f4e2a-9b3c-7d1e-8f00-0123456789ab"
        #expect(try #require(RecordIdentifier(text: text)).text == text)
        #expect(RecordIdentifier(text: text.uppercased()) == RecordIdentifier(text: text))
        for bad in ["", "018f4e2a9b3c7d1e8f000123456789ab", "018f4e2a-9b3c-7d1e-8f00-0123456789ag"] {
            #expect(RecordIdentifier(text: bad) == nil)
        }
    }

    @Test("the identifier of a device and its counter is a UUIDv8 and differs for each pair")
    func derived() {
        var seen: Set<RecordIdentifier> = []
        for device in UInt64(1)...50 {
            for seq in Int64(1)...50 { seen.insert(RecordIdentifier(device: device, seq: seq)) }
        }
        #expect(seen.count == 2_500)
        let text = Array(RecordIdentifier(device: 7, seq: 9).text)
        #expect(text[14] == "8")
        #expect(text[19] == "8")
    }

    @Test("PLMN text pads the network code to two digits and reads back")
    func plmn() {
        #expect(PLMN(mcc: 624, mnc: 1).text == "62401")
        #expect(PLMN(mcc: 310, mnc: 260).text == "310260")
        #expect(PLMN(text: "62401") == PLMN(mcc: 624, mnc: 1))
        #expect(PLMN(text: "310260") == PLMN(mcc: 310, mnc: 260))
        #expect(PLMN(mcc: 624, mnc: nil) == .unknown)
        #expect(PLMN(text: "624") == nil)
    }

    @Test("a cell key reads back, and its bytes are in the order of keys")
    func cellKeys() {
        var random = SystemRandomNumberGenerator()
        var keys: [CellKey] = []
        for _ in 0..<500 {
            let level = Int.random(in: 5...16, using: &random)
            let quadkey =
                level == 5
                ? nil : Quadkey(level: level, code: .random(in: 0..<(1 << UInt64(2 * level)), using: &random))
            keys.append(
                CellKey(
                    bucketSeconds: [300, 3_600, 86_400].randomElement(using: &random)!,
                    bucketStart: .random(in: 0...2_000_000_000, using: &random), quadkey: quadkey,
                    plmn: PLMN(mcc: 624, mnc: .random(in: 1...4, using: &random)),
                    technology: Technology.allCases.randomElement(using: &random)!))
        }
        for key in keys { #expect(CellKey(bytes: key.bytes) == key) }
        let sorted = keys.sorted().map(\.bytes)
        #expect(zip(sorted, sorted.dropFirst()).allSatisfy { !$1.lexicographicallyPrecedes($0) })
        #expect(CellKey(bytes: [1, 2, 3]) == nil)
    }
}
