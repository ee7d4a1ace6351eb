import Statistics
import Testing

struct OrderIntervalTests {
    // As SciPy's binom gives them.
    @Test(arguments: [
        (6, 500, 1, 6), (8, 500, 1, 8), (9, 500, 2, 8), (20, 500, 6, 15), (25, 500, 8, 18), (100, 500, 40, 61),
        (40, 100, 1, 9), (40, 900, 32, 40),
    ])
    func `ranks are those of the tables`(count: Int, permille: Int, lower: Int, upper: Int) {
        #expect(OrderInterval(count: Double(count), permille: permille)?.ranks == lower...upper)
    }

    @Test func `too few values have no interval, and a tail needs more of them than a median`() {
        #expect(OrderInterval(count: 5.99, permille: 500) == nil)
        #expect(OrderInterval(count: 6, permille: 500) != nil)
        #expect(OrderInterval(count: 20, permille: 100) == nil)
        #expect(OrderInterval(count: .nan, permille: 500) == nil)
        #expect(OrderInterval(count: 100, permille: 0) == nil)
    }

    @Test(arguments: [100, 250, 500, 750, 900])
    func `exact and approximate ranks meet`(permille: Int) throws {
        let exact = try #require(OrderInterval(count: 500, permille: permille))
        let near = try #require(OrderInterval(count: 501, permille: permille))
        #expect(abs(exact.ranks.lowerBound - near.ranks.lowerBound) <= 2)
        #expect(abs(exact.ranks.upperBound - near.ranks.upperBound) <= 2)
    }

    @Test func `the ends are the order statistics where every value weighs the same`() throws {
        let bins = WeightedBins((1...20).map { .init(bin: $0, weight: DeviceCap.whole) })
        let interval = try #require(OrderInterval(count: 20, permille: 500))
        #expect(bins.ends(of: interval) == 6...15)
        #expect(bins.quantile(permille: 500) == 10)
        #expect(bins.quantile(permille: 0) == 1)
        #expect(bins.quantile(permille: 1_000) == 20)
    }

    @Test func `weights beyond 64 bits of a product are compared exactly`() throws {
        let bins = WeightedBins([.init(bin: 1, weight: 1 << 60), .init(bin: 2, weight: 1 << 60)])
        #expect(bins.quantile(permille: 500) == 1)
        #expect(bins.quantile(permille: 501) == 2)
    }

    @Test func `a share's interval holds the share and stays a share`() throws {
        let none = try #require(ShareInterval.wilson(0, count: 10))
        #expect(none.lowerBound == 0)
        // Wilson 1927, n = 10, no success: 27.8 %.
        #expect(abs(none.upperBound - 0.2775) < 0.0005)
        #expect(ShareInterval.wilson(0.5, count: 5) == nil)
        #expect(try #require(ShareInterval.wilson(1, count: 50)).contains(1))
    }
}
