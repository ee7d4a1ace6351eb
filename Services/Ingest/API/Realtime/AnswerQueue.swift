internal import NIOCore

/// Answers in the order of their messages, whatever the order in which they become known. Pure.
package struct AnswerQueue {
    private var slots = CircularBuffer<[UInt8]?>(initialCapacity: 1)
    /// Number of the message that is answered next, from 0.
    private var first = 0
    private let window: Int

    package init(window: Int) { self.window = window }

    /// True while as many messages wait as may.
    package var isFull: Bool { slots.count >= window }
    package var isEmpty: Bool { slots.isEmpty }

    /// A message has come.
    ///
    /// - Returns: its number on this connection, from 0.
    package mutating func begin() -> Int {
        slots.append(nil)
        return first + slots.count - 1
    }

    /// The answer to a message is known.
    package mutating func fill(_ number: Int, _ answer: [UInt8]) {
        slots[slots.index(slots.startIndex, offsetBy: number - first)] = answer
    }

    /// The next answer, if it is known.
    package mutating func next() -> [UInt8]? {
        guard let answer = slots.first.flatMap({ $0 }) else { return nil }
        slots.removeFirst()
        first += 1
        return answer
    }
}
