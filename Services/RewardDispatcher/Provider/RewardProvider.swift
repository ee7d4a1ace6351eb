/// Who pays rewards out: airtime or data, under a reference of ours.
///
/// Called from many tasks at once. ``ProviderDesk`` limits the time of a call and cancels it then: it must return soon after,
/// and may have happened.
public protocol RewardProvider: Sendable {
    /// The name in logs.
    var name: String { get }

    /// Pays `call.amount`. Called again with the same reference only after this provider said for certain that the attempt
    /// before paid nothing.
    func pay(_ call: ProviderCall) async -> ProviderAnswer

    /// Says what became of the payment with the reference. Changes nothing.
    func ask(_ call: ProviderCall) async -> ProviderAnswer
}
