internal import NIOCore
internal import ServiceKit

/// A complete request of the device API.
struct DeviceCall: Sendable {
    let head: RequestHead
    /// Whose it is; nil for calls that need no device.
    let device: DeviceIdentity?
    /// Where it comes from, for the limits and records of those who are not believed.
    var address = ClientAddress.none
    let body: ByteBuffer
    /// The erasure that a token of an erased device may still ask for.
    var erasedBy: String?

    /// The body of a call that is small enough to be copied.
    var bytes: [UInt8] { Array(buffer: body) }
}
