import IngestUploads
import Models
import NIOCore
import NIOHTTP1

@testable import IngestEdge

/// A client, an API and a channel around ``EdgeConnectionCore``, which they use as ``EdgeConnection`` does, and what must hold
/// at every moment.
struct EdgeWorld {
    private struct Call {
        let number: Int
        var isLookedUp: Bool
        /// It is answered with a problem as soon as it is complete.
        var isRefused = false
        var isHeld = false
        var isComplete = false
    }

    private static let partsAhead = 12

    private var random: SplitMix64
    /// How many of a thousand turns end the connection in some way.
    private let ends: Int
    private var core: EdgeConnectionCore
    private var call: Call?
    private var isGoingOn = false
    private var timer: EdgeConnectionCore.Timer?

    /// The request that the API has.
    private var owed: Int?
    private var isStreaming = false

    /// Parts of the request that the client is sending.
    private var partsToCome = 0
    private var offered = 0
    private var isCalm = false
    /// No more parts come.
    private var isBroken = false

    private var isReading = true
    private var isReadAsked = false
    private var isWritable = true
    private var isFlushing = false
    private var isGone = false

    private var taken = 0
    private var begun = -1
    /// Parts from here on must be thrown away.
    private var firstThrownAway = Int.max
    private var isLastAnswered = false
    private(set) var isOver = false
    private(set) var answered: [Int] = []
    private(set) var violations: [String] = []
    private(set) var phases: Set<EdgeConnectionCore.Phase> = []
    private(set) var endings: Set<String> = []

    init(seed: UInt64, ends: Int = 12) {
        random = SplitMix64(seed: seed)
        self.ends = ends
        core = EdgeConnectionCore(isSecure: random.chance(percent: 10), partsAhead: Self.partsAhead)
        settle()
    }

    private mutating func claim(_ holds: Bool, _ violation: StaticString) {
        if !holds {
            violations.append("\(violation): \(core.phase), \(taken) of \(offered) parts, answered \(answered)")
        }
    }

    // MARK: - Events

    mutating func turn() {
        if ends > 0, random.below(1_000) < ends { return end() }
        switch random.below(9) {
        case 0, 1, 2: receive(1 + random.below(ends > 0 && random.chance(percent: 3) ? 40 : 6))
        case 3: receive(0)
        case 4: lookUpEnds(finds: random.chance(percent: 70))
        case 5, 6: answerOwed(closes: ends > 0 && random.chance(percent: 2))
        case 7: goOnStreaming()
        default: channelTurn()
        }
    }

    /// Nothing else begins, and everything that has begun comes to its end.
    mutating func calm() {
        isCalm = true
        for _ in 0..<200 {
            channelTurn()
            lookUpEnds(finds: true)
            answerOwed(closes: false)
            goOnStreaming()
            receive(6)
        }
        if !isOver {
            claim(!isBroken && firstThrownAway == .max, "the connection goes on")
            claim(taken == offered && partsToCome == 0, "parts are stuck")
            claim(answered == Array(0..<(begun + 1)), "requests are not answered")
            claim(isReading, "a read is stuck")
        } else if !isGone {
            channelTurn()
            react(core.inputClosed())
            leave()
        }
        claim(call == nil, "a call is held for ever")
    }

    /// The client sends parts, as many as it likes to the end of its request; 0: bytes that are no part yet.
    private mutating func receive(_ parts: Int) {
        guard isReading, !isBroken, !isGone, core.phase != .handshaking else { return }
        isReading = false
        for _ in 0..<parts {
            guard let part = nextPart() else { break }
            let isTaken = core.received(part)
            if !isTaken, !isOver, firstThrownAway == .max, offered - taken > Self.partsAhead {
                firstThrownAway = taken + Self.partsAhead
                endings.insert("thrown away")
            }
            if isTaken { take(part) }
            settle()
        }
        core.readCompleted()
        settle()
        isReadAsked = true
        if core.wantsRead() { read() }
    }

    private mutating func nextPart() -> HTTPServerRequestPart? {
        if partsToCome == 0, isCalm { return nil }
        defer { offered += 1 }
        guard partsToCome > 0 else {
            partsToCome = 1 + random.below(4)
            let closes = ends > 0 && random.chance(percent: 2)
            return .head(
                HTTPRequestHead(
                    version: .http1_1, method: .POST, uri: "\(offered)",
                    headers: closes ? ["Connection": "close"] : [:]))
        }
        partsToCome -= 1
        return partsToCome == 0 ? .end(["Number": "\(offered)"]) : .body(ByteBuffer(string: "\(offered)"))
    }

    private mutating func lookUpEnds(finds: Bool) {
        guard var call, call.isLookedUp else { return core.release() }
        (call.isLookedUp, call.isHeld, call.isRefused) = (false, false, !finds)
        self.call = call
        core.release()
        if call.isComplete {
            handOver(call)
        } else if call.isRefused, ends > 0, random.chance(percent: 50) {
            answer(call.number)
        }
        goOn()
    }

    private mutating func answerOwed(closes: Bool) {
        guard let number = owed else {
            // An answer that nobody waits for is not written.
            if call == nil { claim(core.beginAnswer(closes: false) == nil, "an answer to nothing") }
            return
        }
        owed = nil
        answer(number, closes: closes)
        settle()
    }

    private mutating func goOnStreaming() {
        guard isStreaming else { return }
        isStreaming = core.phase == .sending && !isCalm && random.chance(percent: 60)
        if isStreaming {
            core.pieceMade()
            settle()
            core.pieceWritten()
            settle()
        } else {
            react(core.endAnswer())
        }
    }

