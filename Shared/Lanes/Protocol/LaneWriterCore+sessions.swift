internal import Models
internal import Wire

extension LaneWriterCore {
    mutating func open(_ opening: LaneOpening, from peer: Peer, now: Int64) -> [Action] {
        if let refusal = refusal(of: opening) { return [.send(peer, refusal)] }
        if let same = sessions[peer], same.id == opening.session { return [.send(peer, opened(opening.session))] }
        for (other, session) in sessions where session.reader.name == opening.reader.name { sessions[other] = nil }
        sessions[peer] = Session(
            peer: peer, reader: opening.reader, id: opening.session, kinds: opening.kinds,
            through: max(opening.after, oldest - 1),
            told: opening.after, credit: opening.total, heardAt: now, wantsHeartbeats: opening.wantsHeartbeats)
        let progress = ReaderProgress(reader: opening.reader, committed: opening.committed, isJoining: true)
        return [.send(peer, opened(opening.session)), .progress(progress)] + serve(peer)
    }

    mutating func renew(_ id: UInt64, _ total: Credit, _ committed: UInt64, from peer: Peer, now: Int64) -> [Action] {
        guard var session = sessions[peer], session.id == id else { return [.send(peer, .unknown(session: id))] }
        session.heardAt = now
        session.isHeartbeatUnanswered = false
        session.credit = Credit(
            blocks: max(session.credit.blocks, total.blocks), bytes: max(session.credit.bytes, total.bytes))
        sessions[peer] = session
        let progress = ReaderProgress(reader: session.reader, committed: committed, isJoining: false)
        return [.progress(progress)] + serve(peer) + sign(peer) + (session.isHeartbeatDue ? heartbeat(peer) : [])
    }

    /// Ends silent sessions and tells the others where they are, and that the writer is alive.
    mutating func beat(_ now: Int64) -> [Action] {
        for (peer, session) in sessions where session.heardAt + Self.silence < now { sessions[peer] = nil }
        return sessions.keys.sorted(by: Self.precedes).flatMap { sign($0) + heartbeat($0) }
    }

    /// Sends a heartbeat, or puts it off until the reader is heard: who does not read has at most one that it has not
    /// answered, whatever is in its pipe.
    private mutating func heartbeat(_ peer: Peer) -> [Action] {
        guard let session = sessions[peer], session.wantsHeartbeats else { return [] }
        sessions[peer]!.isHeartbeatDue = session.isHeartbeatUnanswered
        guard !session.isHeartbeatUnanswered else { return [] }
        sessions[peer]!.isHeartbeatUnanswered = true
        let beat = LaneReply.heartbeat(
            session: session.id, generation: generation, head: head, time: time, completeTo: completeTo)
        return [.send(peer, beat)]
    }

    /// Tells a reader how far it has been served.
    private mutating func sign(_ peer: Peer) -> [Action] {
        guard var session = sessions[peer] else { return [] }
        var actions: [Action] = []
        if session.told < session.through {
            actions.append(.send(peer, .skipped(session: session.id, after: session.told, through: session.through)))
            session.told = session.through
        }
        actions.append(
            .send(
                peer,
                .head(
                    session: session.id, head: head, through: session.through,
                    waitingBytes: UInt64(session.waitingBytes))))
        sessions[peer] = session
        return actions
    }

    private func opened(_ session: UInt64) -> LaneReply {
        .opened(session: session, generation: generation, head: head, oldest: oldest)
    }

    private func refusal(of opening: LaneOpening) -> LaneReply? {
        func refused(_ code: LaneRefusal, _ text: String) -> LaneReply {
            .refused(session: opening.session, code: code, text: text)
        }
        guard opening.lane == lane else {
            return refused(.otherLane, "this endpoint serves lane \(lane.rawValue)")
        }
        if opening.generation != generation && (opening.generation != 0 || opening.after != 0) {
            return refused(.otherGeneration, String(generation))
        }
        if opening.after > head { return refused(.aheadOfHead, String(head)) }
        if opening.after != 0 && opening.after < tombstonesGone {
            return refused(
                .tombstonesGone,
                "removals up to block \(tombstonesGone) are forgotten, the reader is at \(opening.after): rebuild it from nothing"
            )
        }
        return nil
    }
}
