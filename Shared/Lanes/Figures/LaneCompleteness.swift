public import Models

/// Up to which moment each lane is complete here: everything acknowledged to phones before that moment is applied. Pure.
///
/// A heartbeat claims this of the writer's blocks up to a head. The claim holds here once the cursor has passed that head. While
/// blocks keep coming, the cursor may always be behind the newest head, so one heartbeat is kept until the cursor has passed it.
package struct LaneCompleteness: Sendable {
    private var awaited: [LaneName: LaneHeartbeat] = [:]
    /// By lane, without lanes whose writers have claimed nothing yet. Times of the writers' clocks, which may be set back.
    package private(set) var moments: [LaneName: UnixMilliseconds] = [:]

    package init() {}

    /// Looks at cursors and heartbeats; to be called about once a second.
    ///
    /// - Returns: whether a moment has changed.
    package mutating func look(_ reads: [ReadFigures]) -> Bool {
        let before = moments
        for read in reads {
            guard let newest = read.inbox.heartbeat, newest.completeTo != nil else { continue }
            if read.cursor >= newest.head {
                moments[read.lane] = newest.completeTo
                awaited[read.lane] = nil
            } else if let beat = awaited[read.lane], read.cursor < beat.head {
                continue
            } else {
                if let beat = awaited[read.lane] { moments[read.lane] = beat.completeTo }
                awaited[read.lane] = newest
            }
        }
        return moments != before
    }
}

extension [LaneName: UnixMilliseconds] {
    /// The moment to which all of some lanes are complete; nil unless each has one.
    public func moment(of lanes: [LaneName]) -> UnixMilliseconds? {
        let moments = lanes.compactMap { self[$0] }
        return moments.count == lanes.count ? moments.min() : nil
    }
}

/// How a service stands on all lanes that it writes and reads, at one moment.
public struct LaneSurvey: Sendable, Equatable {
    public var journals: [JournalFigures]
    public var reads: [ReadFigures]
    public var now: UnixMilliseconds

    public init(journals: [JournalFigures] = [], reads: [ReadFigures] = [], now: UnixMilliseconds) {
        self.journals = journals
        self.reads = reads
        self.now = now
    }
}
