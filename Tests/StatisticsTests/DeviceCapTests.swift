import Statistics
import Testing

struct DeviceCapTests {
    /// By trying every T.
    private static func tried(_ counts: [Int64]) -> Int64 {
        (0...counts.reduce(0, +)).last { threshold in
            5 * threshold <= counts.reduce(0) { $0 + min($1, threshold) }
        }!
    }

    @Test func `the threshold is the largest that its definition allows`() {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<2_000 {
            let most = Int64.random(in: 1...60, using: &random)
            let counts = (0..<Int.random(in: 5...14, using: &random)).map { _ in
                Int64.random(in: 1...most, using: &random)
            }
            #expect(DeviceCap.threshold(counts) == Self.tried(counts), "\(counts)")
        }
    }

    @Test func `under five devices there is no cap, and devices without samples are none`() {
        #expect(DeviceCap.threshold([75, 1, 1, 1]) == nil)
        #expect(DeviceCap.threshold([75, 1, 1, 1, 0, 0]) == nil)
        #expect(DeviceCap.threshold([3, 3, 3, 3, 3]) == 3)
    }

    @Test func `a beacon of 75 samples beside twenty of one weighs a fifth`() {
        let counts = [75] + [Int64](repeating: 1, count: 20)
        let threshold = DeviceCap.threshold(counts)
        #expect(threshold == 5)
        let weight = 75 * DeviceCap.weight(count: 75, threshold: threshold)
        #expect(5 * weight <= weight + 20 * DeviceCap.whole)
        #expect(DeviceCap.weight(count: 1, threshold: threshold) == DeviceCap.whole)
    }

    @Test func `devices of equal weight are as many as they are, one that speaks alone is one`() {
        #expect(DeviceCap.effectiveDevices([4, 4, 4, 4], threshold: nil) == 4)
        #expect(DeviceCap.effectiveDevices([1_000_000, 1], threshold: nil) < 1.001)
        #expect(DeviceCap.effectiveDevices([], threshold: nil) == 0)
    }
}
