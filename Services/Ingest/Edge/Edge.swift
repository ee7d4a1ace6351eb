package import IngestAPI
package import IngestSupport
internal import NIOCore
package import ServiceKit

/// What all connections of the device API share. From any event loop.
package final class Edge: Sendable {
    let api: DeviceAPI
    let limits: EdgeLimits
    /// Bounds the bytes of all bodies that are being received or read.
    let budget: BodyBudget
    /// For TLS; nil: clear text.
    let certificates: TLSCertificates?
    /// Web pages of other servers that may call.
    let origins: AllowedOrigins
    let speedTests: SpeedTestBudget
    /// Latency echoes that run.
    let echoes: EchoPlaces

    package init(
        api: DeviceAPI, limits: EdgeLimits, budget: BodyBudget, certificates: TLSCertificates? = nil,
        origins: AllowedOrigins = .none, speedTests: SpeedTestBudget, echoes: EchoPlaces
    ) {
        self.speedTests = speedTests
        self.echoes = echoes
        self.origins = origins
        self.api = api
        self.limits = limits
        self.budget = budget
        self.certificates = certificates
    }
}
