package import IngestSupport
package import IngestUploads
package import NIOCore
package import ServiceKit

/// A complete request of the device API.
package struct DeviceCall: Sendable {
    package let head: RequestHead
    /// Whose it is; nil for calls that need no device.
    let device: DeviceIdentity?
    /// Where it comes from, for the limits and records of those who are not believed.
    let address: ClientAddress
    package let body: ByteBuffer
    /// The erasure that a token of an erased device may still ask for.
    package var erasedBy: String?
    /// Of a device that was found by its upload key: the hash of its token.
    package var keyedToken: TokenHash?

    package init(
        head: RequestHead, device: DeviceIdentity?, address: ClientAddress = .none, body: ByteBuffer,
        erasedBy: String? = nil
    ) {
        self.head = head
        self.device = device
        self.address = address
        self.body = body
        self.erasedBy = erasedBy
    }

    /// The body of a call that is small enough to be copied.
    var bytes: [UInt8] { Array(buffer: body) }
}
