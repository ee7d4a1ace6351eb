import Models
import Testing

@testable import Wire

@Suite struct BlockCompressorTests {
    private static let efforts: [CompressionEffort] = [.fast, .small]

    /// Lengths about the sizes at which igzip begins another block of tokens or of stored bytes, and whatever else.
    private static func length(_ dice: inout SplitMix64) -> Int {
        let edges = [1, 2, 32_767, 32_768, 65_535, 65_536, 131_070, 131_071]
        return Bool.random(using: &dice)
            ? edges.randomElement(using: &dice)! : Int.random(in: 1...300_000, using: &dice)
    }

    /// From all alike to noise: the fewer values, the more there is to find.
    private static func bytes(_ dice: inout SplitMix64) -> [UInt8] {
        let values = UInt8([0, 1, 3, 15, 255].randomElement(using: &dice)!)
        return (0..<length(&dice)).map { _ in UInt8.random(in: 0...values, using: &dice) }
    }

    private func deflate(_ input: [UInt8], _ compressor: BlockCompressor) throws -> [UInt8] {
        let output = ScratchBuffer(capacity: compressor.bound(input.count))
        let room = UnsafeMutableRawBufferPointer(rebasing: output.bytes[..<compressor.bound(input.count)])
        let length = try input.withUnsafeBytes { try compressor.deflate($0, into: room) }
        return [UInt8](room[..<length])
    }

    @Test(arguments: efforts, 0..<40) func `what is deflated comes back and fits the bound`(
        effort: CompressionEffort, seed: UInt64
    ) throws {
        var dice = SplitMix64(seed: seed)
        let compressor = BlockCompressor(effort), decompressor = BlockDecompressor()
        for _ in 0..<3 {
            let input = Self.bytes(&dice), deflated = try deflate(input, compressor)
            var output = [UInt8](repeating: 0, count: input.count)
            try deflated.withUnsafeBytes { deflated in
                try output.withUnsafeMutableBytes { try decompressor.inflate(deflated, into: $0, what: "test") }
            }
            #expect(output == input)
        }
    }

    @Test(arguments: efforts) func `the same input gives the same bytes whatever came before`(effort: CompressionEffort)
        throws
    {
        var dice = SplitMix64(seed: 5)
        let used = BlockCompressor(effort)
        for _ in 0..<20 {
            let input = Self.bytes(&dice)
            #expect(try deflate(input, used) == deflate(input, BlockCompressor(effort)))
        }
    }

    @Test func `what has no room is an error and nothing is written behind it`() throws {
        var dice = SplitMix64(seed: 9)
        let noise = (0..<50_000).map { _ in UInt8.random(in: 0...255, using: &dice) }
        let compressor = BlockCompressor(.fast), room = ScratchBuffer(capacity: 50_000)
        room.bytes[40_000...].initializeMemory(as: UInt8.self, repeating: 7)
        #expect(throws: WireError.self) {
            try noise.withUnsafeBytes {
                try compressor.deflate($0, into: UnsafeMutableRawBufferPointer(rebasing: room.bytes[..<40_000]))
            }
        }
        #expect(room.bytes[40_000...].allSatisfy { $0 == 7 })
    }

    /// Of numbers as columns have them: zigzag varints that wander.
    @Test func `fast costs few more bytes than zlib`() throws {
        var dice = SplitMix64(seed: 3), pointerBytes = [UInt8](repeating: 0, count: 600_000)
        let count = pointerBytes.withUnsafeMutableBufferPointer { bytes -> Int in
            var pointer = bytes.baseAddress!
            for row in 0..<40_000 {
                Varint.write(Varint.zigzag(Int64.random(in: -900...900, using: &dice)), at: &pointer)
                Varint.write(UInt64(row % 7), at: &pointer)
            }
            return pointer - bytes.baseAddress!
        }
        let input = Array(pointerBytes[..<count]), zlib = try Deflater.deflate(input, format: .zlib).count
        #expect(try deflate(input, BlockCompressor(.fast)).count < zlib * 105 / 100)
    }
}
