internal import Channels
internal import GRDB
internal import Models
internal import NotifierMessages
internal import NotifierSending

/// What becomes of a question that came to the notifier; the raw value is a label of the metric.
enum QuestionEnd: String, CaseIterable {
    /// The push service has it.
    case sent
    case failed
    /// The push service knows nobody there any more.
    case gone
    /// Its time was over before its turn came.
    case late
    /// The device has no subscription here.
    case unknown
    /// The subscription does not open, or leads where channels may not.
    case unusable
    /// Too many wait.
    case full
}

/// Questions on their way: which wait, which are under way, and what became of them. Confined to the engine's thread.
///
/// A question leaves the database in the transaction before its one try: one that is under way at a kill is not sent again.
struct QuestionFlow {
    /// Questions that may wait, and that are under way at the same time; channels of operators have calls of their own.
    static let mostWaiting = 10_000
    static let atOnce = 8

    /// Where answers wait for the next step; from any thread.
    let answers = SendAnswers()
    private var underWay: [UInt64: UInt64] = [:]
    private var last: UInt64 = 0
    /// Handed out by this transaction, to leave when it is committed.
    private var started: [(number: UInt64, device: UInt64, call: OutgoingQuestion)] = []
    private(set) var isWaiting = true

    /// Whether there is something to be done now.
    var isDue: Bool { !answers.isEmpty || isWaiting && underWay.count < Self.atOnce }

    /// Has a question wait, if there is room.
    ///
    /// - Returns: what became of it already; nil if it waits.
    mutating func add(_ question: PushPromptDocument, to device: UInt64, _ db: Database) throws -> QuestionEnd? {
        let store = QuestionStore(db)
        guard try store.waiting() < Self.mostWaiting else { return .full }
        try store.add(question, to: device)
        isWaiting = true
        return nil
    }

    /// Settles what was answered and hands out what waits, as far as there is room.
    ///
    /// - Parameters:
    ///   - open: opens a device's subscription.
    ///   - ended: told of each question that has ended.
    mutating func step(
        now: UnixMilliseconds, _ db: Database,
        open: (PushDocument, UInt64) -> ChannelSecrets.PushSubscription?, ended: (QuestionEnd) -> Void
    ) throws {
        let store = QuestionStore(db)
        for (number, answer) in answers.take() {
            guard let device = underWay.removeValue(forKey: number) else { continue }
            switch answer {
            case .delivered: ended(.sent)
            case .failed: ended(.failed)
            case .gone:
                try store.forget(device)
                ended(.gone)
            }
        }
        // What a transaction handed out that failed is in the database still.
        started = []
        while underWay.count + started.count < Self.atOnce {
            let taken = try store.take(Self.atOnce - underWay.count - started.count)
            isWaiting = !taken.isEmpty
            guard isWaiting else { return }
            for (device, question) in taken {
                guard now < question.askedAt + PushPromptDocument.lifetime else {
                    ended(.late)
                    continue
                }
                guard let document = try store.subscription(of: device) else {
                    ended(.unknown)
                    continue
                }
                guard let subscription = open(document, device) else {
                    ended(.unusable)
                    continue
                }
                last += 1
                started.append((last, device, OutgoingQuestion(to: subscription, question, at: now)))
            }
        }
    }

    /// The transaction is on disk.
    ///
    /// - Returns: what is to be sent.
    mutating func committed() -> [(number: UInt64, call: OutgoingQuestion)] {
        for (number, device, _) in started { underWay[number] = device }
        defer { started = [] }
        return started.map { ($0.number, $0.call) }
    }
}
