import Foundation
import Synchronization

/// Which seeds a test goes through.
///
/// `NKUL_SEEDS=n` changes how many, `NKUL_SEED=s` asks for one alone, `NKUL_STOP=1` ends all suites that go
/// through seeds at the first failure.
struct SeedRange {
    let seeds: [UInt64]
    let stopsAtFirst: Bool

    init(standard: Int) {
        let environment = ProcessInfo.processInfo.environment
        let count = environment["NKUL_SEEDS"].flatMap { Int($0) } ?? standard
        seeds =
            environment["NKUL_SEED"].flatMap { UInt64($0) }.map { [$0] } ?? (0..<max(count, 0)).map { UInt64($0 + 1) }
        stopsAtFirst = environment["NKUL_STOP"] == "1"
    }

    /// Goes through the seeds on two threads; returns what failed, each with the command that repeats it.
    func failures(suite: String, _ body: @Sendable @escaping (UInt64) throws -> Void) -> [String] {
        let board = SeedBoard(seeds)
        let threads = (0..<2).map { _ in
            Thread {
                while let seed = board.take() {
                    do {
                        try body(seed)
                    } catch {
                        board.report(
                            "NKUL_SEED=\(seed) NKUL_ONLY=ContractTests swift test --filter \(suite)   difference: \(error)",
                            stops: stopsAtFirst)
                    }
                }
                board.end()
            }
        }
        for thread in threads {
            thread.stackSize = 8 << 20
            thread.start()
        }
        board.waitForAll(threads.count)
        return board.failures
    }
}

/// The seeds that are left, handed to several threads, and what failed.
final class SeedBoard: Sendable {
    private struct State {
        var left: ArraySlice<UInt64>
        var failures: [String] = []
    }

    private let state: Mutex<State>
    private let ended = DispatchSemaphore(value: 0)

    init(_ seeds: [UInt64]) {
        state = Mutex(State(left: seeds[...]))
    }

    var failures: [String] { state.withLock { $0.failures } }

    func take() -> UInt64? {
        Self.isOver.withLock { $0 } ? nil : state.withLock { $0.left.popFirst() }
    }

    /// Whether a suite ended all.
    private static let isOver = Mutex(false)

    /// Notes a failure, and prints it; after twenty, or at once if asked, nothing more is handed out, in the latter case by no
    /// other board either.
    func report(_ failure: String, stops: Bool) {
        print(failure)
        fflush(nil)
        if stops { Self.isOver.withLock { $0 = true } }
        state.withLock { state in
            state.failures.append(failure)
            if state.failures.count >= 20 { state.left = [] }
        }
    }

    func end() {
        ended.signal()
    }

    func waitForAll(_ count: Int) {
        for _ in 0..<count { ended.wait() }
    }
}
