import Testing

@testable import Wire

/// A body inflated as a whole gives what the stepwise inflater gives, error for error.
@Suite struct BodyInflaterTests {
    private let text =
        [UInt8]("reports from the field, reports from the road ".utf8) + [UInt8](repeating: 7, count: 3_000)
    private static let padding = 64

    private func inflate(_ body: [UInt8], limit: Int) -> Result<[UInt8], WireError> {
        var inflater = BodyInflater(limit: limit)
        return inflate(body, &inflater)
    }

    private func inflate(_ body: [UInt8], _ inflater: inout BodyInflater) -> Result<[UInt8], WireError> {
        var output: [UInt8] = []
        return body.withUnsafeBytes { bytes in
            Result { () throws(WireError) in
                let length = try inflater.inflate(bytes, into: &output, padding: Self.padding)
                #expect(output.count >= length + Self.padding)
                return Array(output[..<length])
            }
        }
    }

    private func stepwise(_ body: [UInt8], limit: Int) -> Result<[UInt8], WireError> {
        Result { () throws(WireError) in try Inflater.inflate(body, limit: limit) }
    }

    @Test(arguments: [CompressionFormat.gzip, .zlib]) func `whole cut off or damaged it is the same answer`(
        format: CompressionFormat
    ) throws {
        let packed = try Deflater.deflate(text, format: format)
        var random = SystemRandomNumberGenerator()
        var bodies = (0...packed.count).map { Array(packed[..<$0]) }
        bodies += [packed + [1], packed + [0x1f], packed + packed, packed + packed.dropLast(1)]
        for _ in 0..<500 {
            var damaged = packed
            damaged[Int.random(in: 0..<packed.count, using: &random)] ^= UInt8.random(in: 1...255, using: &random)
            bodies.append(damaged)
        }
        var inflater = BodyInflater(limit: 10_000)
        for body in bodies {
            // A header that names too small a window does not harm what comes out, which its checksum confirms.
            let answer = inflate(body, &inflater)
            let isRight = answer == stepwise(body, limit: 10_000) || answer == .success(text)
            #expect(isRight)
        }
    }

    @Test func `the limit is exact and no more memory is taken`() throws {
        let packed = try Deflater.deflate(text)
        #expect(inflate(packed, limit: text.count) == .success(text))
        #expect(
            inflate(packed, limit: text.count - 1)
                == .failure(.tooLarge(what: "compressed body", limit: text.count - 1)))
        let bomb = try Deflater.deflate([UInt8](repeating: 0, count: 50 << 20), level: 9)
        var inflater = BodyInflater(limit: 1 << 20), output: [UInt8] = []
        #expect(throws: WireError.tooLarge(what: "compressed body", limit: 1 << 20)) {
            _ = try bomb.withUnsafeBytes { try inflater.inflate($0, into: &output, padding: Self.padding) }
        }
        #expect(output.count <= 1 << 20 + Self.padding)
    }

    @Test func `a lie about the length changes nothing`() throws {
        for lie in [0, 1, 0xff, 0xffff_ffff] as [UInt32] {
            var packed = try Deflater.deflate(text)
            let last = packed.count - 4
            packed.withUnsafeMutableBytes {
                $0.storeBytes(of: lie.littleEndian, toByteOffset: last, as: UInt32.self)
            }
            #expect(inflate(packed, limit: 10_000) == .failure(.corrupt(what: "compressed body")))
            #expect(inflate(packed, limit: 10_000) == stepwise(packed, limit: 10_000))
        }
    }
}
