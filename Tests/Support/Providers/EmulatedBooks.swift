/// What a provider keeps of orders, in the time of whoever calls it. Its own: it is another company, and forgets nothing but the
/// keys that it says it forgets.
public struct EmulatedBooks: Sendable {
    /// One order that was taken up.
    public struct Order: Sendable {
        /// The provider's name of it.
        public let id: Int64
        /// Ours.
        public let reference: String
        public let phone: String
        /// Whole XAF.
        public let amount: Int64
        let at: Int64
        let fate: EmulatedFate
        /// It failed as nothing was left to pay from.
        let isUnfunded: Bool

        /// What it says of the order at a time.
        public func state(at now: Int64) -> EmulatedState {
            if let change = fate.change, now >= at + fate.delay + change.delay { return change.state }
            return now >= at + fate.delay ? fate.state : .processing
        }

        /// What it says in the end.
        public var last: EmulatedState { fate.change?.state ?? fate.state }
        /// True if money leaves for it sooner or later, whether it comes back or not.
        public var isPaid: Bool { fate.state == .paid || fate.change?.state == .paid }
    }

    public private(set) var orders: [Order] = []
    /// References that were refused as they were known.
    public internal(set) var refusedReferences: [String] = []
    /// Orders to a number that had just been paid to.
    public internal(set) var refusedPaces = 0
    private var byReference: [String: Int] = [:]
    /// What was put in, whole XAF.
    var deposit: Int64 = 10_000_000

    init() {}

    mutating func add(
        _ reference: String, phone: String, amount: Int64, at now: Int64, _ fate: EmulatedFate, isUnfunded: Bool = false
    ) -> Order {
        let order = Order(
            id: Int64(1_000 + orders.count), reference: reference, phone: phone, amount: amount, at: now, fate: fate,
            isUnfunded: isUnfunded)
        byReference[reference] = orders.count
        orders.append(order)
        return order
    }

    /// The last order under a reference.
    public func order(_ reference: String) -> Order? { byReference[reference].map { orders[$0] } }

    func order(id: Int64?) -> Order? { id.flatMap { id in orders.first { $0.id == id } } }

    /// What is left to pay from, whole XAF.
    public func float(at now: Int64) -> Int64 {
        orders.reduce(deposit) { $0 - ([.paid, .processing].contains($1.state(at: now)) ? $1.amount : 0) }
    }

    /// True if an order to the number was taken up less than so many milliseconds ago.
    func isRecent(_ phone: String, within gap: Int64, at now: Int64) -> Bool {
        orders.contains { $0.phone == phone && $0.at <= now && now - $0.at < gap && $0.state(at: now) != .failed }
    }
}
