import Foundation
import Models
import ServiceKit

/// Plays recordings against the device API. One task drives it; uploads are delivered by child tasks.
///
/// Cancelling the task ends the run cleanly: what is on its way is waited for, the rest is kept for the next run.
final class ReplayRun {
    private(set) var plays: [ReplayPlay]
    private let home: Home
    private let sender: ReplaySender
    private let isLooping: Bool
    private let concurrency: Int
    private let now: () -> UnixMilliseconds
    private let clock: ReplayClock?
    private let progress: ReplayProgress
    private var pace: ReplayPace
    private var grouper: ReplayGrouper
    private var nextRows: [Int]
    private var uploads = 0
    private var lastSaved = ContinuousClock.now

    /// - Parameters:
    ///   - speed: nil for as fast as uploads are taken, then with so many as `connections` on their way.
    ///   - clock: of the services, if it shall follow; only with a speed.
    init(
        _ plays: [ReplayPlay], home: Home, sender: ReplaySender, connections: Int, speed: Double?, isLooping: Bool,
        now: @escaping () -> UnixMilliseconds, clock: ReplayClock? = nil
    ) {
        self.plays = plays
        self.home = home
        self.sender = sender
        self.isLooping = isLooping
        self.now = now
        self.clock = clock
        concurrency = speed == nil ? 2 * connections : 10_000
        progress = ReplayProgress(plays: plays.count)
        pace = ReplayPace(speed: speed)
        grouper = Self.grouper(speed)
        nextRows = plays.map(\.state.position)
    }

    /// Plays until the end, or for ever with `--loop`.
    ///
    /// - Throws: ``ServiceError`` or ``RecordingError``; what was done until then is kept.
    func run() async throws {
        if plays.allSatisfy({ $0.state.position == 0 }), let first = plays.map({ $0.beginning }).min() {
            try await clock?.hold(at: first)
        }
        try await enrol()
        repeat {
            do { try await playRound() } catch {
                try save()
                throw error
            }
            try save()
            guard isLooping, !Task.isCancelled else { break }
            for index in plays.indices { plays[index].state.nextRound(end: plays[index].survey.end, now: now()) }
        } while true
    }

    private static func grouper(_ speed: Double?) -> ReplayGrouper {
        speed == nil ? ReplayGrouper(patience: 1 << 50) : ReplayGrouper()
    }

    private func playRound() async throws {
        var stream = try ReplayStream(plays.map(\.survey))
        for index in plays.indices { plays[index].rewind() }
        nextRows = plays.map(\.state.position)
        grouper = Self.grouper(pace.speed)
        pace.restart()
        try await withThrowingTaskGroup(of: Void.self) { group in
            var open = 0, last: Int64 = 0
            while !Task.isCancelled, let item = try stream.next() {
                last = item.time
                for upload in take(item) { try await launch(upload, in: &group, &open) }
            }
            if !Task.isCancelled {
                let rest = grouper.drain(at: last)
                for upload in rest { progress.begin(upload) }
                for upload in rest { try await launch(upload, in: &group, &open) }
            }
            try await group.waitForAll()
        }
        for index in plays.indices where !Task.isCancelled && position(index) == plays[index].survey.rows {
            plays[index].state.isFinished = true
        }
    }

    /// The uploads that a row makes due; rows that an earlier run sent make none.
    private func take(_ item: ReplayStream.Item) -> [ReplayUpload] {
        var uploads = grouper.due(at: item.time)
        let isDone = item.number < plays[item.play].state.position
        let captured = item.row.capturedAt + plays[item.play].state.roundShift
        for phone in plays[item.play].players(of: item.row.device) {
            let (seq, withID) = plays[item.play].identify(item.row, on: phone)
            guard !isDone else { continue }
            uploads += grouper.add(
                ReplayUpload.Sender(play: item.play, phone: phone, kind: item.row.kind), row: item.number,
                time: item.time, isUrgent: item.row.isUrgent
            ) { ReplayRowText.append(item.row, capturedAt: captured, seq: seq, withID: withID, to: &$0) }
        }
        for upload in uploads { progress.begin(upload) }
        nextRows[item.play] = max(nextRows[item.play], item.number + 1)
        return uploads
    }

    private func launch(
        _ upload: ReplayUpload, in group: inout ThrowingTaskGroup<Void, any Error>, _ open: inout Int
    ) async throws {
        uploads += 1
        let isFirst = !pace.hasBegun
        let due = pace.instant(of: upload.due)
        if isFirst, let speed = pace.speed {
            try await clock?.run(from: (plays.map { $0.end }.max() ?? 0) + upload.due, speed: speed)
        }
        if due > .now { try? await Task.sleep(until: due, clock: .continuous) }
        guard !Task.isCancelled else { return }
        while open >= concurrency {
            try await group.next()
            open -= 1
        }
        open += 1
        let phone = plays[upload.sender.play].cast.phones[upload.sender.phone]
        guard let token = plays[upload.sender.play].state.tokens[phone.name] else { return }
        group.addTask { [sender, progress, uploads] in
            if try await sender.deliver(upload, number: uploads, token: token, due: due) { progress.end(upload) }
        }
        if ContinuousClock.now - lastSaved > .seconds(5) { try save() }
    }

    private func position(_ play: Int) -> Int {
        progress.position(of: play, next: nextRows[play], waiting: grouper.firstRows(of: play))
    }

    private func save() throws {
        lastSaved = .now
        for index in plays.indices {
            var state = plays[index].state
            state.position = position(index)
            try state.save(in: home)
        }
    }

    /// Every phone gets a token, once for ever; tokens are kept before anything is sent with them.
    private func enrol() async throws {
        for index in plays.indices {
            let missing = plays[index].cast.phones.map(\.name).filter { plays[index].state.tokens[$0] == nil }
            var rest = missing[...]
            while !rest.isEmpty, !Task.isCancelled {
                let part = rest.prefix(5_000)
                rest = rest.dropFirst(part.count)
                for (name, token) in try await tokens(for: part) { plays[index].state.tokens[name] = token }
                try plays[index].state.save(in: home)
            }
            try plays[index].state.save(in: home)
        }
    }

    private func tokens(for names: ArraySlice<String>) async throws -> [(String, String)] {
        try await withThrowingTaskGroup(of: (String, String?).self) { [sender] group in
            var done: [(String, String)] = [], open = 0
            for name in names {
                if open >= 64, let (name, token) = try await group.next() {
                    open -= 1
                    if let token { done.append((name, token)) }
                }
                open += 1
                group.addTask { (name, try await sender.enrol()) }
            }
            for try await case (let name, let token?) in group { done.append((name, token)) }
            return done
        }
    }
}
