import CZlib

/// Owns one `z_stream` that inflates; at a fixed address and not thread-safe, like ``DeflateStream``.
final class InflateStream {
    private let stream: UnsafeMutablePointer<z_stream>

    /// `windowBits` as in zlib's manual: −15 bare, 15 zlib, 31 gzip, 47 zlib or gzip.
    init(windowBits: Int32) {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        let code = inflateInit2_(stream, windowBits, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        precondition(code == Z_OK, "inflateInit2 failed with code \(code): no memory")
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
    }

    func reset() { inflateReset(stream) }

    /// Inflates as much of `input` as `output` has room for.
    func inflateStep(
        _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) -> (code: Int32, consumed: Int, produced: Int) {
        let available = UInt32(clamping: input.count), room = UInt32(clamping: output.count)
        stream.pointee.next_in = UnsafeMutablePointer(mutating: input.bindMemory(to: UInt8.self).baseAddress)
        stream.pointee.avail_in = available
        stream.pointee.next_out = output.bindMemory(to: UInt8.self).baseAddress
        stream.pointee.avail_out = room
        let code = inflate(stream, Z_NO_FLUSH)
        return (code, Int(available - stream.pointee.avail_in), Int(room - stream.pointee.avail_out))
    }
}
