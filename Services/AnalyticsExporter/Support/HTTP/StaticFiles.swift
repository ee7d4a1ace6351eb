internal import Crypto
internal import Foundation
package import HTTPTypes
package import Hummingbird
internal import Models
internal import NIOCore
internal import Wire

/// The page's own files and the map library, read once at start; nothing else of the disk can be reached.
package struct StaticFiles: Sendable {
    private struct File: Sendable {
        let type: String
        /// The same for both forms, so a weak one.
        let tag: String
        let content: ByteBuffer
        /// For who takes gzip; nil where it would not be shorter.
        let deflated: ByteBuffer?

        init(type: String, _ bytes: [UInt8]) {
            self.type = type
            tag = "W/\"" + Hexadecimal.text(SHA256.hash(data: bytes).prefix(16)) + "\""
            content = ByteBuffer(bytes: bytes)
            let deflated = try? Deflater.deflate(bytes, format: .gzip)
            self.deflated = deflated.flatMap { $0.count < bytes.count ? ByteBuffer(bytes: $0) : nil }
        }
    }

    private let files: [String: File]

    /// - Parameters:
    ///   - dashboard: directory of the page.
    ///   - leaflet: directory of Debian's `libjs-leaflet`; if files are missing there, the page says so.
    package init(dashboard: String, leaflet: String) {
        var files: [String: File] = [:]
        for name in Self.pageFiles(in: dashboard) { files["/" + name] = Self.read(dashboard + "/" + name) }
        files["/"] = files["/index.html"]
        for name in Self.leafletFiles { files["/leaflet/" + name] = Self.read(leaflet + "/" + name) }
        self.files = files
    }

    /// Whether the map library was found.
    package var hasLeaflet: Bool { files["/leaflet/leaflet.js"] != nil }

    /// Whether the page itself was found.
    package var hasPage: Bool { files["/"] != nil }

    /// The answer for a path, or that who asks has the file already; nil if it is not one of the files.
    package func response(_ path: String, to asked: HTTPFields) -> Response? {
        guard let file = files[path] else { return nil }
        var headers: HTTPFields = [.eTag: file.tag, .cacheControl: "no-cache", .vary: "Accept-Encoding"]
        if EntityTag(file.tag).isKnown(to: asked) { return Response(status: .notModified, headers: headers) }
        headers[.contentType] = file.type
        guard let deflated = file.deflated, AcceptEncoding.allowsGzip(asked[.acceptEncoding]) else {
            return Response(status: .ok, headers: headers, body: .init(byteBuffer: file.content))
        }
        headers[.contentEncoding] = "gzip"
        return Response(status: .ok, headers: headers, body: .init(byteBuffer: deflated))
    }

    /// Names of the page's own files, with their folders: those in the directory that are of a type a page has, no hidden
    /// ones; ascending. None if the directory is missing.
    static func pageFiles(in directory: String) -> [String] {
        let paths = FileManager.default.enumerator(atPath: directory)?.compactMap { $0 as? String } ?? []
        return paths.filter { path in
            let parts = path.split(separator: "/")
            return !parts.contains { $0.hasPrefix(".") } && types[suffix(of: path)] != nil
        }.sorted()
    }

    /// Whether a path belongs to the map library, found or not.
    package static func isLeaflet(_ path: String) -> Bool { leafletFiles.contains { path == "/leaflet/" + $0 } }

    private static let leafletFiles = [
        "leaflet.js", "leaflet.css", "images/layers.png", "images/layers-2x.png", "images/marker-icon.png",
        "images/marker-icon-2x.png", "images/marker-shadow.png",
    ]
    private static let types = [
        "html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8",
        "svg": "image/svg+xml", "png": "image/png",
    ]

    private static func read(_ path: String) -> File? {
        guard let data = FileManager.default.contents(atPath: path) else { return nil }
        return File(type: types[suffix(of: path)] ?? "application/octet-stream", Array(data))
    }

    private static func suffix(of path: String) -> String { path.split(separator: ".").last.map(String.init) ?? "" }
}
