/// How much devices and strangers may send.
package struct AdmissionLimits: Sendable {
    /// Calls, WebSocket messages included, and rows of a device.
    var calls = BucketRate(perMinute: 600, burst: 1_200)
    var rows = BucketRate(perMinute: 1_200, burst: 20_000)
    /// Calls of an address that does not say who it is; a failure counts as ``Admission/costOfAFailure``.
    var strangers = BucketRate(perMinute: 600, burst: 1_200)
    /// Connections of an address that have not shown yet whose they are; 0: any number.
    var strangerConnections = 2_000
    /// Devices and addresses that are limited at the same time.
    var devices = 131_072
    var addresses = 65_536
    /// Whether addresses of this machine are limited, too: they are a proxy's, or of somebody who tests.
    var limitsLoopback = false
}
