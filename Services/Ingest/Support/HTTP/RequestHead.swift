internal import Foundation
package import IngestUploads
package import Models
package import NIOHTTP1

/// What an upload's head says, checked.
package struct RequestHead: Sendable {
    package let head: HTTPRequestHead
    /// The query, without `?`.
    package let query: Substring
    package let route: DeviceRoute
    /// Of ``DeviceRoute/records``: which.
    package let kind: RecordKind?
    /// What stands behind the last slash of the path: the variable part, where there is one.
    package let lastPart: Substring

    package init(_ head: HTTPRequestHead, _ paths: RecordPaths) {
        self.head = head
        let target = Self.originForm(head.uri), mark = target.utf8.firstIndex(of: UInt8(ascii: "?"))
        let path = mark.map { target[..<$0] } ?? target
        query = mark.map { target[target.utf8.index(after: $0)...] } ?? ""
        kind = paths.kind(path)
        route = kind == nil ? DeviceRoute(path) : .records
        lastPart = Self.lastPart(of: path, route)
    }

    private static func lastPart(of path: Substring, _ route: DeviceRoute) -> Substring {
        guard [.erasure, .dataRequest, .callback].contains(route), let slash = path.lastIndex(of: "/") else {
            return ""
        }
        return path[path.index(after: slash)...]
    }

    /// Path and query of a target, before which a client may write scheme and authority (RFC 9112, 3.2.2).
    private static func originForm(_ target: String) -> Substring {
        guard target.utf8.first != UInt8(ascii: "/"), let scheme = target.firstRange(of: "://") else {
            return target[...]
        }
        return target[scheme.upperBound...].drop { $0 != "/" && $0 != "?" }
    }

    /// The path as it was asked for, without the query.
    package var path: Substring {
        let target = Self.originForm(head.uri)
        return target.prefix { $0 != "?" }
    }

    /// Which provider calls back; empty unless one does.
    package var provider: String {
        guard route == .callback, let slash = path.lastIndex(of: "/") else { return "" }
        return String(DeviceRoute.provider(path[..<slash]) ?? "")
    }

    /// The language that is asked for in the query.
    package var language: Substring? { parameter("lang") }

    package var hasAuthorization: Bool { field("Authorization") != nil }

    /// The token of `Authorization: Bearer`.
    package func token() throws(DeviceAPIError) -> Substring {
        guard let value = field("Authorization") else {
            if let token = protocolToken { return token }
            throw .unauthorized("a bearer token is required")
        }
        guard value.utf8.count > 7, value.utf8.count < 256, value.prefix(7).lowercased() == "bearer " else {
            throw .unauthorized("expected Authorization: Bearer <token>")
        }
        return value.dropFirst(7)
    }

    /// How a page says its token when it opens a WebSocket, as it can set no header there: one of the subprotocols it offers.
    package static let tokenPrefix = "nkul.token."

    /// The token among the subprotocols of the opening of a WebSocket.
    package var protocolToken: Substring? {
        guard route == .realtime else { return nil }
        let offered = head.headers[canonicalForm: "Sec-WebSocket-Protocol"]
        return offered.first { $0.hasPrefix(Self.tokenPrefix) && $0.utf8.count < 256 }?.dropFirst(
            Self.tokenPrefix.count)
    }

    /// The hash of the upload key in the query.
    package func uploadKey() throws(DeviceAPIError) -> TokenHash {
        guard let key = parameter("key"), !key.isEmpty, key.utf8.count < 256 else {
            throw DeviceAPIError(.unauthorized, "an upload key is required: ?key=…", field: "key")
        }
        return DeviceToken.hash(key)
    }

    /// Bytes of the body, if it was said before it comes.
    package var contentLength: Int? { field("Content-Length").flatMap(Int.init) }
    package var expectsContinue: Bool { field("Expect")?.lowercased() == "100-continue" }
    package var isGet: Bool { head.method == .GET }
    package var isPut: Bool { head.method == .PUT }
    /// True if the answer is wanted without its body.
    package var isHead: Bool { head.method == .HEAD }

    /// True if no more than so many bytes of body are to come.
    package func hasShortBody(_ bytes: Int) -> Bool {
        contentLength.map { $0 <= bytes } ?? (field("Transfer-Encoding") == nil)
    }

    /// Refuses what ``checkForm(_:)`` does, and a method that the path does not have.
    package func check(_ limits: EdgeLimits) throws(DeviceAPIError) {
        try checkForm(limits)
        guard let allow = route.refusal(of: head.method.rawValue) else { return }
        throw DeviceAPIError(.methodNotAllowed, "this path has \(allow)", allow: allow)
    }

    /// Refuses a flood of header fields, and a request to no host or to several (RFC 9112, 3.2).
    package func checkForm(_ limits: EdgeLimits) throws(DeviceAPIError) {
        guard head.uri.utf8.count <= limits.targetBytes else {
            throw DeviceAPIError(.uriTooLong, "it may have \(limits.targetBytes) bytes")
        }
        var bytes = 0, hosts = 0
        for (name, value) in head.headers {
            bytes += name.utf8.count + value.utf8.count
            if name.utf8.count == 4, name.utf8.elementsEqual("host".utf8, by: { $0 | 0x20 == $1 }) { hosts += 1 }
        }
        guard head.headers.count <= limits.headerFields, bytes <= limits.headerBytes else {
            throw DeviceAPIError(
                .headerTooLarge, "it may have \(limits.headerFields) fields of \(limits.headerBytes) bytes together")
        }
        guard hosts == 1 || hosts == 0 && head.version.minor == 0 else {
            throw DeviceAPIError(.malformedRequest, "a request names one host", field: "Host")
        }
    }

    /// The value of a header field, the first if there are several.
    package func field(_ name: String) -> String? { head.headers.first(name: name) }

    /// A parameter of the query, decoded; the first if there are several.
    package func parameter(_ name: String) -> Substring? {
        guard !query.isEmpty else { return nil }
        for part in query.split(separator: "&") where part.hasPrefix(name) && part.dropFirst(name.count).first == "=" {
            let value = part.dropFirst(name.count + 1)
            guard value.utf8.contains(UInt8(ascii: "%")) else { return value }
            return (value.removingPercentEncoding ?? "")[...]
        }
        return nil
    }
}

/// Conditional requests (RFC 9110, 13).
extension RequestHead {
    /// True if the client has what an entity tag names, so that 304 is the answer.
    ///
    /// - Parameter tag: with its quotes; compared weakly, as `If-None-Match` asks for.
    func has(_ tag: String) -> Bool {
        guard let known = field("If-None-Match") else { return false }
        return known.split(separator: ",").contains { part in
            let part = part.drop { $0 == " " || $0 == "\t" }
            let strong = (part.hasPrefix("W/") ? part.dropFirst(2) : part).prefix { $0 != " " && $0 != "\t" }
            return strong == tag || strong == "*"
        }
    }
}
