internal import ExporterSupport
internal import HTTPTypes
internal import Hummingbird
internal import Models
internal import NIOCore
internal import ServiceKit
internal import Wire

/// Answers to questions for cells.
enum CellAnswer {
    /// What was asked for, or that who asks has it already; gzip for who takes it.
    static func response(
        _ text: [UInt8], _ mediaType: String, tag: String, completeTo: UnixMilliseconds?, to request: Request
    ) throws -> Response {
        var headers: HTTPFields = [
            .eTag: tag, .cacheControl: "private, no-cache", .vary: "Accept-Encoding",
        ]
        if let completeTo { headers[.completeTo] = SystemTime.text(completeTo) }
        if EntityTag(tag).isKnown(to: request.headers) {
            return Response(status: .notModified, headers: headers)
        }
        headers[.contentType] = mediaType
        guard AcceptEncoding.allowsGzip(request.headers[.acceptEncoding]) else {
            return Response(status: .ok, headers: headers, body: .init(byteBuffer: ByteBuffer(bytes: text)))
        }
        headers[.contentEncoding] = "gzip"
        let deflated = try Deflater.deflate(text, format: .gzip)
        return Response(status: .ok, headers: headers, body: .init(byteBuffer: ByteBuffer(bytes: deflated)))
    }
}
