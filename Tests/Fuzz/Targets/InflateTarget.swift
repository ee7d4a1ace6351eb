import CZlib
import Models

@testable import IngestUploads
@testable import Wire

/// A compressed body: as it is, and as the deflated part of streams whose checksums are right.
///
/// However it comes, the inflater that takes a body whole and the one that takes it in pieces must agree, to the byte and to
/// the error.
struct InflateTarget: FuzzTarget {
    private static let limit = 1 << 16
    private static let padding = 64
    private let invariants = UploadInvariants(inflatedLimit: limit)
    private var whole = BodyInflater(limit: limit)
    private var memory: [UInt8] = []

    mutating func run(_ bytes: UnsafeRawBufferPointer) throws {
        try check(bytes)
        let deflated = InflateStream(windowBits: -15)
        var plain = [UInt8](repeating: 0, count: Self.limit)
        let step = plain.withUnsafeMutableBytes { deflated.inflateStep(bytes, into: $0) }
        guard step.code == Z_STREAM_END else { return }
        let stream = Array(bytes.prefix(step.consumed))
        for body in [Self.gzip(stream, plain.prefix(step.produced)), Self.zlib(stream, plain.prefix(step.produced))] {
            let length = try body.withUnsafeBytes { try check($0) }
            guard length == step.produced else {
                throw UploadInvariants.Broken(description: "\(step.produced) bytes inflated to \(length ?? -1)")
            }
        }
    }

    /// - Returns: the length of the inflated body, nil if it is none.
    @discardableResult
    private mutating func check(_ bytes: UnsafeRawBufferPointer) throws -> Int? {
        let inPieces = Self.inflatedInPieces(bytes)
        let atOnce: Result<[UInt8], WireError>
        do throws(WireError) {
            let length = try whole.inflate(bytes, into: &memory, padding: Self.padding)
            atOnce = .success(Array(memory[..<length]))
        } catch { atOnce = .failure(error) }
        guard "\(atOnce)" == "\(inPieces)" else {
            throw UploadInvariants.Broken(description: "at once \(atOnce), in pieces \(inPieces)")
        }
        try invariants.check(bytes, .json, isCompressed: true)
        return try? atOnce.get().count
    }

    private static func inflatedInPieces(_ bytes: UnsafeRawBufferPointer) -> Result<[UInt8], WireError> {
        var inflater = Inflater(limit: limit), output: [UInt8] = []
        do throws(WireError) {
            var rest = bytes[...], size = 1
            while !rest.isEmpty {
                try inflater.append(UnsafeRawBufferPointer(rebasing: rest.prefix(size)), into: &output)
                rest = rest.dropFirst(size)
                size = size * 3 % 1_000 + 1
            }
            try inflater.finish()
            return .success(output)
        } catch { return .failure(error) }
    }

    private static func gzip(_ stream: [UInt8], _ plain: ArraySlice<UInt8>) -> [UInt8] {
        let sum = plain.withUnsafeBytes { crc32(0, $0.bindMemory(to: UInt8.self).baseAddress, UInt32($0.count)) }
        var body: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3]
        body += stream
        for word in [UInt32(sum), UInt32(plain.count)] { body += withUnsafeBytes(of: word.littleEndian, Array.init) }
        return body
    }

    private static func zlib(_ stream: [UInt8], _ plain: ArraySlice<UInt8>) -> [UInt8] {
        let sum = plain.withUnsafeBytes { adler32(1, $0.bindMemory(to: UInt8.self).baseAddress, UInt32($0.count)) }
        return [0x78, 0x01] + stream + withUnsafeBytes(of: UInt32(sum).bigEndian, Array.init)
    }
}
