internal import Models

extension LaneReaderCore {
    /// Begins a session after the last block received. What is still held counts against its credit.
    mutating func open(_ now: Int64) -> [Action] {
        phase = .opening
        session &+= 1
        openedAt = now
        arrived = .none
        granted = .none
        granted = grantable
        let opening = LaneOpening(
            reader: reader, lane: lane, session: session, generation: generation, after: received,
            kinds: subscription.kinds.map(\.id).sorted(), wantsHeartbeats: true, total: granted, committed: committed)
        return [.send(.open(opening))]
    }

    mutating func beat(_ now: Int64) -> [Action] {
        switch phase {
        case .stopped: return []
        case .closed: return open(now)
        case .opening: return now - openedAt >= Self.patience ? open(now) : []
        case .open: return now - (heardAt ?? openedAt) >= Self.silence ? open(now) : renew()
        }
    }

    /// How the reader stands, as of the last event that told the time.
    package var status: LaneStatus {
        if let end { return end }
        guard let heardAt else { return .waiting }
        if now - heardAt > Self.heartbeatTimeout { return .silent }
        guard phase == .open else { return .waiting }
        if head > committed { return .behind(head - committed) }
        return isIdle ? .idle : .current
    }

    /// The writer lives, and has blocks up to `head` at least. Says nothing about what this reader has.
    mutating func take(head: UInt64, time: UnixMilliseconds, completeTo: UnixMilliseconds?) {
        let last = heartbeat
        heartbeat = LaneHeartbeat(head: head, time: time, cameAt: now, completeTo: completeTo)
        learn(head: head)
        isIdle = last.map { $0.head == self.head && head == self.head && $0.time < time } ?? false
    }

    /// A writer's head never moves back within a generation; a message that is late tells of an older one.
    mutating func learn(head: UInt64) {
        guard head > self.head else { return }
        self.head = head
        isIdle = false
    }

    mutating func renew() -> [Action] {
        granted = grantable
        return [.send(.credit(session: session, total: granted, committed: committed))]
    }

    mutating func renewIfMore() -> [Action] { grantable != granted ? renew() : [] }

    /// True once a quarter of the window is free again.
    var isWorthRenewing: Bool {
        let window = subscription.window, total = grantable
        return total.blocks - granted.blocks >= max(window.blocks / 4, 1)
            || total.bytes - granted.bytes >= max(window.bytes / 4, 1)
    }

    /// All that may be sent in this session: what came, and the part of the window that is not held. If nothing is held, a
    /// block larger than the window may come alone. Never less than was granted before.
    private var grantable: Credit {
        let window = subscription.window
        var free = Credit(
            blocks: window.blocks - min(window.blocks, held.blocks), bytes: window.bytes - min(window.bytes, held.bytes)
        )
        if held.blocks == 0 { free = Credit(blocks: max(free.blocks, 1), bytes: max(free.bytes, waitingBytes)) }
        return Credit(
            blocks: max(granted.blocks, arrived.blocks + free.blocks),
            bytes: max(granted.bytes, arrived.bytes + free.bytes))
    }
}
