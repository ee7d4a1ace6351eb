internal import Models

/// When an alarm of records is over, and to which alarm of its key a record belongs.
///
/// Time is that of receipt, by ingest's clock. It rises along the lane, so that the same blocks give the same episodes whatever is
/// read together, killed or late; and it is known when there is no news, for ingest's heartbeats say to which moment its lane is
/// complete. Times of capture are the phones' and come in any order.
extension Alarm {
    /// An alarm is over after so long without news. No record that may come as late as its problem allows was captured before
    /// the last one that counted.
    static let silence: UnixMilliseconds = 3_600_000
    /// So long after that it is cleared: a commit that is under way has the time of its begin.
    static let settling: UnixMilliseconds = 60_000

    /// Where a record belongs.
    enum Belonging: Equatable {
        /// To this alarm, which goes on.
        case open
        /// To this alarm, which is over: it was captured before the end, and nobody has to be told.
        case late
        /// To the next alarm.
        case next
    }

    /// When it is over unless there is news; when it was, if it is cleared.
    var endsAt: UnixMilliseconds { clearedAt ?? changedAt + Self.silence }

    /// When it is looked at first whether it is over; nil if it is, or is not over by itself.
    var overAt: UnixMilliseconds? { clearedAt == nil && key.rule == AlarmKey.urgent ? endsAt : nil }

    /// A worse record than all before is no matter of the past; nor is one that was received before the end of what is
    /// cleared, for then the clock was set back, which must not silence anything.
    func belonging(_ record: UrgentRecord) -> Belonging {
        if clearedAt == nil, record.receivedAt < endsAt { return .open }
        let isEvidence = record.receivedAt >= endsAt && record.capturedAt < endsAt
        return isEvidence && record.problem.severity <= problem.severity ? .late : .next
    }

    /// Whether nothing can be news for it any more once the lane is complete to a moment.
    func isOver(completeTo moment: UnixMilliseconds) -> Bool {
        clearedAt == nil && endsAt <= moment - Self.settling
    }

    /// How many of the first records belong where the first one does.
    func run(of records: ArraySlice<UrgentRecord>) -> Int {
        guard records.count > 1, let first = records.first else { return records.count }
        let place = belonging(first)
        guard place != .next else { return Self.firstRun(of: records) }
        var known = self
        if place == .late { known.clearedAt = endsAt }
        for (count, record) in records.enumerated() {
            guard known.belonging(record) == place else { return count }
            known.changedAt = max(known.changedAt, record.receivedAt)
        }
        return records.count
    }

    /// How many of the first records belong to the alarm that the first one raises.
    static func firstRun(of records: ArraySlice<UrgentRecord>) -> Int {
        var last = records.first?.receivedAt ?? 0
        for (count, record) in records.enumerated() {
            guard record.receivedAt < last + silence else { return count }
            last = max(last, record.receivedAt)
        }
        return records.count
    }
}
