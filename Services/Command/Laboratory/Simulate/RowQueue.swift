import Models

/// Rows and actors waiting for their time: a binary heap, so that a recording is written in order without being held.
///
/// Equal times come out by the actor's number, then in the order they went in.
struct RowQueue {
    struct Entry {
        let time: UnixMilliseconds
        let actor: Int
        let order: Int
        /// nil: the actor itself is due.
        let row: RecordingRow?

        static func < (left: Entry, right: Entry) -> Bool {
            (left.time, left.actor, left.order) < (right.time, right.actor, right.order)
        }
    }

    private var heap: [Entry] = []
    private var pushed = 0

    mutating func push(_ time: UnixMilliseconds, actor: Int, row: RecordingRow? = nil) {
        heap.append(Entry(time: time, actor: actor, order: pushed, row: row))
        pushed += 1
        var child = heap.count - 1
        while child > 0, heap[child] < heap[(child - 1) / 2] {
            heap.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    mutating func pop() -> Entry? {
        guard let first = heap.first else { return nil }
        let last = heap.removeLast()
        guard !heap.isEmpty else { return first }
        heap[0] = last
        var parent = 0
        while true {
            var least = parent
            for child in [parent * 2 + 1, parent * 2 + 2] where child < heap.count && heap[child] < heap[least] {
                least = child
            }
            guard least != parent else { return first }
            heap.swapAt(parent, least)
            parent = least
        }
    }
}
