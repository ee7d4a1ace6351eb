import Storage
import Testing

@Suite struct BlockSealerTests {
    let sealer = BlockSealer(key: [UInt8](repeating: 7, count: 32))

    @Test func `opens what it sealed`() throws {
        let clear = [UInt8]("what a phone saw".utf8)
        let sealed = try sealer.seal(clear, additional: [1, 2])
        #expect(sealed.count == clear.count + BlockSealer.overhead)
        #expect(try sealer.open(sealed, additional: [1, 2], place: "here") == clear)
    }

    @Test func `seals the same bytes differently each time`() throws {
        #expect(try sealer.seal([1, 2, 3], additional: []) != sealer.seal([1, 2, 3], additional: []))
    }

    @Test func `refuses every flipped bit`() throws {
        let sealed = try sealer.seal([UInt8](0..<50), additional: [9])
        for bit in 0..<sealed.count * 8 {
            var changed = sealed
            changed[bit / 8] ^= 1 << UInt8(bit % 8)
            let error = try #require(throws: StorageError.self) {
                try sealer.open(changed, additional: [9], place: "block 4")
            }
            #expect(error.code == .notAuthentic && error.path == "block 4")
        }
    }

    @Test func `refuses another place key or length`() throws {
        let sealed = try sealer.seal([1, 2, 3], additional: [9])
        let other = BlockSealer(key: [UInt8](repeating: 8, count: 32))
        #expect(throws: StorageError.self) { try sealer.open(sealed, additional: [8], place: "") }
        #expect(throws: StorageError.self) { try other.open(sealed, additional: [9], place: "") }
        #expect(throws: StorageError.self) { try sealer.open([], additional: [9], place: "") }
        #expect(throws: StorageError.self) { try sealer.open(Array(sealed.dropLast()), additional: [9], place: "") }
        #expect(other.keyID != sealer.keyID && sealer.keyID != 0)
    }
}
