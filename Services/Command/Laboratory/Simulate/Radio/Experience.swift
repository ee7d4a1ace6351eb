import Foundation
import Models
import QoE

/// What somebody makes of the network: whether an event is noticed, and how it is rated. Pure but for the chance passed in.
enum Experience {
    /// What may go wrong in the moment of a report; nil for nothing.
    static func event(
        _ reading: RadioReading, _ figures: ServiceFigures, speed: Double, inCall: Bool, hasSpeed: Bool,
        _ random: inout SplitMix64
    ) -> NetworkEvent? {
        let threshold = reading.layer.type.technology == .g2 ? 20.0 : reading.layer.type.technology == .g3 ? 150 : 400
        if inCall {
            let weak = 1 / (1 + exp((reading.sinr + 4) / 1.2))
            if random.chance(0.006 + 0.10 * weak + (speed > 0 ? 0.008 : 0)) { return .callDrop }
            if random.chance(0.006 + 2 * max(0, reading.load - 0.9)) { return .callSetupFailure }
        }
        return hasSpeed && figures.download < threshold ? .slowData : nil
    }

    /// Stars from 1 to 5: satisfaction grows with the logarithm of speed and falls with that of waiting (Weber and Fechner, as
    /// Reichl et al. 2010 found it for the web), less what an event costs, plus the person's mood and the moment's.
    static func rating(
        _ figures: ServiceFigures?, _ event: NetworkEvent?, mood: Double, _ random: inout SplitMix64
    ) -> Int64 {
        var stars = 1.0
        if let figures {
            let speed = log10(max(1, figures.download) / 150) / log10(30_000 / 150.0)
            let waiting = log10(max(1, figures.latency) / 40) / log10(1_500 / 40.0)
            stars = 1 + 3.5 * min(1, max(0, 0.7 * speed + 0.3 * (1 - waiting)))
        }
        if let event, event != .slowData { stars -= 1.6 }
        return min(5, max(1, Int64((stars + mood + 0.6 * random.normal()).rounded())))
    }

    /// Words that go with a rating, at most 50 characters, or none: most people write nothing.
    static func comment(_ rating: Int64, _ event: NetworkEvent?, _ random: inout SplitMix64) -> String? {
        guard random.chance(0.35) else { return nil }
        switch event {
        case .callDrop:
            return pick(["appel coupé", "call don cut", "coupure en plein appel", "call dropped again"], &random)
        case .callSetupFailure: return pick(["appel impossible", "network busy", "réseau saturé"], &random)
        case .noService: return pick(["pas de réseau", "no network at all", "réseau parti depuis un moment"], &random)
        default: break
        }
        switch rating {
        case ...2:
            return pick(["trop lent", "network di worry", "connexion instable", "very slow here", "ça rame"], &random)
        case 3: return pick(["moyen", "manageable", "ça dépend des heures"], &random)
        default: return pick(["ça passe bien", "fine", "network correct", "rapide ici", "good"], &random)
        }
    }

    private static func pick(_ words: [String], _ random: inout SplitMix64) -> String {
        words[random.index(below: words.count)]
    }
}
