internal import Models
internal import QoE

/// What the kit knows from one start to the next. Kept as sealed JSON in the transaction of every event.
struct DeviceState: Codable, Sendable, Equatable {
    /// Why the kit does nothing any more.
    enum End: String, Codable, Sendable {
        /// The person had everything erased.
        case erased
    }

    /// A prompt that was shown, as the policy wants to know it.
    struct ShownPrompt: Codable, Sendable, Equatable {
        var at: UnixMilliseconds
        var rule: Int64
        var outcome: Int64?

        var past: PastPrompt? {
            PromptRule(rawValue: rule).map {
                PastPrompt(shownAt: at, rule: $0, outcome: outcome.flatMap(PromptOutcome.init))
            }
        }
    }

    /// A question before the person's eyes.
    struct OpenPrompt: Codable, Sendable, Equatable {
        var prompt: Prompt
        /// Steady milliseconds after which it counts as ignored.
        var until: Int64
        var mcc: Int64?
        var mnc: Int64?
    }

    /// Something that is asked of the service, other than uploads.
    enum Task: String, Codable, CodingKeyRepresentable, Sendable, CaseIterable {
        case enrolment, consent, policy, sampling, urgent, bulk
    }

    var end: End?
    var clock = SteadyClock()
    var token: String?
    /// That of the device that was erased: it reads how its erasure stands, and nothing else.
    var erasedToken: String?
    /// The public half of the phone's key, base64; nil: it has none.
    var publicKey: String?
    /// When the newest signature was made, Unix seconds.
    var signedAt: Int64?
    /// Seconds to be added to steady time for the service's clock, once the service has found the phone's wrong.
    var signatureShift: Int64?
    var deviceID: String?
    /// Nil: nobody was asked yet.
    var consent: ConsentChoice?
    /// Rises with each change of the consent; the service knows of `heardConsent`.
    var consentVersion = 0
    var heardConsent = 0
    /// The service says that measurement is not allowed, and the person was asked.
    var hasAskedForConsent = false
    /// The person allows measurement again, and the service, which refuses what is captured before it knows, was not told yet.
    var awaitsService = false
    var simChoice = SIMChoice.automatic

    /// Steady milliseconds.
    var nextSample: Int64 = 0
    var nextTest: Int64 = 0
    var nextBulk: Int64?
    var nextPolicy: Int64 = 0
    /// Nothing is sent before: the service has said so.
    var notBefore: Int64 = 0
    var retries: [Task: RetryPause] = [:]
    /// A message over the WebSocket had no receipt: the next try is a request.
    var avoidsRealtime = false
    /// An upload was too large for the service: so many records at most from now on.
    var mostRows: Int?

    /// Of what ``SlowState`` has; empty: the service told none; nil: it was not asked.
    var policyTag: String?
    var samplingTag: String?
    var nextSampling: Int64?
    /// PLMNs of the SIM cards, sorted; nil: none was seen yet.
    var networks: [String]?
    var openPrompt: OpenPrompt?
    /// Wall-clock times of dropped calls.
    var callDrops: [UnixMilliseconds] = []

    /// The last days, today at the end.
    var days: [DayLedger] = []
    /// Until when the radio is awake for the kit, steady milliseconds.
    var radioUntil: Int64 = 0

    /// Days, prompts and drops that are kept.
    static let keptDays = 8
    static let keptPrompts = 200
    static let keptDrops = 20
}

/// What the kit knows that changes a few times a day at most: it has a row of its own, so that an ordinary event does not write it
/// again.
struct SlowState: Codable, Sendable, Equatable {
    /// The prompt policy as the service told it, with medians.
    var policy: PhonePolicy?
    /// How often the service wants to be told.
    var sampling: SamplingRules?
    /// Prompts that were shown, the newest at the end.
    var prompts: [DeviceState.ShownPrompt] = []
}
