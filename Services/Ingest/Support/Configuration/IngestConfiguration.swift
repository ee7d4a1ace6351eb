package import Channels
public import IngestUploads
public import Models
public import ServiceKit

/// Every setting of ingest.
public struct IngestConfiguration: ServiceConfiguration {
    public let common: CommonConfiguration
    /// `NKUL_INGEST_HTTP`: where phones send to.
    public let http: HostPort
    /// `NKUL_INGEST_LINGER_MS`: how long ordinary rows wait for company before a commit.
    public let linger: Duration
    /// `NKUL_INGEST_BODY_BYTES`: most bytes of a request's body as it is sent.
    public let bodyBytes: Int
    /// `NKUL_INGEST_INFLATED_BYTES`: most bytes of a body after inflating.
    public let inflatedBytes: Int
    /// `NKUL_INGEST_GEOSUBMIT_BYTES`: most bytes of a body of Geosubmit after inflating.
    package let geosubmitBytes: Int
    /// `NKUL_INGEST_UPLOAD_ROWS`: most records of an upload.
    public let uploadRows: Int
    /// `NKUL_INGEST_QUEUE_ROWS`, `NKUL_INGEST_QUEUE_BYTES`: what may wait for a commit.
    public let queueRows: Int
    public let queueBytes: Int
    /// `NKUL_INGEST_RECEIVING_BYTES`: bytes of all bodies that are being received.
    public let receivingBytes: Int
    /// `NKUL_INGEST_CACHED_DEVICES`: devices whose token need not be looked up in the database.
    public let cachedDevices: Int
    /// `NKUL_INGEST_LOOKUPS`: look-ups of other tokens that may wait for the database.
    public let lookUps: Int
    /// `NKUL_INGEST_COPIES_GATHER_MS`: least time between two commits of what is copied from other services' lanes,
    /// unless no block has come for 0.1 s.
    public let copiesGather: Duration
    /// `NKUL_INGEST_ACTIVATION`: what activation codes mean.
    public let activation: ActivationPolicy
    /// `NKUL_INGEST_ERASURE_DAYS`: milliseconds in which an erasure must be completed.
    package let erasureDeadline: UnixMilliseconds
    /// `NKUL_INGEST_DATA_CONTACT`: whom a subscriber may ask about a copy of the data; nil if none is set.
    package let dataContact: String?
    /// `NKUL_INGEST_OPERATORS`: whose numbers rewards may be paid to.
    public let operators: OperatorTable
    /// `NKUL_INGEST_DC09`: where alarm panels connect; nil: nowhere.
    package let panels: HostPort?
    /// `NKUL_INGEST_DC09_UDP`: where they send datagrams to; nil: nowhere.
    package let panelDatagrams: HostPort?
    /// `NKUL_INGEST_DC09_KEYS`: file with the keys of panels that encrypt; nil: none does.
    package let panelKeys: String?
    /// `NKUL_INGEST_POLICY`: directory with the privacy policy; nil: the one that comes with the program.
    package let policy: String?
    /// `NKUL_INGEST_SAMPLING`: file with the sampling policy; nil: the built-in one.
    package let sampling: String?
    /// `NKUL_INGEST_PASSKEYS`: where people open the app, for which they may make passkeys; nil: none are made.
    package let passkeys: PasskeyOrigin?
    /// `NKUL_INGEST_ORIGINS`: web pages of other servers that may call.
    package let origins: AllowedOrigins
    /// `NKUL_NOTIFIER`: whether there is a notifier, which asks subscribers by Web Push.
    package let hasNotifier: Bool
    /// `NKUL_NOTIFIER_ALLOW_PRIVATE`: where push services may be besides the internet.
    package let pushAddresses: AddressPolicy
    /// `NKUL_INGEST_PUSH_PER_MINUTE`: questions of all devices in a minute.
    package let pushPerMinute: Int
    /// What may be sent by whom, how fast and in which time.
    public let limits: IngestLimits

