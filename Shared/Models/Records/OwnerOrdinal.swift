/// Numbers of those whom data belong to: devices and members, a person over several devices.
///
/// Rows, blocks, statistics, consents, rewards and erasures name their owner by such a number, in 32 bits where sets of owners are
/// kept. No service knows members yet, but none of these formats has to change for them.
public enum OwnerOrdinal {
    /// Given out in ascending order and never again.
    public static let devices: ClosedRange<UInt64> = 1...0x7fff_ffff
    /// Reserved for members.
    public static let members: ClosedRange<UInt64> = 0x8000_0000...0xffff_ffff
}
