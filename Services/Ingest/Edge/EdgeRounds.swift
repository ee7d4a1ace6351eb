internal import Foundation
internal import IngestSupport
internal import NIOCore

/// The connections of one event loop, looked at once a second: one timer for all instead of one for each request.
///
/// A round pauses when it has taken its time, so that thousands that are closed together do not hold up the others.
///
/// Confined to its event loop.
final class EdgeRounds {
    /// Their larger uploads, which wait to be read.
    let turns = EdgeTurns()
    private var connections: [ObjectIdentifier: any EdgeTimed] = [:]
    private var task: RepeatedTask?
    /// Those whose turn in this round is still to come.
    private var waiting: ArraySlice<any EdgeTimed> = []
    /// The field `Date` of answers (RFC 9110, 6.6.1), as a line; at most about a second old.
    private(set) var date: [UInt8] = []

    func add(_ connection: any EdgeTimed) {
        connections[ObjectIdentifier(connection)] = connection
        guard task == nil else { return }
        tellTime()
        let bound = NIOLoopBound(self, eventLoop: connection.eventLoop)
        task = connection.eventLoop.scheduleRepeatedTask(initialDelay: .seconds(1), delay: .seconds(1)) { _ in
            bound.value.check()
        }
    }

    func remove(_ connection: any EdgeTimed) {
        connections[ObjectIdentifier(connection)] = nil
        guard connections.isEmpty else { return }
        task?.cancel()
        task = nil
    }

    private func tellTime() { date = Array("date: \(HTTPDate.text(.now))\r\n".utf8) }

    private func check() {
        tellTime()
        // The round before is not over yet: its end comes first.
        guard waiting.isEmpty else { return }
        waiting = Array(connections.values)[...]
        goOn()
    }

    private func goOn() {
        let begin = NIODeadline.now()
        var now = begin
        while let connection = waiting.popFirst() {
            connection.check(now: now)
            now = .now()
            guard now - begin > Self.atOnce else { continue }
            let bound = NIOLoopBound(self, eventLoop: connection.eventLoop)
            connection.eventLoop.scheduleTask(in: Self.pause) { bound.value.goOn() }
            return
        }
    }

    /// How long a round may keep the loop, and how long it then leaves it to others.
    private static let atOnce = TimeAmount.microseconds(500)
    private static let pause = TimeAmount.milliseconds(5)
}
