/// The 95 % interval of a share: that of Wilson (1927), which stays within 0…1 and holds for few values too.
public enum ShareInterval {
    /// - Parameters:
    ///   - share: 0…1.
    ///   - count: independent values, ``DeviceCap/effectiveDevices(_:threshold:)``.
    /// - Returns: nil under ``OrderInterval/fewest`` values.
    public static func wilson(_ share: Double, count: Double) -> ClosedRange<Double>? {
        guard count.isFinite, count >= Double(OrderInterval.fewest), (0...1).contains(share) else { return nil }
        let z = 1.959_964, square = z * z / count
        let middle = (share + square / 2) / (1 + square)
        let reach = z * (share * (1 - share) / count + square / (4 * count)).squareRoot() / (1 + square)
        // Rounding may leave the share itself out where it is an end.
        return max(0, min(share, middle - reach))...min(1, max(share, middle + reach))
    }
}
