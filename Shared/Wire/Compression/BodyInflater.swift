/// Inflates gzip and zlib bodies that are there as a whole, never giving more than a limit.
///
/// The same answers as ``Inflater`` in half its time: what does not come out whole at once is left to it, so that there is
/// one judgement of what is broken. Keeps its tables between bodies; not thread-safe, copies share their state.
public struct BodyInflater {
    /// Most bytes a body may inflate to.
    public let limit: Int
    private let decompressor = BlockDecompressor()
    private var stepwise: Inflater
    private static let leastRoom = 16_384

    public init(limit: Int) {
        self.limit = limit
        stepwise = Inflater(limit: limit)
    }

    /// Puts the inflated body at the beginning of `output` and returns its length; `output` grows up to the limit and
    /// `padding`, never shrinks, and has at least `padding` bytes behind the body.
    ///
    /// Throws as ``Inflater/append(_:into:)-(UnsafeRawBufferPointer,_)`` and ``Inflater/finish()`` do.
    public mutating func inflate(
        _ body: UnsafeRawBufferPointer, into output: inout [UInt8], padding: Int
    ) throws(WireError) -> Int {
        var room = min(max(Self.sizeHint(body), 4 * body.count, Self.leastRoom), limit)
        while true {
            Self.grow(&output, to: room + padding)
            let outcome = output.withUnsafeMutableBytes { bytes in
                decompressor.inflateMember(body, into: UnsafeMutableRawBufferPointer(rebasing: bytes[..<room]))
            }
            switch outcome {
            case .whole(let consumed, let produced) where consumed == body.count: return produced
            case .needsRoom where room < limit: room = min(4 * room, limit)
            case .needsRoom: throw .tooLarge(what: "compressed body", limit: limit)
            case .whole, .bad: return try inflateStepwise(body, into: &output, padding: padding)
            }
        }
    }

    /// Several members, something behind the end, or broken.
    private mutating func inflateStepwise(
        _ body: UnsafeRawBufferPointer, into output: inout [UInt8], padding: Int
    ) throws(WireError) -> Int {
        stepwise.reset()
        var whole: [UInt8] = []
        try stepwise.append(body, into: &whole)
        try stepwise.finish()
        Self.grow(&output, to: whole.count + padding)
        output.replaceSubrange(..<whole.count, with: whole)
        return whole.count
    }

    private static func grow(_ output: inout [UInt8], to count: Int) {
        if output.count < count { output.append(contentsOf: repeatElement(0, count: count - output.count)) }
    }

    /// What a gzip body says of its length, modulo 2³² (RFC 1952 § 2.3.1); only a first guess, for anybody may lie.
    private static func sizeHint(_ body: UnsafeRawBufferPointer) -> Int {
        guard body.first == 0x1f, body.count >= 18 else { return 0 }
        return Int(UInt32(littleEndian: body.loadUnaligned(fromByteOffset: body.count - 4, as: UInt32.self)))
    }
}
