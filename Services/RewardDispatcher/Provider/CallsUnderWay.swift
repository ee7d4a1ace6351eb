internal import Models

/// Which calls are on the way, and how long each order to pay has been over. Pure.
///
/// Its time is that of a clock that only rises, in milliseconds: the world's clock may be set, and then an hour seems to have
/// passed since a call that has not even ended.
struct CallsUnderWay {
    private struct Order {
        /// To whom; nil if nobody was named.
        let recipient: PayoutNumber?
        /// When its call was over; nil while it is under way.
        var end: Int64?
    }

    private(set) var calls: Set<ProviderCall> = []
    /// Orders to pay of this life that may still arrive.
    private var orders: [GrantID: Order] = [:]
    private let settle: Int64
    private let startedAt: Int64

    /// - Parameters:
    ///   - settle: how long after its end a call may still arrive.
    ///   - time: when the program started; the calls of its life before were over then.
    init(settle: Int64, startedAt time: Int64) {
        self.settle = settle
        startedAt = time
    }

    mutating func begin(_ calls: [ProviderCall]) {
        self.calls.formUnion(calls)
        for call in calls where call.purpose.isOrder { orders[call.grant] = Order(recipient: call.recipient) }
    }

    mutating func end(_ call: ProviderCall, _ answer: ProviderAnswer, at time: Int64) {
        calls.remove(call)
        guard call.purpose.isOrder else { return }
        orders[call.grant] = answer.isFinal ? nil : Order(recipient: call.recipient, end: time)
        orders = orders.filter { _, order in order.end.map { time - $0 < settle } ?? true }
    }

    /// To whom an order of this life was that is over and may not have arrived yet; nil if nobody was named, too.
    func recipient(of grant: GrantID) -> PayoutNumber? {
        orders[grant].flatMap { $0.end == nil ? nil : $0.recipient }
    }

    /// How long no order to pay this grant has been under way; nil while one is.
    func quietMilliseconds(_ grant: GrantID, at time: Int64) -> Int64? {
        guard let order = orders[grant] else { return time - startedAt }
        return order.end.map { time - $0 }
    }
}

extension ProviderAnswer {
    /// True if nothing of the order that it answers can happen any more.
    fileprivate var isFinal: Bool {
        switch self {
        case .confirmed, .reversed, .rejected, .failed, .notTaken: true
        case .notFound, .processing, .accepted, .unknown: false
        }
    }
}
