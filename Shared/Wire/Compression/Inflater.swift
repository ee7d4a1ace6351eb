import CZlib

/// Inflates a gzip or zlib stream that arrives in pieces, never giving more than a limit.
///
/// Keeps its tables between streams: call ``reset()`` and use it again. Not thread-safe; copies share their state.
public struct Inflater {
    /// Most bytes a stream may inflate to.
    public let limit: Int
    /// Bytes given out since the last reset.
    public private(set) var inflatedLength = 0
    /// Whether what was appended so far is a whole stream.
    public private(set) var isComplete = false
    private let format: CompressionFormat
    private let stream: InflateStream
    private let scratch: ScratchBuffer
    private var firstByte: UInt8?
    private static let what = "compressed body"

    /// An inflater for streams of a format that refuses to give more than `limit` bytes.
    public init(format: CompressionFormat = .auto, limit: Int) {
        self.format = format
        self.limit = limit
        stream = InflateStream(windowBits: format.windowBits)
        scratch = ScratchBuffer(capacity: 65_536)
    }

    /// Forgets the current stream.
    public mutating func reset() {
        stream.reset()
        inflatedLength = 0
        isComplete = false
        firstByte = nil
    }

    /// Inflates the next piece of the stream and appends the result to `output`.
    ///
    /// Throws `tooLarge` over the limit, `corrupt` for what is no stream, `trailingBytes` for what follows its end.
    public mutating func append(_ input: [UInt8], into output: inout [UInt8]) throws(WireError) {
        let result = input.withUnsafeBytes { bytes in
            Result { () throws(WireError) in try append(bytes, into: &output) }
        }
        try result.get()
    }

    /// Inflates the next piece of the stream and appends the result to `output`.
    public mutating func append(_ input: UnsafeRawBufferPointer, into output: inout [UInt8]) throws(WireError) {
        var rest = input
        if firstByte == nil { firstByte = rest.first }
        var hasMore = !rest.isEmpty
        while hasMore {
            if isComplete { try startNextMember(rest) }
            let step = stream.inflateStep(rest, into: scratch.bytes)
            rest = UnsafeRawBufferPointer(rebasing: rest[step.consumed...])
            try take(step.produced, into: &output)
            switch step.code {
            case Z_STREAM_END: isComplete = true
            case Z_OK, Z_BUF_ERROR: break
            case Z_MEM_ERROR: throw .compressor(code: step.code)
            default: throw .corrupt(what: Inflater.what)
            }
            hasMore = !rest.isEmpty || (!isComplete && step.produced == scratch.bytes.count)
        }
    }

    /// Says that the stream ends here; throws `truncated` if it does not.
    public func finish() throws(WireError) {
        guard isComplete else { throw .truncated(what: Inflater.what) }
    }

    /// Inflates one whole stream.
    public static func inflate(
        _ input: [UInt8], format: CompressionFormat = .auto, limit: Int
    ) throws(WireError) -> [UInt8] {
        var inflater = Inflater(format: format, limit: limit)
        var output: [UInt8] = []
        try inflater.append(input, into: &output)
        try inflater.finish()
        return output
    }

    private mutating func take(_ produced: Int, into output: inout [UInt8]) throws(WireError) {
        guard inflatedLength + produced <= limit else { throw .tooLarge(what: Inflater.what, limit: limit) }
        inflatedLength += produced
        output.append(contentsOf: UnsafeRawBufferPointer(rebasing: scratch.bytes[..<produced]))
    }

    /// gzip members may be concatenated (RFC 1952 § 2.2); after a zlib stream nothing may follow.
    private mutating func startNextMember(_ rest: UnsafeRawBufferPointer) throws(WireError) {
        guard firstByte == 0x1f, format != .zlib, rest.first == 0x1f else {
            throw .trailingBytes(what: Inflater.what)
        }
        stream.reset()
        isComplete = false
    }
}
