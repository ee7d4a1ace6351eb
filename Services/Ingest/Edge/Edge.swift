internal import NIOCore
internal import ServiceKit

/// What all connections of the device API share. From any event loop.
struct Edge: Sendable {
    let api: DeviceAPI
    let limits: EdgeLimits
    /// Bounds the bytes of all bodies that are being received or read.
    let budget: BodyBudget
    /// For TLS; nil: clear text.
    var certificates: TLSCertificates?
}
