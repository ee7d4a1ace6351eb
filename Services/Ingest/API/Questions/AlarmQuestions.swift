internal import GRDB
package import IngestCommands
package import IngestCommit
internal import IngestSupport
internal import IngestUploads
internal import Models
internal import NIOPosix
internal import QoE
package import Storage
internal import Synchronization

/// Asks the devices whose reports helped to raise an alarm, after what was read of it is committed. From any thread.
///
/// Nothing of it is on disk: what was read is not read again, so that what waits when the process ends is not asked. A question that
/// is late is none.
package final class AlarmQuestions: Sendable {
    /// Occasions that may wait.
    static let mostWaiting = 1_024
    /// Devices of one commit: a few milliseconds, for which uploads wait.
    private static let atOnce = 100

    private struct State {
        var waiting: [(occasion: AlarmOccasion, policy: PromptPolicy)] = []
        var work: Task<Void, Never>?
    }

    private let state = Mutex(State())
    private let reader: ReadOnlyDatabase
    private let queue: CommitQueue
    private let perMinute: Int
    private let count: @Sendable (QuestionOutcome, Int) -> Void
    private let name: @Sendable () -> String

    /// - Parameters:
    ///   - reader: of ingest's own database, which says who is asked at all.
    ///   - perMinute: questions of all devices in a minute.
    ///   - name: makes the name of a question.
    ///   - count: counts what became of questions of devices that are asked.
    package init(
        reader: ReadOnlyDatabase, queue: CommitQueue, perMinute: Int,
        name: @escaping @Sendable () -> String = { AlarmQuestions.newName() },
        count: @escaping @Sendable (QuestionOutcome, Int) -> Void
    ) {
        self.reader = reader
        self.queue = queue
        self.perMinute = perMinute
        self.name = name
        self.count = count
    }

    /// Takes over what happened to alarms; returns at once.
    func take(_ occasions: [AlarmOccasion], by policy: PromptPolicy) {
        guard !occasions.isEmpty else { return }
        let left = state.withLock { state in
            let room = max(Self.mostWaiting - state.waiting.count, 0)
            state.waiting += occasions.prefix(room).map { ($0, policy) }
            if state.work == nil { state.work = Task { await work() } }
            return occasions.dropFirst(room)
        }
        // Who of them is asked at all was not looked up.
        for occasion in left { count(.full, occasion.devices.count) }
    }

    /// Returns when nothing waits any more.
    package func finish() async {
        while let work = state.withLock({ $0.work }) { await work.value }
    }

    private func work() async {
        while let (occasion, policy) = next() {
            do { try await ask(occasion, by: policy) } catch { count(.failed, occasion.devices.count) }
        }
    }

    private func next() -> (occasion: AlarmOccasion, policy: PromptPolicy)? {
        state.withLock { state in
            guard !state.waiting.isEmpty else {
                state.work = nil
                return nil
            }
            return state.waiting.removeFirst()
        }
    }

    private func ask(_ occasion: AlarmOccasion, by policy: PromptPolicy) async throws {
        let asked = try await NIOThreadPool.singleton.runIfActive { [reader] in
            try reader.read { db in
                try occasion.devices.filter { try IngestStore(db).pushSince(of: $0) != nil }
            }
        }
        for first in stride(from: 0, to: asked.count, by: Self.atOnce) {
            var some = occasion
            some.devices = Array(asked[first...].prefix(Self.atOnce))
            let round = QuestionRound(some, prompts: some.devices.map { _ in name() }, by: policy, perMinute: perMinute)
            switch await queue.ask(round) {
            case .success(let outcomes): for outcome in outcomes { count(outcome, 1) }
            case .failure(let problem):
                let isFull = [.busy, .journalFull, .diskFull].contains(problem.reason)
                count(isFull ? .full : .failed, some.devices.count)
            }
        }
    }

    /// 128 random bits in hexadecimal.
    package static func newName() -> String {
        Hexadecimal.text((0..<16).map { _ in UInt8.random(in: .min ... .max) })
    }
}
