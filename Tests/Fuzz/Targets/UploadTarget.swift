import CSimdjson
import Models

@testable import IngestUploads

/// A body of text, read the way of every upload, and by the C++ parser alone in memory that ends where it must not go on.
struct UploadTarget: FuzzTarget {
    let format: UploadRequest.Format
    private let isLines: Bool
    private let invariants = UploadInvariants()
    private let exact = UploadInvariants.kinds.map { ExactParser($0) }

    /// - Parameter isLines: bodies that begin as an array are left to the target of arrays.
    init(format: UploadRequest.Format, isLines: Bool = false) {
        self.format = format
        self.isLines = isLines
    }

    func run(_ bytes: UnsafeRawBufferPointer) throws {
        if isLines, bytes.first(where: { $0 > 32 }) == UInt8(ascii: "[") { return }
        for parser in exact { try parser.run(bytes, format) }
        try invariants.check(bytes, format)
    }
}

/// A body of Geosubmit v2.
struct GeosubmitTarget: FuzzTarget {
    private let invariants = UploadInvariants()

    func run(_ bytes: UnsafeRawBufferPointer) throws { try invariants.checkGeosubmit(bytes) }
}
