/// What is going to happen in a simulated run, in the order of virtual time.
///
/// Things of the same moment happen in the order in which they were planned, so that a seed always gives the same run.
final class Timeline {
    private struct Entry {
        let time: Int64
        let order: Int
        let action: () throws -> Void

        func comes(before other: Entry) -> Bool {
            time != other.time ? time < other.time : order < other.order
        }
    }

    let clock: VirtualClock
    private var heap: [Entry] = []
    private var planned = 0

    init(clock: VirtualClock) {
        self.clock = clock
    }

    /// When the next thing happens; nil if nothing is planned.
    var nextTime: Int64? { heap.first?.time }

    /// Plans something for a moment, Unix milliseconds; what has passed happens next.
    func at(_ time: Int64, _ action: @escaping () throws -> Void) {
        planned += 1
        heap.append(Entry(time: max(time, clock.now), order: planned, action: action))
        var child = heap.count - 1
        while child > 0, heap[child].comes(before: heap[(child - 1) / 2]) {
            heap.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    /// Plans something for so many milliseconds from now.
    func after(_ delay: Int, _ action: @escaping () throws -> Void) {
        at(clock.now + Int64(delay), action)
    }

    /// Lets the next thing happen; false if nothing is planned.
    func step() throws -> Bool {
        guard let entry = popFirst() else { return false }
        clock.advance(to: entry.time)
        try entry.action()
        return true
    }

    /// Puts everything off, as if the machine and everybody around it slept for so many milliseconds.
    func sleep(for milliseconds: Int64) {
        // All by the same: the order of the heap stays.
        heap = heap.map { Entry(time: $0.time + milliseconds, order: $0.order, action: $0.action) }
        clock.advance(to: clock.now + milliseconds)
    }

    /// Forgets everything that is planned.
    func clear() {
        heap = []
    }

    private func popFirst() -> Entry? {
        guard let first = heap.first else { return nil }
        let last = heap.removeLast()
        guard !heap.isEmpty else { return first }
        heap[0] = last
        var parent = 0
        while true {
            var child = 2 * parent + 1
            if child + 1 < heap.count, heap[child + 1].comes(before: heap[child]) { child += 1 }
            guard child < heap.count, heap[child].comes(before: heap[parent]) else { return first }
            heap.swapAt(parent, child)
            parent = child
        }
    }
}
