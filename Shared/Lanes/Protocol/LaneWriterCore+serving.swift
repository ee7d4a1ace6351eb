internal import Models
internal import Wire

extension LaneWriterCore {
    /// Sends a session what its credit allows of the blocks in memory, or asks for a page of older ones.
    mutating func serve(_ peer: Peer) -> [Action] {
        guard var session = sessions[peer], !session.isPageUnderWay else { return [] }
        defer { sessions[peer] = session }
        var actions: [Action] = []
        while session.through < head {
            guard let block = recent[session.through + 1] else {
                actions += askForPage(&session)
                break
            }
            guard session.kinds.contains(block.header.kind) else {
                session.through += 1
                continue
            }
            guard session.sent.has(roomFor: block.size, in: session.credit) else {
                actions += wait(for: block.size, &session)
                break
            }
            actions += send(block, &session)
        }
        return actions
    }

    /// A page came from the journal. It may know blocks whose commit has not been announced yet.
    mutating func deliver(_ page: JournalPage, _ request: LanePageRequest) -> [Action] {
        oldest = max(oldest, page.oldest)
        head = max(head, page.head)
        guard var session = sessions[request.peer], session.id == request.session, session.isPageUnderWay else {
            return []
        }
        guard page.oldest <= request.after + 1 else { return end(session) }
        session.isPageUnderWay = false
        if session.isPageStale {
            session.isPageStale = false
            sessions[request.peer] = session
            return serve(request.peer)
        }
        var actions: [Action] = []
        var isWhole = true
        for block in page.blocks {
            guard session.sent.has(roomFor: block.size, in: session.credit) else {
                isWhole = false
                break
            }
            session.through = block.header.number - 1
            actions += send(block, &session)
        }
        if isWhole {
            session.through = max(session.through, page.through)
            session.waitingBytes = page.waitingBytes
        }
        sessions[request.peer] = session
        return actions + serve(request.peer)
    }

    /// What the session was to be served next is trimmed: it was detached meanwhile. The reader opens a new one and learns
    /// from the answer how much it missed; going on would look to it like blocks of other kinds.
    private mutating func end(_ session: Session) -> [Action] {
        sessions[session.peer] = nil
        return [.send(session.peer, .unknown(session: session.id))]
    }

    private func askForPage(_ session: inout Session) -> [Action] {
        let blocks = session.credit.blocks - min(session.sent.blocks, session.credit.blocks)
        let bytes = session.credit.bytes - min(session.sent.bytes, session.credit.bytes)
        let needed = UInt64(session.waitingBytes)
        guard blocks > 0, bytes > 0, bytes >= needed else { return wait(for: session.waitingBytes, &session) }
        session.isPageUnderWay = true
        let limit = Credit(
            blocks: min(blocks, LanePageRequest.largest.blocks),
            bytes: min(bytes, max(needed, LanePageRequest.largest.bytes)))
        return [
            .read(
                LanePageRequest(
                    peer: session.peer, session: session.id, after: session.through, kinds: session.kinds, limit: limit)
            )
        ]
    }

    /// The next block does not fit: the reader learns how large it is, so that it can make room.
    private func wait(for size: Int, _ session: inout Session) -> [Action] {
        guard size > 0, session.toldWaiting != size else { return [] }
        session.waitingBytes = size
        session.toldWaiting = size
        return [
            .send(
                session.peer, .head(session: session.id, head: head, through: session.told, waitingBytes: UInt64(size)))
        ]
    }

    private func send(_ block: Block, _ session: inout Session) -> [Action] {
        var actions: [Action] = []
        let before = block.header.number - 1
        if session.told < before {
            actions.append(.send(session.peer, .skipped(session: session.id, after: session.told, through: before)))
        }
        actions.append(.send(session.peer, .block(session: session.id, block)))
        session.sent.add(block.size)
        session.through = block.header.number
        session.told = block.header.number
        session.waitingBytes = 0
        session.toldWaiting = 0
        return actions
    }
}
