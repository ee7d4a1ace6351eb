package import IngestUploads
internal import Models
package import ServiceKit

/// Decides who may send how much: token buckets of devices, and of addresses for whoever has not said who they are.
///
/// A device is limited by its token, never by its address, behind which may be a whole city. Memory is fixed
/// (``BucketTable``); from any thread, no lock but for a failure's record.
package final class Admission: Sendable {
    /// Who failed to authenticate, waiting to be written.
    package let failures = FailedAuthentications()
    private let calls: BucketTable
    private let rows: BucketTable
    private let strangers: BucketTable
    private let connections: StrangerConnections
    private let limitsLoopback: Bool
    private let pace: UploadPace
    private let load: LoadGauge
    private let clock: WallClock

    /// Tokens of a stranger's bucket that a failure takes, where a call takes one.
    static let costOfAFailure = 10

    /// - Parameters:
    ///   - uploadRows: most rows of an upload.
    ///   - load: how full ingest is, for ``nextUpload(of:)``.
    ///   - seed: random.
    package init(
        _ limits: AdmissionLimits, uploadRows: Int, pace: UploadPace, load: LoadGauge, clock: WallClock, seed: UInt64
    ) {
        self.pace = pace
        self.load = load
        calls = BucketTable(limits.calls, slots: limits.devices)
        rows = BucketTable(limits.rows, slots: limits.devices, largest: uploadRows)
        strangers = BucketTable(limits.strangers, slots: limits.addresses, largest: Self.costOfAFailure, seed: seed)
        connections = StrangerConnections(
            limit: limits.strangerConnections, places: limits.addresses, seed: SplitMix64.mixed(seed))
        limitsLoopback = limits.limitsLoopback
        self.clock = clock
    }

    /// Takes a call of a device, or says why not.
    package func refusesCall(of device: UInt64) -> DeviceAPIError? {
        Self.problem(calls.take(of: device, now: clock.now()))
    }

    /// Whether a device may send rows at all at the moment: spares the reading of what would be refused.
    package func refusesRows(of device: UInt64) -> DeviceAPIError? {
        Self.problem(rows.wait(of: device, now: clock.now()))
    }

    /// Takes the rows of an upload that was read, or says why not.
    package func refuses(rows count: Int, of device: UInt64) -> DeviceAPIError? {
        Self.problem(rows.take(count, of: device, now: clock.now()))
    }

    /// Gives back the rows of an upload that the service could not take.
    package func giveBack(rows count: Int, of device: UInt64) { rows.giveBack(count, of: device, now: clock.now()) }

    /// Admits a connection, of which nobody knows yet whose it is.
    ///
    /// - Parameter stranger: set if it counts as one of its address's: to be told when that is known, or it has ended.
    /// - Returns: false if its address has as many of these as it may.
    package func admitsConnection(from address: ClientAddress, _ stranger: inout StrangerConnection?) -> Bool {
        guard isLimited(address) else { return true }
        guard connections.enter(address.line) else { return false }
        stranger = StrangerConnection(connections, address.line)
        return true
    }

    /// Takes a call of somebody who does not say who they are, or says why not.
    package func refusesStranger(_ address: ClientAddress) -> DeviceAPIError? {
        isLimited(address) ? Self.problem(strangers.take(of: address.line, now: clock.now())) : nil
    }

    /// Records a failed authentication and says what is answered: `problem`, or 429 if that address failed too often.
    ///
    /// A token that is known is not refused because of neighbours who guess: the look-up comes first.
    package func failed(_ reason: AuthenticationFailure, from address: ClientAddress, else problem: DeviceAPIError)
        -> DeviceAPIError
    {
        let now = clock.now()
        failures.record(reason.rawValue, from: address, now: now)
        guard isLimited(address) else { return problem }
        return Self.problem(strangers.take(Self.costOfAFailure, of: address.line, now: now)) ?? problem
    }

    /// Seconds until a device should upload again.
    package func nextUpload(of device: UInt64) -> Int { pace.seconds(of: device, load: load.load, now: clock.now()) }

    private func isLimited(_ address: ClientAddress) -> Bool {
        address != .none && (limitsLoopback || !address.isLoopback)
    }

    private static func problem(_ wait: Int64) -> DeviceAPIError? {
        wait == 0 ? nil : DeviceAPIError(.rateLimited, retryAfter: Int((wait + 999) / 1_000))
    }
}

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

/// Why a device or a stranger was not believed, as it is recorded (`FailedAuthentication`).
package enum AuthenticationFailure: String, Sendable {
    /// No `Authorization` where one is needed.
    case noToken = "no_token"
    /// An `Authorization` that is no Bearer token.
    case notBearer = "not_bearer"
    /// A Bearer token that nobody has.
    case unknownToken = "unknown_token"
    /// An activation code that does not exist, or can no longer be used.
    case badCode = "bad_code"
    /// A call to a provider's path without the provider's secret.
    case badCallback = "bad_callback"
    /// A call that needs a signature came without one.
    case noSignature = "no_signature"
    /// A signature that is not that of the device's key.
    case badSignature = "bad_signature"
    /// A signature that is too old or was used before.
    case oldSignature = "old_signature"
}
