/// How many devices count in a rule's alarm, as everybody but a regulator's subscriber is told.
public enum DeviceBand {
    private static let begins: [Int64] = [1, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000]

    /// The lower end: 1 for fewer than 5, 5 for fewer than 10.
    public static func begin(of devices: Int64) -> Int64 { begins.last { $0 <= devices } ?? devices }
}
