internal import CZlib

/// gzip (RFC 1952) of a body that is in memory.
enum GzipBody {
    /// The compressed form of bytes.
    static func compress(_ bytes: [UInt8]) -> [UInt8] {
        var stream = z_stream()
        let code = deflateInit2_(
            &stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
            Int32(MemoryLayout<z_stream>.size))
        precondition(code == Z_OK, "deflateInit2 failed with code \(code): no memory")
        defer { deflateEnd(&stream) }
        let room = Int(deflateBound(&stream, UInt(bytes.count)))
        return [UInt8](unsafeUninitializedCapacity: room) { output, count in
            bytes.withUnsafeBufferPointer { input in
                stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
                stream.avail_in = UInt32(input.count)
                stream.next_out = output.baseAddress
                stream.avail_out = UInt32(room)
                let code = deflate(&stream, Z_FINISH)
                precondition(code == Z_STREAM_END, "deflate ended with code \(code) within its own bound")
            }
            count = room - Int(stream.avail_out)
        }
    }
}