    private mutating func channelTurn() {
        guard !isGone else { return }
        if core.phase == .handshaking {
            core.handshakeCompleted()
            settle()
        } else if isFlushing {
            isFlushing = false
            claim(core.outputFlushed() || core.phase == .closed, "the output stays open")
            settle()
        } else if !isWritable {
            isWritable = true
            core.writabilityChanged(true)
            goOn()
        }
    }

    private mutating func end() {
        guard !isGone else { return }
        switch random.below(6) {
        case 0:
            isBroken = true
            react(core.inputClosed())
        case 1:
            isBroken = true
            react(core.receivedGarbage(.malformedRequest))
        case 2: react(core.failed())
        case 3: react(core.stop())
        case 4: if timer != .off { react(core.timedOut()) }
        default: leave()
        }
    }

    private mutating func leave() {
        core.closed()
        (isGone, isOver) = (true, true)
        endings.insert("gone")
        settle()
    }

    // MARK: - What the connection does

    private mutating func settle() {
        if !core.holdsCall { call = nil }
        claim(core.holdsCall == (call != nil), "a call that is not there is held")
        if let timer = core.newTimer() { self.timer = timer }
        claim(isTimed, "the timer does not fit")
        phases.insert(core.phase)
    }

    private var isTimed: Bool {
        switch core.phase {
        case .handshaking, .idle(hasHeadBegun: true): timer == .head
        case .idle(hasHeadBegun: false): timer == (isWritable ? .idle : .body)
        case .receiving, .closing(isOutputClosed: false): timer == .body
        case .closing(isOutputClosed: true): timer == .linger
        case .sending: timer == .off || timer == .body
        case .complete, .answering: timer == .off
        case .closed: true
        }
    }

    private mutating func react(_ action: EdgeConnectionCore.Action?) {
        if let action { perform(action) }
        goOn()
    }

    private mutating func goOn() {
        guard !isGoingOn else { return }
        isGoingOn = true
        while let action = core.next() { perform(action) }
        isGoingOn = false
        settle()
    }

    private mutating func perform(_ action: EdgeConnectionCore.Action) {
        switch action {
        case .take(let part): take(part)
        case .read: read()
        case .refuse:
            endings.insert("refuse")
            claim(owed == nil && !isStreaming && call?.isComplete != true, "a refusal before the answer that is owed")
            answer(call?.number)
        case .finish:
            if let call, !call.isComplete, answered.last != call.number { endings.insert("cut off") }
            endings.insert("finish")
            (isFlushing, isOver) = (true, true)
        case .close:
            endings.insert("close")
            isOver = true
        }
    }

    private mutating func read() {
        claim(isReadAsked && !isReading, "a read nobody has asked for")
        (isReadAsked, isReading) = (false, true)
        guard !isOver, core.phase != .handshaking else { return }
        let isAnswering = owed != nil || isStreaming || call?.isComplete == true
        if isAnswering {
            claim(taken == offered, "a read while something waits")
        } else if let call {
            claim(!call.isHeld, "a read of a body that is held")
        } else {
            claim(isWritable, "a read from a client that takes no answers")
        }
    }

    private mutating func take(_ part: HTTPServerRequestPart) {
        claim(Self.number(part) == taken && taken < firstThrownAway, "another part is taken")
        claim(!isOver, "a part behind the end")
        taken += 1
        switch part {
        case .head:
            claim(begun == (answered.last ?? -1) && owed == nil && !isStreaming, "a request before an answer")
            claim(isWritable, "a request of a client that takes no answers")
            begun += 1
            begin(Call(number: begun, isLookedUp: random.chance(percent: 30)))
        case .body:
            guard call?.isLookedUp == true, random.chance(percent: 40) else { return }
            call?.isHeld = true
            core.hold()
        case .end:
            call?.isComplete = true
            if let call, !call.isLookedUp { handOver(call) }
        }
    }

    private mutating func begin(_ call: Call) {
        self.call = call
        guard !call.isLookedUp, random.chance(percent: 10) else { return }
        self.call?.isRefused = true
        if ends > 0, random.chance(percent: 10) { answer(call.number) }
    }

    private mutating func handOver(_ call: Call) {
        if call.isRefused { return answer(call.number) }
        core.handedOver()
        self.call = nil
        owed = call.number
        if random.chance(percent: 30) { answerOwed(closes: false) }
    }

    private mutating func answer(_ number: Int?, closes: Bool = false) {
        let isEarly = call.map { !$0.isComplete } ?? false
        guard let isLast = core.beginAnswer(closes: closes) else { return claim(isOver, "an answer is lost") }
        if isGone { return }
        claim(!isLastAnswered, "an answer behind the last")
        claim(isLast || !isEarly && number != nil, "the connection goes on behind an answer before the end of a body")
        claim(number == nil || number == answered.count, "another request is answered")
        if let number { answered.append(number) }
        if isLast {
            (isLastAnswered, isOver) = (true, true)
            endings.insert("last answer")
        }
        phases.insert(core.phase)
        if random.chance(percent: 15) {
            isWritable = false
            core.writabilityChanged(false)
            goOn()
        }
        isStreaming = !isEarly && number != nil && random.chance(percent: 20)
        if !isStreaming { react(core.endAnswer()) }
    }

    private static func number(_ part: HTTPServerRequestPart) -> Int {
        switch part {
        case .head(let head): Int(head.uri) ?? -1
        case .body(let bytes): Int(String(buffer: bytes)) ?? -1
        case .end(let trailers): trailers?.first(name: "Number").flatMap(Int.init) ?? -1
        }
    }
}
