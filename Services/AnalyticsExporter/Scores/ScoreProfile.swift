internal import Foundation

/// How a score is made of figures: a JSON document with a version, so that an answer says by what it was judged.
package struct ScoreProfile: Sendable, Equatable {
    /// How what is found for the items becomes a score.
    package enum Method: String, Sendable {
        /// Weighted means of the items of each part, then of the parts.
        case weighted
        /// The worst class of a part's items; there is no score of all parts together.
        case worstClass = "worst_class"
        /// Mean opinion score of a call, after ITU-T G.107, simplified.
        case voiceMOS = "voice_mos"
    }

    package let id: String
    package let version: String
    package let title: String
    package let source: String
    package let method: Method
    /// What a score can be at least and at most; of classes those of a part.
    package let scale: ClosedRange<Double>
    package let parts: [Part]
    /// As it was written.
    package let document: [UInt8]

    package struct Part: Sendable, Equatable {
        package let id: String
        package let weight: Double
        package let items: [Item]
    }

    /// One thing that a part looks at.
    package struct Item: Sendable, Equatable {
        package let id: String
        /// Nil: nothing that phones send measures it.
        package let indicator: ScoreIndicator?
        package let weight: Double
        package let rule: Rule
    }

    /// What a value is worth.
    package enum Rule: Sendable, Equatable {
        /// 0 at `bad` or beyond, 100 at `good` or beyond, in between in proportion.
        case linear(bad: Double, good: Double)
        /// 100 if it is at least so much, else 0.
        case atLeast(Double)
        /// 100 if it is at most so much, else 0.
        case atMost(Double)
        /// 4, 3 or 2 for the first of three thresholds that it meets, else 1.
        case classes([Double], isHigherBetter: Bool)
        /// It enters a formula.
        case argument

        /// What a value is worth by itself; an argument is worth nothing.
        package func points(_ value: Double) -> Double {
            switch self {
            case .linear(let bad, let good): min(max((value - bad) / (good - bad), 0), 1) * 100
            case .atLeast(let least): value >= least ? 100 : 0
            case .atMost(let most): value <= most ? 100 : 0
            case .classes(let thresholds, let isHigherBetter):
                Double(4 - (thresholds.firstIndex { isHigherBetter ? value >= $0 : value <= $0 } ?? 3))
            case .argument: 0
            }
        }
    }
}

/// What is wrong with a profile's document.
package struct ScoreProfileError: Error, Equatable, CustomStringConvertible {
    package let description: String
}

extension ScoreProfile {
    private struct Document: Decodable {
        struct Part: Decodable {
            let id: String
            let weight: Double?
            let items: [Item]
        }

        struct Item: Decodable {
            let id: String
            let metric, statistic: String?
            let weight: Double?
            let linear, classes: [Double]?
            let at_least, at_most: Double?
            let better: String?
        }

        let id, version, title, source, method: String
        let scale: [Double]
        let parts: [Part]
    }

    /// Reads and checks a document.
    package init(_ bytes: [UInt8]) throws(ScoreProfileError) {
        let document: Document
        do { document = try JSONDecoder().decode(Document.self, from: Data(bytes)) } catch {
            throw ScoreProfileError(description: "\(error)")
        }
        guard let method = Method(rawValue: document.method) else {
            throw ScoreProfileError(description: "\(document.id): no such method: \(document.method)")
        }
        guard document.scale.count == 2, document.scale[0] < document.scale[1] else {
            throw ScoreProfileError(description: "\(document.id): scale is [least, most]")
        }
        id = document.id
        version = document.version
        title = document.title
        source = document.source
        self.method = method
        scale = document.scale[0]...document.scale[1]
        var parts: [Part] = []
        for part in document.parts {
            var items: [Item] = []
            for item in part.items { items.append(try Self.item(item, of: "\(document.id), \(part.id), \(item.id)")) }
            parts.append(Part(id: part.id, weight: part.weight ?? 1, items: items))
        }
        guard !parts.isEmpty, parts.allSatisfy({ $0.weight > 0 && !$0.items.isEmpty }),
            parts.flatMap(\.items).allSatisfy({ $0.weight > 0 })
        else {
            throw ScoreProfileError(description: "\(document.id): parts with items, and weights above 0, are needed")
        }
        self.parts = parts
        self.document = bytes
    }

    private static func item(_ item: Document.Item, of name: String) throws(ScoreProfileError) -> Item {
        var indicator: ScoreIndicator?
        if let metric = item.metric {
            guard let statistic = ScoreIndicator.statistic(item.statistic ?? "") else {
                throw ScoreProfileError(description: "\(name): statistic is mean or p1 to p99")
            }
            indicator = ScoreIndicator(metric: metric, statistic: statistic)
        }
        return Item(id: item.id, indicator: indicator, weight: item.weight ?? 1, rule: try rule(item, of: name))
    }

    private static func rule(_ item: Document.Item, of name: String) throws(ScoreProfileError) -> Rule {
        switch (item.linear, item.classes, item.at_least, item.at_most) {
        case (let ends?, nil, nil, nil) where ends.count == 2 && ends[0] != ends[1]:
            return .linear(bad: ends[0], good: ends[1])
        case (nil, let classes?, nil, nil) where classes.count == 3 && ["higher", "lower"].contains(item.better):
            let isHigherBetter = item.better == "higher"
            guard zip(classes, classes.dropFirst()).allSatisfy({ isHigherBetter ? $0 >= $1 : $0 <= $1 }) else {
                throw ScoreProfileError(description: "\(name): classes begin with the best")
            }
            return .classes(classes, isHigherBetter: isHigherBetter)
        case (nil, nil, let least?, nil): return .atLeast(least)
        case (nil, nil, nil, let most?): return .atMost(most)
        case (nil, nil, nil, nil): return .argument
        default:
            throw ScoreProfileError(
                description:
                    "\(name): one of linear [bad, good], classes [best, …, least] with better, at_least, at_most is needed"
            )
        }
    }
}
