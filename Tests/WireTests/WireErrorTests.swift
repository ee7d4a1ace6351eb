import Testing
import Wire

@Suite struct WireErrorTests {
    @Test func `messages name what and how much`() {
        #expect(WireError.tooLarge(what: "table", limit: 64).description == "table is over the limit of 64")
        #expect(
            WireError.checksumMismatch(what: "payload", recorded: 255, computed: 16).description
                == "payload has CRC-32 10, recorded was ff")
    }

    @Test func `the checksum is that of zlib`() {
        #expect(CRC32.checksum([UInt8]("123456789".utf8)) == 0xcbf4_3926)
        #expect(CRC32.checksum([]) == 0)
    }

    @Test(arguments: 0...9) func `the checksum of parts is that of the whole`(cut: Int) {
        let bytes = [UInt8]("123456789".utf8)
        let first = CRC32.checksum(Array(bytes[..<cut]))
        #expect(bytes[cut...].withUnsafeBytes { CRC32.checksum($0, seed: first) } == 0xcbf4_3926)
    }

    @Test func `nothing more leaves the checksum as it was`() {
        #expect(CRC32.checksum(UnsafeRawBufferPointer(start: nil, count: 0), seed: 0xcbf4_3926) == 0xcbf4_3926)
    }
}