    public init(_ settings: Settings) throws {
        common = try CommonConfiguration(settings)
        http = try common.httpAddress(
            settings, "NKUL_INGEST_HTTP", default: "127.0.0.1:8080", "where phones send to")
        linger = try settings.value(
            .milliseconds(
                "NKUL_INGEST_LINGER_MS", default: 2, in: 0...1_000,
                "how long ordinary rows wait for company before a commit"))
        bodyBytes = try settings.value(
            .integer(
                "NKUL_INGEST_BODY_BYTES", default: 1_000_000, in: 1_000...16_000_000, unit: "bytes",
                "most bytes of a body as it is sent"))
        inflatedBytes = try settings.value(
            .integer(
                "NKUL_INGEST_INFLATED_BYTES", default: 4_000_000, in: 1_000...64_000_000, unit: "bytes",
                "most bytes of a body after inflating"))
        geosubmitBytes = try settings.value(
            .integer(
                "NKUL_INGEST_GEOSUBMIT_BYTES", default: 16_000_000, in: 1_000...64_000_000, unit: "bytes",
                "most bytes of a body of Geosubmit after inflating, access points included; few are in memory at a time"
            ))
        uploadRows = try settings.value(
            .integer(
                "NKUL_INGEST_UPLOAD_ROWS", default: 10_000, in: 1...100_000, unit: "records",
                "most records of an upload"))
        queueRows = try settings.value(
            .integer(
                "NKUL_INGEST_QUEUE_ROWS", default: 65_536, in: 1...1_000_000, unit: "rows",
                "rows that may wait for a commit; more get 503"))
        queueBytes = try settings.value(
            .integer(
                "NKUL_INGEST_QUEUE_BYTES", default: 32_000_000, in: 1_000...1_000_000_000, unit: "bytes",
                "bytes that may wait for a commit; more get 503"))
        receivingBytes = try settings.value(
            .integer(
                "NKUL_INGEST_RECEIVING_BYTES", default: 32_000_000, in: 1_000...1_000_000_000, unit: "bytes",
                "bytes of bodies that may be in reception; more get 503"))
        cachedDevices = try settings.value(
            .integer(
                "NKUL_INGEST_CACHED_DEVICES", default: 131_072, in: 1...10_000_000, unit: "devices",
                "devices whose token is known without asking the database"))
        lookUps = try settings.value(
            .integer(
                "NKUL_INGEST_LOOKUPS", default: 1_024, in: 1...1_000_000, unit: "requests",
                "requests that may wait while their token is looked for in the database; more get 503"))
        copiesGather = try settings.value(
            .milliseconds(
                "NKUL_INGEST_COPIES_GATHER_MS", default: 500, in: 0...60_000,
                "least time between two commits of rewards and documents read from lanes, unless none has come for 0.1 s"
            ))
        activation = try settings.value(
            Setting(
                "NKUL_INGEST_ACTIVATION", default: "optional", range: "off, optional, required",
                "whether phones enrol with activation codes: not at all, if they have one, only so"
            ) { ActivationPolicy(rawValue: $0) })
        let days = try settings.value(
            .integer(
                "NKUL_INGEST_ERASURE_DAYS", default: 30, in: 1...365, unit: "days",
                "in which an erasure must be completed; one that is late is told of"))
        erasureDeadline = Int64(days) * 86_400_000
        dataContact = try settings.value(
            .optionalText(
                "NKUL_INGEST_DATA_CONTACT",
                "whom subscribers ask about copies of their data: a name, an address, a number"))
        operators = try settings.value(
            Setting(
                "NKUL_INGEST_OPERATORS", default: OperatorTable.cameroon,
                range: "PLMN name +number…, … with a point for any digit of a number",
                "operators to whose numbers rewards may be paid; other numbers and operators are refused"
            ) { OperatorTable(text: $0) })
        func panels(_ key: String, _ summary: String) throws -> HostPort? {
            try settings.value(
                Setting<HostPort?>(key, default: "", range: "host:port", summary) {
                    $0.isEmpty ? .some(nil) : HostPort($0).map { .some($0) }
                })
        }
        self.panels = try panels("NKUL_INGEST_DC09", "where alarm panels connect (SIA DC-09 over TCP)")
        panelDatagrams = try panels("NKUL_INGEST_DC09_UDP", "where alarm panels send to (SIA DC-09 over UDP)")
        panelKeys = try settings.value(
            .optionalText("NKUL_INGEST_DC09_KEYS", "file with the keys of alarm panels that encrypt"))
        guard panelKeys == nil || self.panels != nil || panelDatagrams != nil else {
            throw ServiceError(
                .usage,
                "NKUL_INGEST_DC09_KEYS: is set, and neither NKUL_INGEST_DC09 nor NKUL_INGEST_DC09_UDP is: set where alarm panels connect, too"
            )
        }
        policy = try settings.value(
            .optionalText(
                "NKUL_INGEST_POLICY",
                "directory with en.txt and fr.txt, the privacy policy that subscribers agree to; a draft comes with the program"
            ))
        sampling = try settings.value(
            .optionalText(
                "NKUL_INGEST_SAMPLING",
                "file with how often phones measure, by motion and battery, and what their tests may take"))
        passkeys = try settings.value(
            Setting<PasskeyOrigin?>(
                "NKUL_INGEST_PASSKEYS", default: "", range: "https://name[:port], or http://localhost[:port]",
                "where people open the subscribers' app, if they may have a passkey asked for before a copy or an erasure"
            ) { $0.isEmpty ? .some(nil) : PasskeyOrigin(text: $0).map { .some($0) } })
        origins = try settings.value(
            Setting(
                "NKUL_INGEST_ORIGINS", default: "", range: "https://host[:port], …",
                "web pages of other servers that may call the device API from a browser (CORS); none unless they are named"
            ) { AllowedOrigins(text: $0) })
        hasNotifier = try settings.value(.notifier)
        pushAddresses = try settings.value(.allowedNetworks)
        pushPerMinute = try settings.value(
            .integer(
                "NKUL_INGEST_PUSH_PER_MINUTE", default: 600, in: 0...60_000, unit: "questions",
                "questions by Web Push to all subscribers in a minute; further ones are not asked and counted"))
        limits = try IngestLimits(settings)
    }
}
