internal import QoE

/// Whose networks the kit reports.
public enum SIMChoice: Codable, Sendable, Equatable {
    /// Every SIM card that the system shows.
    case automatic
    /// Only the cards in these slots.
    case slots([Int64])
    /// The person has named the operator, as the system hides the card (`plmn_source` `manual`).
    case manual(mcc: Int64, mnc: Int64)

    /// The readings to report; a card whose operator the system hides has the one that the person has named.
    func chosen(_ sims: [SIMReading]) -> [ChosenSIM] {
        switch self {
        case .automatic: sims.map { ChosenSIM(reading: $0, isManual: false) }
        case .slots(let slots):
            sims.filter { slots.contains($0.slot) }.map { ChosenSIM(reading: $0, isManual: false) }
        case .manual(let mcc, let mnc):
            (sims.isEmpty ? [SIMReading(slot: 0, networkType: .unknown, carriesData: true)] : sims).map { sim in
                guard sim.mcc == nil else { return ChosenSIM(reading: sim, isManual: false) }
                var named = sim
                (named.mcc, named.mnc) = (mcc, mnc)
                return ChosenSIM(reading: named, isManual: true)
            }
        }
    }
}

/// A reading, and whether a person has named its operator.
struct ChosenSIM: Sendable, Equatable {
    var reading: SIMReading
    var isManual: Bool
}
