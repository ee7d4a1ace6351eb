internal import Models

/// Which calls are on the way, and how long each order to pay has been over. Pure.
///
/// Its time is that of a clock that only rises, in milliseconds: the world's clock may be set, and then an hour seems to have
/// passed since a call that has not even ended. What the provider remembers is measured by another one, which also runs while the
/// machine sleeps.
struct CallsUnderWay {
    private struct Order {
        let reference: PaymentReference
        /// To whom; nil if nobody was named.
        let recipient: PayoutNumber?
        /// When it was given under this reference for the first time, by the clock that does not sleep.
        let givenAt: Int64
        /// When its call was over; nil while it is under way.
        var end: Int64?
    }

    private(set) var calls: Set<ProviderCall> = []
    /// Orders to pay of this life that may still arrive.
    private var orders: [GrantID: Order] = [:]
    private let kept: Int64
    private let startedAt: Int64

    /// - Parameters:
    ///   - settle: how long after its end a call may still arrive.
    ///   - repeatable: for how long an order may be given again.
    ///   - time: when the program started; the calls of its life before were over then.
    init(settle: Int64, repeatable: Int64 = 0, startedAt time: Int64) {
        kept = max(settle, repeatable)
        startedAt = time
    }

    /// - Parameter time: of the clock that does not sleep.
    mutating func begin(_ calls: [ProviderCall], givenAt time: Int64) {
        self.calls.formUnion(calls)
        for call in calls where call.purpose.isOrder {
            let before = orders[call.grant].flatMap { $0.reference == call.reference ? $0 : nil }
            orders[call.grant] = Order(
                reference: call.reference, recipient: call.recipient, givenAt: before?.givenAt ?? time)
        }
    }

    mutating func end(_ call: ProviderCall, _ answer: ProviderAnswer, at time: Int64) {
        calls.remove(call)
        guard call.purpose.isOrder else { return }
        if answer.isFinal { orders[call.grant] = nil } else { orders[call.grant]?.end = time }
        orders = orders.filter { _, order in order.end.map { time - $0 < kept } ?? true }
    }

    /// To whom the last order of this life for a grant was, and how long ago it was given first; nil if nobody was named, while it is
    /// under way, and once nothing depends on it any more.
    ///
    /// - Parameter time: of the clock that does not sleep.
    func given(_ grant: GrantID, at time: Int64) -> (recipient: PayoutNumber, ago: Int64)? {
        guard let order = orders[grant], order.end != nil, let recipient = order.recipient else { return nil }
        return (recipient, time - order.givenAt)
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
        case .confirmed, .reversed, .rejected, .failed, .notTaken, .unfunded: true
        case .notFound, .processing, .accepted, .silent, .unknown: false
        }
    }
}
