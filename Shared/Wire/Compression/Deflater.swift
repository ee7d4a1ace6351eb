internal import CZlib

/// Deflates a gzip or zlib stream piece by piece.
///
/// Keeps its tables between streams: call ``reset()`` and use it again. Not thread-safe; copies share their state.
public struct Deflater {
    private let stream: DeflateStream
    private let scratch: ScratchBuffer

    /// A deflater of a format (`auto` means gzip) at a zlib level, 1 fastest … 9 smallest.
    public init(format: CompressionFormat = .gzip, level: Int32 = 1) {
        stream = DeflateStream(level: level, windowBits: format == .zlib ? 15 : 31)
        scratch = ScratchBuffer(capacity: 65_536)
    }

    /// Forgets the current stream.
    public mutating func reset() { stream.reset() }

    /// Deflates the next piece and appends what is ready to `output`.
    ///
    /// With `flush`, a reader of `output` can inflate everything given so far; each flush costs a few bytes.
    public mutating func append(
        _ input: UnsafeRawBufferPointer, into output: inout [UInt8], flush: Bool = false
    ) throws(WireError) {
        try stream.append(input, flush: flush ? Z_SYNC_FLUSH : Z_NO_FLUSH, into: &output, scratch: scratch.bytes)
    }

    /// Deflates the next piece and appends what is ready to `output`.
    public mutating func append(_ input: [UInt8], into output: inout [UInt8], flush: Bool = false) throws(WireError) {
        let result = input.withUnsafeBytes { bytes in
            Result { () throws(WireError) in try append(bytes, into: &output, flush: flush) }
        }
        try result.get()
    }

    /// Ends the stream and appends its last bytes to `output`.
    public mutating func finish(into output: inout [UInt8]) throws(WireError) {
        try stream.append(
            UnsafeRawBufferPointer(start: nil, count: 0), flush: Z_FINISH, into: &output, scratch: scratch.bytes)
    }

    /// Deflates one whole stream.
    public static func deflate(
        _ input: [UInt8], format: CompressionFormat = .gzip, level: Int32 = 1
    ) throws(WireError) -> [UInt8] {
        var deflater = Deflater(format: format, level: level)
        var output: [UInt8] = []
        try deflater.append(input, into: &output)
        try deflater.finish(into: &output)
        return output
    }
}

/// How hard a table is compressed. Both give deflate (RFC 1951), which every reader reads.
public enum CompressionEffort: Sendable {
    /// Every block on its way: igzip of ISA-L, level 1. A third of the time of libdeflate's level 1, under 1 % more bytes.
    case fast
    /// Rows that are written again where there is little room: libdeflate, level 9.
    case small
}
