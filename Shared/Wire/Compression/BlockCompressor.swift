import CDeflate
import CIgzip

/// Deflates whole buffers (RFC 1951, bare), each by itself. Keeps its tables between calls; not thread-safe.
final class BlockCompressor {
    private enum Library {
        case igzip(UnsafeMutableRawPointer)
        case libdeflate(OpaquePointer)
    }

    private let library: Library

    /// A compressor with its own tables; without memory for them the program ends.
    init(_ effort: CompressionEffort) {
        let library: Library? =
            switch effort {
            case .fast: nkul_igzip_create().map { .igzip($0) }
            case .small: libdeflate_alloc_compressor(9).map { .libdeflate($0) }
            }
        guard let library else { preconditionFailure("no memory for a compressor") }
        self.library = library
    }

    deinit {
        switch library {
        case .igzip(let igzip): nkul_igzip_destroy(igzip)
        case .libdeflate(let compressor): libdeflate_free_compressor(compressor)
        }
    }

    /// Most bytes that deflating `length` bytes can give.
    func bound(_ length: Int) -> Int {
        switch library {
        case .igzip: nkul_igzip_bound(length)
        case .libdeflate(let compressor): libdeflate_deflate_compress_bound(compressor, length)
        }
    }

    /// Deflates `input` into `output`, which has room for ``bound(_:)``; returns the length.
    func deflate(_ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer) throws(WireError) -> Int {
        let length =
            switch library {
            case .igzip(let igzip):
                nkul_igzip_deflate(igzip, input.baseAddress, input.count, output.baseAddress, output.count)
            case .libdeflate(let compressor):
                libdeflate_deflate_compress(
                    compressor, input.baseAddress, input.count, output.baseAddress, output.count)
            }
        guard length > 0 else { throw .compressor(code: 0) }
        return length
    }
}
