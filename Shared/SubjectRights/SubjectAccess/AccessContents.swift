internal import Foundation
public import Models

/// What a service's parts hold, kind by kind: its last part.
public struct AccessContents: Codable, Sendable, Equatable {
    /// The lines of a kind.
    public struct Held: Codable, Sendable, Equatable {
        public var kind: HeldKind
        /// Lines.
        public var count = 0
        /// The earliest and the latest time that one of them is about, Unix milliseconds; nil if none has a time.
        public var from: UnixMilliseconds?
        public var to: UnixMilliseconds?

        public init(_ kind: HeldKind) { self.kind = kind }
    }

    public var service: String
    public var kinds: [Held]
    /// True if there was more than parts may hold.
    public var isCutShort = false

    public init(service: String, kinds: [HeldKind]) {
        self.service = service
        self.kinds = kinds.map(Held.init)
    }

    /// Lines of all kinds.
    public var lines: Int { kinds.reduce(0) { $0 + $1.count } }

    /// Counts a line of a kind, which must be one of those that were named.
    public mutating func count(_ line: SubjectLine) {
        guard let place = kinds.firstIndex(where: { $0.kind.kind == line.kind }) else {
            preconditionFailure("a line of kind \(line.kind), which \(service) does not say it holds")
        }
        kinds[place].count += 1
        guard let at = line.at else { return }
        kinds[place].from = min(kinds[place].from ?? at, at)
        kinds[place].to = max(kinds[place].to ?? at, at)
    }

    /// From what `bytes` gave.
    public init(bytes: [UInt8]) throws {
        self = try JSONDecoder().decode(AccessContents.self, from: Data(bytes))
    }

    public func bytes() throws -> [UInt8] { try SortedJSON.bytes(of: self) }
}
