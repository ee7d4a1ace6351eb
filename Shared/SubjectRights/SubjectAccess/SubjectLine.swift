public import Models

/// A line of what is held about a subject.
public struct SubjectLine: Sendable, Equatable {
    /// One of the kinds that the service says it holds.
    public let kind: String
    /// What time it is about, Unix milliseconds; nil if none.
    public let at: UnixMilliseconds?
    /// A JSON object, without the members `kind` and `service`.
    public let members: [UInt8]

    /// - Parameter members: a JSON object.
    public init(_ kind: String, at: UnixMilliseconds?, json members: [UInt8]) {
        self.kind = kind
        self.at = at
        self.members = members
    }

    public init(_ kind: String, at: UnixMilliseconds?, _ members: some Encodable) throws {
        self.init(kind, at: at, json: try SortedJSON.bytes(of: members))
    }

    /// Appends the line with `kind` and `service`, ended by a line feed.
    public func write(of service: String, to out: inout [UInt8]) {
        out += "{\"kind\":\"\(kind)\",\"service\":\"\(service)\"".utf8
        let rest = members.dropFirst()
        if rest.first != UInt8(ascii: "}") { out.append(UInt8(ascii: ",")) }
        out += rest
        out.append(UInt8(ascii: "\n"))
    }
}
