internal import Models

extension LaneReaderCore {
    /// Begins a session after the last block received. What is still held counts against its credit.
    mutating func open(_ now: Int64) -> [Action] {
        lost()
        session &+= 1
        openedAt = now
        answeredAt = now
        arrived = .none
        granted = .none
        granted = grantable
        let opening = LaneOpening(
            reader: reader, lane: lane, session: session, generation: generation, after: received,
            kinds: subscription.kinds.map(\.id).sorted(), total: granted, committed: committed)
        return [.send(.open(opening))]
    }

    mutating func beat(_ now: Int64) -> [Action] {
        switch phase {
        case .stopped: return []
        case .closed: return open(now)
        case .opening: return now - openedAt >= Self.patience ? open(now) : []
        case .open: return now - answeredAt >= Self.silence ? open(now) : renew()
        }
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
