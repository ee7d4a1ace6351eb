import CDeflate

/// Inflates whole buffers (bare, gzip or zlib) into memory whose size is known or bounded; libdeflate's, like
/// ``BlockCompressor``. Keeps its tables between calls; not thread-safe.
final class BlockDecompressor {
    private let decompressor: OpaquePointer

    /// What became of a stream.
    enum Outcome: Equatable {
        /// It was whole: bytes read and bytes written.
        case whole(consumed: Int, produced: Int)
        /// It has more to give than there is room.
        case needsRoom
        /// It is broken or cut off.
        case bad
    }

    init() {
        guard let decompressor = libdeflate_alloc_decompressor() else {
            preconditionFailure("libdeflate_alloc_decompressor: no memory")
        }
        self.decompressor = decompressor
    }

    deinit { libdeflate_free_decompressor(decompressor) }

    /// Inflates `input`, one whole bare stream, into exactly `output`.
    func inflate(
        _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer, what: String
    ) throws(WireError) {
        var consumed = 0, produced = 0
        let result = libdeflate_deflate_decompress_ex(
            decompressor, input.baseAddress, input.count, output.baseAddress, output.count, &consumed, &produced)
        guard result == LIBDEFLATE_SUCCESS, produced == output.count else { throw .corrupt(what: what) }
        guard consumed == input.count else { throw .trailingBytes(what: what) }
    }

    /// Inflates the gzip member or zlib stream that `input` begins with.
    func inflateMember(_ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer) -> Outcome {
        var consumed = 0, produced = 0
        let result =
            input.first == 0x1f
            ? libdeflate_gzip_decompress_ex(
                decompressor, input.baseAddress, input.count, output.baseAddress, output.count, &consumed, &produced)
            : libdeflate_zlib_decompress_ex(
                decompressor, input.baseAddress, input.count, output.baseAddress, output.count, &consumed, &produced)
        switch result {
        case LIBDEFLATE_SUCCESS: return .whole(consumed: consumed, produced: produced)
        case LIBDEFLATE_INSUFFICIENT_SPACE: return .needsRoom
        default: return .bad
        }
    }
}
