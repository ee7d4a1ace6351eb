internal import Models

/// Which calls are on the way, and how long each order to pay has been over. Pure.
///
/// Its time is that of a clock that only rises, in milliseconds: the world's clock may be set, and then an hour seems to have
/// passed since a call that has not even ended.
struct CallsUnderWay {
    private enum Order {
        case underWay
        case over(at: Int64)
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
        for call in calls where call.purpose == .pay { orders[call.grant] = .underWay }
    }

    mutating func end(_ call: ProviderCall, _ answer: ProviderAnswer, at time: Int64) {
        calls.remove(call)
        guard call.purpose == .pay else { return }
        orders[call.grant] = answer.isFinal ? nil : .over(at: time)
        orders = orders.filter { _, order in
            if case .over(let end) = order { time - end < settle } else { true }
        }
    }

    /// How long no order to pay this grant has been under way; nil while one is.
    func quietMilliseconds(_ grant: GrantID, at time: Int64) -> Int64? {
        switch orders[grant] {
        case .underWay: nil
        case .over(let end): time - end
        case nil: time - startedAt
        }
    }
}

extension ProviderAnswer {
    /// True if nothing of the order that it answers can happen any more.
    fileprivate var isFinal: Bool {
        switch self {
        case .confirmed, .rejected, .failed: true
        case .notFound, .processing, .unknown: false
        }
    }
}
