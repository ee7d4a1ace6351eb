/// An amount of blocks and bytes: what may be sent, or what was.
public struct Credit: Sendable, Equatable {
    public var blocks: UInt64
    /// Sum of `Block.size`.
    public var bytes: UInt64

    public init(blocks: UInt64, bytes: UInt64) {
        self.blocks = blocks
        self.bytes = bytes
    }

    public static let none = Credit(blocks: 0, bytes: 0)
    /// 512 blocks, 16 MB.
    public static let standard = Credit(blocks: 512, bytes: 16 << 20)

    /// True if one more block of that size stays within `total`.
    func has(roomFor size: Int, in total: Credit) -> Bool {
        blocks < total.blocks && bytes + UInt64(size) <= total.bytes
    }

    mutating func add(_ size: Int) {
        blocks += 1
        bytes += UInt64(size)
    }

    mutating func remove(blocks: Int, bytes: Int) {
        self.blocks -= min(UInt64(blocks), self.blocks)
        self.bytes -= min(UInt64(bytes), self.bytes)
    }
}
