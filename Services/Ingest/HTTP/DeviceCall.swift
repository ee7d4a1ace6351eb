internal import NIOCore

/// A complete request of the device API.
struct DeviceCall: Sendable {
    let head: RequestHead
    /// Whose it is; nil for calls that need no device.
    let device: DeviceIdentity?
    let body: ByteBuffer

    /// The body of a call that is small enough to be copied.
    var bytes: [UInt8] { Array(buffer: body) }
}
