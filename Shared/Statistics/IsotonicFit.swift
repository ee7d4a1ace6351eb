/// The rising sequence that is nearest to given values by weighted least squares.
///
/// Pool adjacent violators: neighbours that fall are put together under their mean until none falls (Ayer et al., "An empirical
/// distribution function for sampling with incomplete information", 1955).
package enum IsotonicFit {
    /// - Parameters:
    ///   - values: in the order of what they are to rise with.
    ///   - weights: of the values, above zero, as many.
    package static func rising(_ values: [Double], weights: [Double]) -> [Double] {
        precondition(values.count == weights.count)
        var pools: [(mean: Double, weight: Double, count: Int)] = []
        for (value, weight) in zip(values, weights) {
            var pool = (mean: value, weight: weight, count: 1)
            while let last = pools.last, last.mean >= pool.mean {
                pools.removeLast()
                let weight = last.weight + pool.weight
                pool = (
                    (last.mean * last.weight + pool.mean * pool.weight) / weight, weight, last.count + pool.count
                )
            }
            pools.append(pool)
        }
        return pools.flatMap { Array(repeating: $0.mean, count: $0.count) }
    }
}
