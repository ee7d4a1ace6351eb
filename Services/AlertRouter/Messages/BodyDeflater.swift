internal import CZlib

/// Deflates documents of about a kilobyte as zlib streams (RFC 1950). Not thread-safe.
///
/// A window of 4 KB and small hash tables: what an ordinary deflater spends on clearing its 256 KB of tables is more
/// than a document of this size takes.
final class BodyDeflater {
    private var stream = z_stream()

    init() {
        let code = deflateInit2_(
            &stream, 6, Z_DEFLATED, 12, 5, Z_DEFAULT_STRATEGY, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        precondition(code == Z_OK, "deflateInit2: \(code)")
    }

    deinit { deflateEnd(&stream) }

    /// One whole stream.
    func deflate(_ document: [UInt8]) -> [UInt8] {
        let bound = Int(deflateBound(&stream, UInt(document.count)))
        defer { deflateReset(&stream) }
        return [UInt8](unsafeUninitializedCapacity: bound) { output, count in
            document.withUnsafeBufferPointer { input in
                // zlib does not write to its input.
                stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
                stream.avail_in = UInt32(input.count)
                stream.next_out = output.baseAddress
                stream.avail_out = UInt32(bound)
                let code = CZlib.deflate(&stream, Z_FINISH)
                precondition(code == Z_STREAM_END, "deflateBound is enough for one call: \(code)")
            }
            count = bound - Int(stream.avail_out)
        }
    }
}
