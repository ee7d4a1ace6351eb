import Synchronization

/// Which uploads are on their way, so that an interrupted run can go on without a hole. Any thread.
final class ReplayProgress: Sendable {
    /// How many uploads that begin with the same row are on their way, per recording.
    private let underway: Mutex<[[Int: Int]]>

    init(plays: Int) { underway = Mutex(Array(repeating: [:], count: plays)) }

    func begin(_ upload: ReplayUpload) {
        underway.withLock { $0[upload.sender.play][upload.firstRow, default: 0] += 1 }
    }

    func end(_ upload: ReplayUpload) {
        underway.withLock { plays in
            let left = (plays[upload.sender.play][upload.firstRow] ?? 1) - 1
            plays[upload.sender.play][upload.firstRow] = left > 0 ? left : nil
        }
    }

    /// The first row of a recording that may have to be sent again, if all below `next` were taken up and `waiting` begin what
    /// was not sent.
    func position(of play: Int, next: Int, waiting: some Sequence<Int>) -> Int {
        let first = underway.withLock { $0[play].keys.min() } ?? next
        return min(next, first, waiting.min() ?? next)
    }
}
