/// What a maker of phones decides: who it is to the service, and what the kit may keep and take.
public struct DeviceSettings: Sendable, Equatable {
    /// For the enrolment: `android`, `ios`, …, at most 64 characters.
    public var platform: String
    public var appVersion: String
    /// Given to the person by the operator, if the service asks for one.
    public var activationCode: String?
    /// The most that is measured.
    public var sampling: SamplingPolicy
    /// Whether less is measured if the service wants less; it never makes more of it.
    public var obeysSamplingPolicy: Bool
    public var quota: DataQuota
    /// How long a record is kept that could not be sent, milliseconds: 7 days; the service takes 8.
    public var keptMilliseconds: Int64
    /// Most bytes of records that wait. Beyond them the oldest that are not urgent are dropped, and counted.
    public var queueBytes: Int
    /// Most bytes of a body as it is sent, and most records in it.
    public var uploadBytes: Int
    public var uploadRows: Int
    /// Seconds between two uploads until the service has said when it wants the next.
    public var uploadSeconds: Int64
    /// Seconds after which a question that is neither answered nor dismissed counts as ignored.
    public var promptSeconds: Int64
    /// Whether urgent records go over a WebSocket, if there is one.
    public var usesRealtime: Bool

    public init(
        platform: String, appVersion: String, activationCode: String? = nil,
        sampling: SamplingPolicy = SamplingPolicy(), quota: DataQuota = DataQuota(),
        keptMilliseconds: Int64 = 7 * 86_400_000, queueBytes: Int = 4_000_000, uploadBytes: Int = 49_000,
        uploadRows: Int = 1_000, uploadSeconds: Int64 = 900, promptSeconds: Int64 = 600, usesRealtime: Bool = true,
        obeysSamplingPolicy: Bool = true
    ) {
        self.platform = platform
        self.appVersion = appVersion
        self.activationCode = activationCode
        self.sampling = sampling
        self.quota = quota
        self.keptMilliseconds = keptMilliseconds
        self.queueBytes = queueBytes
        self.uploadBytes = uploadBytes
        self.uploadRows = uploadRows
        self.uploadSeconds = uploadSeconds
        self.promptSeconds = promptSeconds
        self.usesRealtime = usesRealtime
        self.obeysSamplingPolicy = obeysSamplingPolicy
    }
}
