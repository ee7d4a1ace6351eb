import Foundation
import GRDB
import Storage
import Synchronization

/// Two readers, of whom one ends only after the other has begun.
final class ReaderRelay: Sendable {
    private let readers: [ReadOnlyDatabase]
    private let turns = [DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)]
    private let others = [DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)]
    private let isOver = Atomic(false)
    private let ended = DispatchSemaphore(value: 0)

    init(_ database: ServiceDatabase) throws {
        readers = try [database.reader(), database.reader()]
        for index in 0..<2 { Thread.detachNewThread { [self] in run(index) } }
        turns[0].signal()
        // The first has begun when the second ends.
        others[1].wait()
    }

    func stop() {
        isOver.store(true, ordering: .relaxed)
        for _ in 0..<2 { ended.wait() }
    }

    private func run(_ index: Int) {
        let other = 1 - index
        while true {
            turns[index].wait()
            guard !isOver.load(ordering: .relaxed) else { break }
            try? readers[index].read { db in
                _ = try Int.fetchOne(db, sql: "SELECT count(*) FROM notes")
                others[other].signal()
                turns[other].signal()
                others[index].wait()
            }
        }
        others[other].signal()
        turns[other].signal()
        ended.signal()
    }
}
