package import Alarms
package import Models
internal import Synchronization

/// Orders of the router on their way to devices: to the newest WebSocket of the device, each at most once. Thread-safe.
///
/// Nothing of it is on disk. What is told is committed as read before, so that an order is lost when the process ends in between, and
/// never told twice; the router then says that the device did not answer. An order whose device is away waits in memory for it
/// until its time is over.
package final class DeviceOrders: Sendable {
    /// What became of an order; the value of `outcome` of the metric that counts them.
    package enum Outcome: String, Sendable, CaseIterable {
        /// It is written to the device's connection.
        case told
        /// Its device does not keep up, or its connection was closing.
        case lost
        /// It came too late, or its device did not come.
        case expired
    }

    /// Writes a text message, from any thread, and says whether it was written, once.
    package typealias Send =
        @Sendable (_ text: [UInt8], _ done: @escaping @Sendable (_ isWritten: Bool) -> Void) -> Void

    private struct State {
        var sockets: [Int64: [(ticket: Int, send: Send)]] = [:]
        var waiting: [Int64: [DoorOrder]] = [:]
        var last = 0
    }

    private let state = Mutex(State())
    private let counted: @Sendable (Outcome) -> Void

    package init(counted: @escaping @Sendable (_ outcome: Outcome) -> Void = { _ in }) { self.counted = counted }

    /// A device has opened a WebSocket.
    ///
    /// - Returns: what ``close(_:of:)`` knows it by.
    package func open(_ device: UInt64, now: UnixMilliseconds, _ send: @escaping Send) -> Int {
        let device = Int64(bitPattern: device)
        let (ticket, orders) = state.withLock { state in
            state.last += 1
            state.sockets[device, default: []].append((state.last, send))
            return (state.last, state.waiting.removeValue(forKey: device) ?? [])
        }
        for order in orders { tell(order, send, now) }
        return ticket
    }

    package func close(_ ticket: Int, of device: UInt64) {
        let device = Int64(bitPattern: device)
        state.withLock { state in
            state.sockets[device]?.removeAll { $0.ticket == ticket }
            if state.sockets[device]?.isEmpty == true { state.sockets[device] = nil }
        }
    }

    /// Takes an order over, which is committed as read.
    package func take(_ order: DoorOrder, now: UnixMilliseconds) {
        let (send, gone) = state.withLock { state in
            let gone = state.waiting.values.reduce(0) { $0 + $1.count { $0.expiresAt <= now } }
            if gone > 0 {
                state.waiting = state.waiting.mapValues { $0.filter { $0.expiresAt > now } }.filter {
                    !$0.value.isEmpty
                }
            }
            let send = state.sockets[order.device]?.last?.send
            if send == nil, order.expiresAt > now { state.waiting[order.device, default: []].append(order) }
            return (send, gone)
        }
        for _ in 0..<gone { counted(.expired) }
        if let send { tell(order, send, now) } else if order.expiresAt <= now { counted(.expired) }
    }

    /// The router needs no answer any more: the device of an order that still waits did not come in time.
    package func forget(_ task: String) {
        let gone = state.withLock { state in
            let gone = state.waiting.values.reduce(0) { $0 + $1.count { $0.task == task } }
            guard gone > 0 else { return 0 }
            state.waiting = state.waiting.mapValues { $0.filter { $0.task != task } }.filter { !$0.value.isEmpty }
            return gone
        }
        for _ in 0..<gone { counted(.expired) }
    }

    private func tell(_ order: DoorOrder, _ send: Send, _ now: UnixMilliseconds) {
        guard order.expiresAt > now else { return counted(.expired) }
        send(Array(Self.message(order).utf8)) { [counted] isWritten in counted(isWritten ? .told : .lost) }
    }

    /// A text message of the WebSocket that answers none of the device's.
    private static func message(_ order: DoorOrder) -> String {
        #"{"kind":"open_door","command":"\#(order.task)","site":\#(order.site),"door":\#(order.door),"#
            + #""expires_at_ms":\#(order.expiresAt)}"#
    }
}
