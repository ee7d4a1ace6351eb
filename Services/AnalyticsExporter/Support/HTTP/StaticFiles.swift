internal import Foundation
package import Hummingbird
internal import NIOCore

/// The page's own files and the map library, read once at start; nothing else of the disk can be reached.
package struct StaticFiles: Sendable {
    private struct File: Sendable {
        let type: String
        let content: ByteBuffer
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

    /// The answer for a path; nil if it is not one of the files.
    package func response(_ path: String) -> Response? {
        guard let file = files[path] else { return nil }
        return Response(
            status: .ok, headers: [.contentType: file.type, .cacheControl: "no-cache"],
            body: .init(byteBuffer: file.content))
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
        return File(type: types[suffix(of: path)] ?? "application/octet-stream", content: ByteBuffer(bytes: data))
    }

    private static func suffix(of path: String) -> String { path.split(separator: ".").last.map(String.init) ?? "" }
}
