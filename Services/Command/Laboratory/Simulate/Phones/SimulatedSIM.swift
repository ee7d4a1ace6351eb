import Models

/// A SIM card in a phone.
struct SimulatedSIM: Sendable {
    /// 0 or 1.
    let slot: Int64
    /// Of the card.
    let plmn: PLMN
    /// Index of the network that serves it.
    let provider: Int
    /// A visitor's card, served by another operator than its own.
    let isRoaming: Bool
}
