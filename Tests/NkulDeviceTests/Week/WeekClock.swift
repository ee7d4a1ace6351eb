/// What happens in virtual time, in its order.
struct WeekClock {
    private struct Entry {
        let at: Int64
        let order: Int
        let body: () throws -> Void

        static func < (left: Entry, right: Entry) -> Bool { (left.at, left.order) < (right.at, right.order) }
    }

    /// Milliseconds.
    private(set) var now: Int64
    private var heap: [Entry] = []
    private var count = 0

    init(now: Int64) { self.now = now }

    mutating func at(_ time: Int64, _ body: @escaping () throws -> Void) {
        count += 1
        heap.append(Entry(at: max(now, time), order: count, body: body))
        var child = heap.count - 1
        while child > 0, heap[child] < heap[(child - 1) / 2] {
            heap.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    /// Takes the next thing out; nil at the end.
    mutating func next(before end: Int64) -> (() throws -> Void)? {
        guard let first = heap.first, first.at < end else { return nil }
        now = first.at
        heap.swapAt(0, heap.count - 1)
        heap.removeLast()
        var parent = 0
        while true {
            let children = [2 * parent + 1, 2 * parent + 2].filter { $0 < heap.count }
            guard let least = children.min(by: { heap[$0] < heap[$1] }), heap[least] < heap[parent] else { break }
            heap.swapAt(parent, least)
            parent = least
        }
        return first.body
    }
}
