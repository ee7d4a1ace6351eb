import CDeflate

/// Deflates whole buffers (RFC 1951, bare), each by itself.
///
/// libdeflate's, which takes half of zlib's time because it never stops in the middle. Keeps its tables between calls; not
/// thread-safe.
final class BlockCompressor {
    private let compressor: OpaquePointer

    /// A compressor of a level, 1 fastest … 12 smallest.
    init(level: Int32) {
        guard let compressor = libdeflate_alloc_compressor(level) else {
            preconditionFailure("libdeflate_alloc_compressor: no memory, or a level outside 0…12")
        }
        self.compressor = compressor
    }

    deinit { libdeflate_free_compressor(compressor) }

    /// Most bytes that deflating `length` bytes can give.
    func bound(_ length: Int) -> Int { libdeflate_deflate_compress_bound(compressor, length) }

    /// Deflates `input` into `output`, which has room for ``bound(_:)``; returns the length.
    func deflate(_ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer) throws(WireError) -> Int {
        let length = libdeflate_deflate_compress(
            compressor, input.baseAddress, input.count, output.baseAddress, output.count)
        guard length > 0 else { throw .compressor(code: 0) }
        return length
    }
}
