internal import Crypto
internal import Foundation
internal import IngestSupport
internal import Models

/// The subscribers' app: its files, read once at start. Nothing else of the disk can be reached.
///
/// The service worker keeps all files of one version on the phone; so its own text has a hash of them all, by which browsers
/// notice a newer version.
package struct WebApp: Sendable {
    private struct File: Sendable {
        let type: StaticString
        let bytes: [UInt8]
        /// Entity tag, with quotes.
        let tag: String
    }

    private let files: [String: File]

    /// - Parameter directory: where the files are; where one is missing, there is no app and its paths are 404.
    package init(directory: String) {
        var texts: [String: [UInt8]] = [:]
        for name in Self.names {
            guard let data = FileManager.default.contents(atPath: directory + "/" + name) else { continue }
            texts[name] = [UInt8](data)
        }
        guard texts.count == Self.names.count else {
            files = [:]
            return
        }
        let version = Self.hash(Self.names.flatMap { texts[$0]! })
        let worker = String(decoding: texts["worker.js"]!, as: UTF8.self).replacing("__VERSION__", with: version)
        texts["worker.js"] = Array(worker.utf8)
        var files = texts.reduce(into: [String: File]()) { files, entry in
            files["/" + entry.key] = File(
                type: Self.type(entry.key), bytes: entry.value, tag: "\"\(Self.hash(entry.value))\"")
        }
        files["/"] = files.removeValue(forKey: "/index.html")
        self.files = files
    }

    /// Whether the app was found.
    package var isComplete: Bool { !files.isEmpty }

    /// The answer for a path by GET; nil if it is none of the files.
    func answer(_ head: RequestHead) -> Answer? {
        guard head.isGet || head.isHead, let file = files[String(head.path)] else { return nil }
        var answer = Answer(file.bytes, type: file.type, tag: file.tag, caching: "no-cache", for: head)
        answer.add(fields: Self.security)
        return answer
    }

    /// What a page of ours may do: load its own files and ask its own server.
    private static let security =
        "content-security-policy: default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
        + "img-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; "
        + "frame-ancestors 'none'\r\nx-content-type-options: nosniff\r\nreferrer-policy: no-referrer\r\n"
        + "cross-origin-resource-policy: same-origin\r\ncross-origin-opener-policy: same-origin\r\n"

    private static let names = [
        "index.html", "app.css", "icon.svg", "app.webmanifest", "store.js", "outbox.js", "questions.js", "worker.js",
        "app.js",
        "page.js",
        "words.js", "words/english.js", "words/french.js", "server.js", "feedback.js", "welcome.js", "rewards.js",
        "privacy.js", "passkey.js", "speed.js", "speedtest.js",
    ]

    private static func type(_ name: String) -> StaticString {
        switch name.split(separator: ".").last {
        case "html": "text/html; charset=utf-8"
        case "css": "text/css; charset=utf-8"
        case "js": "text/javascript; charset=utf-8"
        case "svg": "image/svg+xml"
        default: "application/manifest+json"
        }
    }

    private static func hash(_ bytes: [UInt8]) -> String {
        Hexadecimal.text(Array(SHA256.hash(data: bytes).prefix(8)))
    }
}
