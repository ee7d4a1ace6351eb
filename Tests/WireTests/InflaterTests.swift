import Testing
import Wire

@Suite struct InflaterTests {
    private let text = [UInt8]("nkul nkul nkul: reports from the field ".utf8) + [UInt8](repeating: 7, count: 300_000)

    @Test(arguments: [CompressionFormat.gzip, .zlib]) func `a stream comes back in pieces of any size`(
        format: CompressionFormat
    )
        throws
    {
        let packed = try Deflater.deflate(text, format: format)
        for size in [1, 7, 100_000] {
            for reading in [format, .auto] {
                var inflater = Inflater(format: reading, limit: text.count)
                var output: [UInt8] = []
                for start in stride(from: 0, to: packed.count, by: size) {
                    try inflater.append(Array(packed[start..<min(start + size, packed.count)]), into: &output)
                }
                try inflater.finish()
                #expect(output == text)
            }
        }
    }

    @Test func `a bomb stops at the limit`() throws {
        let bomb = try Deflater.deflate([UInt8](repeating: 0, count: 50 << 20), level: 9)
        #expect(bomb.count < 60_000)
        var inflater = Inflater(limit: 1 << 20)
        var output: [UInt8] = []
        #expect(throws: WireError.tooLarge(what: "compressed body", limit: 1 << 20)) {
            try inflater.append(bomb, into: &output)
        }
        #expect(output.count <= 1 << 20)
    }

    @Test func `a stream of exactly the limit is taken`() throws {
        let packed = try Deflater.deflate(text)
        #expect(try Inflater.inflate(packed, limit: text.count) == text)
        #expect(throws: WireError.tooLarge(what: "compressed body", limit: text.count - 1)) {
            try Inflater.inflate(packed, limit: text.count - 1)
        }
    }

    @Test(arguments: [CompressionFormat.gzip, .zlib]) func `a truncated stream is an error at every length`(
        format: CompressionFormat
    ) throws {
        let packed = try Deflater.deflate(text, format: format)
        for length in 0..<packed.count {
            #expect(throws: WireError.truncated(what: "compressed body")) {
                try Inflater.inflate(Array(packed[..<length]), format: format, limit: 1 << 20)
            }
        }
    }

    @Test func `members of gzip may follow one another`() throws {
        let packed = try Deflater.deflate(text) + Deflater.deflate([1, 2, 3])
        #expect(try Inflater.inflate(packed, limit: 1 << 20) == text + [1, 2, 3])
        #expect(throws: WireError.truncated(what: "compressed body")) {
            try Inflater.inflate(packed.dropLast(3), limit: 1 << 20)
        }
    }

    @Test func `garbage behind the stream is an error`() throws {
        for format in [CompressionFormat.gzip, .zlib] {
            #expect(throws: WireError.trailingBytes(what: "compressed body")) {
                try Inflater.inflate(try Deflater.deflate([1, 2], format: format) + [0, 0], limit: 100)
            }
        }
    }

    @Test func `garbage is corrupt`() {
        for format in [CompressionFormat.gzip, .zlib, .auto] {
            #expect(throws: WireError.corrupt(what: "compressed body")) {
                try Inflater.inflate([UInt8]("{\"latitude\":1}".utf8), format: format, limit: 100)
            }
        }
    }

    @Test func `a flushed piece can be read before the end`() throws {
        var deflater = Deflater(), inflater = Inflater(limit: 1 << 20)
        var packed: [UInt8] = [], output: [UInt8] = []
        try deflater.append(Array("first".utf8), into: &packed, flush: true)
        try inflater.append(packed, into: &output)
        #expect(output == Array("first".utf8))
    }

    @Test func `an inflater serves one stream after another`() throws {
        var inflater = Inflater(limit: 10)
        for _ in 0..<3 {
            var output: [UInt8] = []
            try inflater.append(try Deflater.deflate([4, 5, 6, 7, 8, 9]), into: &output)
            try inflater.finish()
            #expect(output == [4, 5, 6, 7, 8, 9])
            inflater.reset()
        }
    }
}
