import QoE

@testable import BatchAggregator

extension CountingRules {
    /// Those of mobile QoE.
    static let qoe = CountingRules(.qoe)
}
