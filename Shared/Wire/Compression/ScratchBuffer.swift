/// Memory that a codec keeps between calls; grows, never shrinks. Confined to its owner's thread.
final class ScratchBuffer {
    private(set) var bytes: UnsafeMutableRawBufferPointer

    init(capacity: Int = 0) {
        bytes = .allocate(byteCount: capacity, alignment: 16)
    }

    deinit { bytes.deallocate() }

    /// Makes room for `capacity` bytes, keeping the first `used`.
    func reserve(_ capacity: Int, keeping used: Int = 0) {
        guard capacity > bytes.count else { return }
        let larger = UnsafeMutableRawBufferPointer.allocate(
            byteCount: max(capacity, bytes.count * 2), alignment: 16)
        larger.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[..<used]))
        bytes.deallocate()
        bytes = larger
    }
}
