import Lanes
import Models

/// A reader of a lane as it was found: its own cursor if it is in this home, else what the lane's writer knows of it.
struct DoctorReader {
    /// From so many milliseconds on a reader is far behind.
    static let farBehind: Int64 = 60_000

    let name: String
    /// Last block whose effects it has committed.
    let block: UInt64
    /// Generation of its cursor; nil if only the writer speaks of it.
    let generation: UInt64?
    /// What to move away so that it begins anew.
    let away: String
    /// The writer's entry, nil if it has none.
    let entry: JournalReader?
    /// Age of the first block after `block`; 0 if there is none.
    let lagMilliseconds: Int64
    /// True if its service runs on this home.
    let isRunning: Bool
    /// True if its service lives in another home: whether it runs cannot be seen here.
    var isElsewhere = false
    /// True if the home was restored and it or the lane's writer has not been started since: generations differ until then.
    var isRestored = false

    func behind(_ journal: JournalSummary) -> UInt64 { journal.head - min(journal.head, block) }

    /// How it stands, in a sentence, and what to do if that is not well.
    func finding(_ journal: JournalSummary) -> DoctorFinding {
        let subject = "lane \(journal.lane.rawValue) → \(name)"
        if isRestored { return .sound(subject, "at block \(block) of a restored home.") }
        if let generation, generation != journal.generation {
            return .problem(
                subject,
                "the reader follows generation \(generation), the journal is \(journal.generation): one of them was"
                    + " restored or lost. \(mend(journal))")
        }
        if block > journal.head {
            return .problem(
                subject,
                "the reader is at block \(block), ahead of the head \(journal.head): the journal was restored from an"
                    + " older copy. \(mend(journal))")
        }
        if entry?.isDetached == true {
            return .warning(
                subject,
                "detached, by hand or because it was too far behind (now \(lag(journal))): it holds nothing back;"
                    + " \(isRunning ? "start it again" : start) and it joins again at block"
                    + " \(max(journal.oldest, block + 1)).")
        }
        guard behind(journal) > 0 else { return .sound(subject, "up to date at block \(block).") }
        if block == 0, entry?.isRequired == true, !isRunning {
            return .warning(
                subject,
                "has never read, and \(behind(journal)) blocks wait for it; is it started\(isElsewhere ? " where it lives?" : "? Run \"nkul up\".")"
            )
        }
        guard lagMilliseconds >= Self.farBehind else { return .sound(subject, "\(lag(journal)) behind.") }
        let advice = isRunning ? catchUp : isElsewhere ? "look where it lives" : "it is not running, \(start)"
        return .warning(subject, "far behind: \(lag(journal)); \(advice).")
    }

    private func lag(_ journal: JournalSummary) -> String {
        "\(behind(journal)) blocks, \(Self.text(milliseconds: lagMilliseconds))"
    }

    private var start: String {
        if isElsewhere { return "start it where it lives" }
        return isRunning ? "look into its log why it does not read" : "start it with \"nkul up\""
    }

    private var catchUp: String {
        "it runs, so watch whether this shrinks (nkul_lane_lag_blocks); if not, look into its log and at CPU and disk"
    }

    private func mend(_ journal: JournalSummary) -> String {
        "Restore both from copies of one moment; or stop \(name), move \(away) away, and it reads again from block"
            + " \(journal.oldest) on."
    }

    /// `35 s`, `12 min`, `3 h`, `2 d`.
    static func text(milliseconds: Int64) -> String {
        let seconds = milliseconds / 1_000
        switch seconds {
        case ..<120: return "\(seconds) s"
        case ..<7_200: return "\(seconds / 60) min"
        case ..<172_800: return "\(seconds / 3_600) h"
        default: return "\(seconds / 86_400) d"
        }
    }
}
