public import Models

/// A way in which a provider can be asked what became of an order to pay.
public enum AskingMode: Sendable, Equatable {
    /// By our reference: it says what became of it, or that it has never heard of it.
    case reference
    /// By the name that the provider gave to the order; without one, not at all.
    case providerID
    /// By giving the same order again under the same key, which the provider carries out at most once as long as it remembers
    /// the key. Only to the same number, by the program that gave the order, and for so many milliseconds after it was given first,
    /// whatever the world's clock is set to meanwhile.
    case repeatedKey(within: UnixMilliseconds)
}

extension [AskingMode] {
    /// How to ask about a grant's present attempt now, by the first way that can be gone; nil if there is none.
    ///
    /// - Parameter givenAgo: milliseconds since this program first gave the order, to the number that is still the device's, by a
    ///   clock that cannot be set and runs while the machine sleeps; nil if it did not.
    func question(about grant: Grant, givenAgo: Int64?) -> ProviderCall.Purpose? {
        for mode in self {
            switch mode {
            case .reference: return .ask
            case .providerID where !grant.providerID.isEmpty: return .ask
            case .repeatedKey(let time) where grant.erased == nil && givenAgo.map { $0 < time } == true:
                return .payAgain
            case .providerID, .repeatedKey: continue
            }
        }
        return nil
    }

    /// For how long an order may be given again, milliseconds; 0 if never.
    var repeatable: Int64 {
        map { mode in
            if case .repeatedKey(let time) = mode { time } else { 0 }
        }.max() ?? 0
    }
}
