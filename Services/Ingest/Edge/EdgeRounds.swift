internal import NIOCore

/// The connections of one event loop, looked at once a second: one timer for all instead of one for each request.
///
/// Confined to its event loop.
final class EdgeRounds {
    private var connections: [ObjectIdentifier: EdgeConnection] = [:]
    private var task: RepeatedTask?

    func add(_ connection: EdgeConnection) {
        connections[ObjectIdentifier(connection)] = connection
        guard task == nil else { return }
        let bound = NIOLoopBound(self, eventLoop: connection.eventLoop)
        task = connection.eventLoop.scheduleRepeatedTask(initialDelay: .seconds(1), delay: .seconds(1)) { _ in
            bound.value.check()
        }
    }

    func remove(_ connection: EdgeConnection) {
        connections[ObjectIdentifier(connection)] = nil
        guard connections.isEmpty else { return }
        task?.cancel()
        task = nil
    }

    private func check() {
        let now = NIODeadline.now()
        for connection in connections.values { connection.check(now: now) }
    }
}
