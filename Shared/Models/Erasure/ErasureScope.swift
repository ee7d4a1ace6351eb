/// What of a subscriber's an erasure takes: everything, or the records of a time, of an area, or of both.
///
/// Time and place are resolved once, at the request, to what statistics can tell apart, outward: whole 5-minute buckets, and
/// cells of level 16 or coarser ones. Every service uses the same test, so that raw rows and statistics lose the same rows.
public struct ErasureScope: Codable, Sendable, Equatable {
    /// Statistics tell times apart by this many milliseconds.
    package static let bucketMilliseconds: UnixMilliseconds = 300_000

    /// Captured at or after, Unix milliseconds, a multiple of ``bucketMilliseconds``; nil is from the beginning.
    public let from: UnixMilliseconds?
    /// Captured before, likewise; nil is no end, which only an erasure of everything has.
    public let to: UnixMilliseconds?
    /// Quadkeys, none inside another; nil is everywhere, rows without a place included.
    public let cells: [String]?

    /// Everything: the records, the device itself and all that is known of it.
    public static let everything = ErasureScope(from: nil, to: nil, cells: nil)

    private init(from: UnixMilliseconds?, to: UnixMilliseconds?, cells: [String]?) {
        self.from = from
        self.to = to
        self.cells = cells
    }

    /// The records of a time, of an area, or of both; what is captured after `requestedAt` is in no scope.
    ///
    /// - Parameters:
    ///   - from: Unix milliseconds, rounded down to buckets.
    ///   - to: Unix milliseconds, rounded up to buckets, but not after the request's own bucket.
    ///   - cells: cover of the area, quadkeys none of which is inside another.
    public init(
        from: UnixMilliseconds?, to: UnixMilliseconds?, cells: [Quadkey]?, requestedAt: UnixMilliseconds
    ) {
        let bucket = Self.bucketMilliseconds
        func up(_ time: UnixMilliseconds) -> UnixMilliseconds { (time + bucket - 1).floored(to: bucket) }
        self.init(
            from: from.map { $0.floored(to: bucket) }, to: up(min(to ?? requestedAt, requestedAt)),
            cells: cells?.map(\.text).sorted())
    }

    /// True if the device itself goes, with everything.
    public var isEverything: Bool { to == nil }

    /// Whether a time of capture (Unix milliseconds) is in the scope's time.
    public func covers(_ capturedAt: UnixMilliseconds) -> Bool {
        capturedAt >= from ?? .min && capturedAt < to ?? .max
    }

    enum CodingKeys: String, CodingKey {
        case all, cells
        case from = "from_ms"
        case to = "to_ms"
    }

    /// Everything is said by name: a part that has lost its end is no scope.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        if try values.decodeIfPresent(Bool.self, forKey: .all) == true {
            self = .everything
        } else {
            self.init(
                from: try values.decodeIfPresent(UnixMilliseconds.self, forKey: .from),
                to: try values.decode(UnixMilliseconds.self, forKey: .to),
                cells: try values.decodeIfPresent([String].self, forKey: .cells))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        guard !isEverything else { return try values.encode(true, forKey: .all) }
        try values.encodeIfPresent(from, forKey: .from)
        try values.encode(to, forKey: .to)
        try values.encodeIfPresent(cells, forKey: .cells)
    }
}

extension UnixMilliseconds {
    /// The largest multiple of `step` that is not larger.
    fileprivate func floored(to step: UnixMilliseconds) -> UnixMilliseconds {
        self - ((self % step) + step) % step
    }
}

extension ErasureScope {
    /// The cell in an alarm's identifier, `<plmn>-<quadkey>-<raised at>`; nil if the alarm has none.
    public static func cell(ofAlarm alarm: String) -> Quadkey? {
        let parts = alarm.split(separator: "-")
        return parts.count > 1 ? Quadkey(text: String(parts[1])) : nil
    }
}

/// The cells of a scope, ready to be asked for many rows.
public struct ErasureArea: Sendable {
    private let cells: [Quadkey]

    /// nil if the scope has no area; cells that are no quadkeys are left out.
    public init?(_ scope: ErasureScope) {
        guard let cells = scope.cells else { return nil }
        self.cells = cells.compactMap(Quadkey.init(text:))
    }

    /// Whether the cell by which a row enters statistics meets the area: is inside one of its cells, or has one inside.
    public func meets(_ cell: Quadkey) -> Bool {
        cells.contains { other in
            let level = min(cell.level, other.level)
            return cell.parent(at: level) == other.parent(at: level)
        }
    }
}
