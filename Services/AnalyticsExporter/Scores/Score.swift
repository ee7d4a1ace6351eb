internal import Foundation

/// A score, and all that it was made of.
package struct Score: Equatable, Sendable {
    /// One item of a profile as it was judged.
    package struct Item: Equatable, Sendable {
        package let item: ScoreProfile.Item
        package let measured: MeasuredIndicator
        /// 0…100, or a class 1…4; nil for an argument of a formula.
        package let points: Double?
        /// Its part of the whole after the weight of what is missing was shared, 0…1; nil where there are no weights.
        package let share: Double?
    }

    package struct Part: Equatable, Sendable {
        package let id: String
        /// 0…100, or a class; nil if nothing of it was measured.
        package let points: Double?
        package let items: [Item]
        /// Identifiers of the items that were not measured.
        package let missing: [String]
    }

    /// Within the profile's scale; nil if nothing can be said.
    package let value: Double?
    package let parts: [Part]

    /// Judges what was measured.
    ///
    /// The weight of an item that was not measured is shared among the others of its part in proportion, and that of a part of which
    /// nothing was measured among the other parts.
    ///
    /// - Parameter measured: what is known of an indicator; nil without values.
    package init(_ profile: ScoreProfile, _ measured: (ScoreIndicator) -> MeasuredIndicator?) {
        let found = profile.parts.map { part in
            part.items.compactMap { item in
                item.indicator.flatMap(measured).map { (item: item, measured: $0) }
            }
        }
        let weights = zip(profile.parts, found).map { $1.isEmpty ? 0 : $0.weight }
        let allWeights = weights.reduce(0, +)
        parts = profile.parts.indices.map { index in
            let part = profile.parts[index], items = found[index]
            let itemWeights = items.reduce(0) { $0 + $1.item.weight }
            let judged = items.map { item, measured in
                Item(
                    item: item, measured: measured,
                    points: item.rule == .argument ? nil : item.rule.points(measured.value),
                    share: profile.method == .weighted ? weights[index] / allWeights * item.weight / itemWeights : nil)
            }
            let there = Set(items.map(\.item.id))
            return Part(
                id: part.id, points: Self.points(judged, of: part.items.count, profile.method), items: judged,
                missing: part.items.map(\.id).filter { !there.contains($0) })
        }
        switch profile.method {
        case .weighted:
            let sum = zip(parts, weights).reduce(0) { $0 + ($1.0.points ?? 0) * $1.1 }
            value = allWeights > 0 ? sum / allWeights : nil
        case .worstClass: value = nil
        case .voiceMOS:
            let values = Dictionary(
                found.joined().map { ($0.item.id, $0.measured.value) }, uniquingKeysWith: { first, _ in first })
            if let latency = values["latency"], let loss = values["loss"] {
                value = VoiceQuality.meanOpinionScore(oneWayDelay: latency / 2, loss: loss / 100)
            } else {
                value = nil
            }
        }
    }

    /// - Parameter count: items of the part, those that were not measured too.
    private static func points(_ items: [Item], of count: Int, _ method: ScoreProfile.Method) -> Double? {
        switch method {
        case .weighted:
            let weight = items.reduce(0) { $0 + $1.item.weight }
            return weight > 0 ? items.reduce(0) { $0 + ($1.points ?? 0) * $1.item.weight } / weight : nil
        // The worst of three is not known while one is missing.
        case .worstClass: return items.count == count ? items.compactMap(\.points).min() : nil
        case .voiceMOS: return nil
        }
    }
}

/// How a call sounds, from delay and loss: the E-model (ITU-T G.107) with a codec's impairment of 11, simplified after Cole and
/// Rosenbluth, "Voice over IP performance monitoring", 2001.
package enum VoiceQuality {
    /// - Parameters:
    ///   - oneWayDelay: in milliseconds.
    ///   - loss: share of lost packets, 0…1.
    /// - Returns: 1…4.5.
    package static func meanOpinionScore(oneWayDelay: Double, loss: Double) -> Double {
        let late = oneWayDelay > 177.3 ? 0.11 * (oneWayDelay - 177.3) : 0
        let rating = 94.2 - 0.024 * oneWayDelay - late - 11 - 40 * log(1 + 10 * loss)
        guard rating > 0 else { return 1 }
        // For ratings under 6.5 the cubic is a little below 1.
        return max(1, 1 + 0.035 * rating + 7e-6 * rating * (rating - 60) * (100 - rating))
    }
}
