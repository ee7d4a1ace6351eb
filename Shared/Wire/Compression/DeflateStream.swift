internal import CZlib

/// Owns one `z_stream` that deflates.
///
/// zlib keeps a pointer from its state back to the `z_stream`, so the struct lives at a fixed address; it is not
/// thread-safe, and so neither is this class.
final class DeflateStream {
    private let stream: UnsafeMutablePointer<z_stream>

    /// `windowBits` as in zlib's manual: −15 bare, 15 zlib, 31 gzip.
    init(level: Int32, windowBits: Int32, strategy: Int32 = Z_DEFAULT_STRATEGY) {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        let code = deflateInit2_(
            stream, level, Z_DEFLATED, windowBits, 8, strategy, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        precondition(code == Z_OK, "deflateInit2 failed with code \(code): no memory, or a level outside −1…9")
    }

    deinit {
        deflateEnd(stream)
        stream.deallocate()
    }

    func reset() { deflateReset(stream) }

    /// Deflates `input`, appending what comes out to `output`, by way of `scratch`.
    func append(
        _ input: UnsafeRawBufferPointer, flush: Int32, into output: inout [UInt8],
        scratch: UnsafeMutableRawBufferPointer
    ) throws(WireError) {
        setInput(input)
        var isDone = false
        while !isDone {
            stream.pointee.next_out = scratch.bindMemory(to: UInt8.self).baseAddress
            stream.pointee.avail_out = UInt32(scratch.count)
            let code = deflate(stream, flush)
            guard code == Z_OK || code == Z_STREAM_END || code == Z_BUF_ERROR else { throw .compressor(code: code) }
            let produced = scratch.count - Int(stream.pointee.avail_out)
            output.append(contentsOf: UnsafeRawBufferPointer(rebasing: scratch[..<produced]))
            isDone = flush == Z_FINISH ? code == Z_STREAM_END : stream.pointee.avail_out != 0
        }
    }

    private func setInput(_ input: UnsafeRawBufferPointer) {
        stream.pointee.next_in = UnsafeMutablePointer(mutating: input.bindMemory(to: UInt8.self).baseAddress)
        stream.pointee.avail_in = UInt32(clamping: input.count)
    }
}

/// The framing of a compressed stream.
public enum CompressionFormat: Sendable {
    /// gzip, RFC 1952; members may follow one another.
    case gzip
    /// zlib, RFC 1950 (HTTP's `deflate`).
    case zlib
    /// Either, told apart by the first bytes. For inflating only; deflates as gzip.
    case auto

    var windowBits: Int32 {
        switch self {
        case .gzip: 31
        case .zlib: 15
        case .auto: 47
        }
    }
}
