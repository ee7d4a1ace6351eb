/// A question to the service that has no answer yet; numbers count all questions since the start.
struct DeviceCall: Sendable, Equatable, Hashable {
    var task: DeviceState.Task
    var number: Int
}

/// Something that happens to the kit.
enum DeviceEvent: Sendable, Equatable {
    /// The system has woken it: the time has come, or the network.
    case woke(Conditions)
    /// What was asked for was seen.
    case sampled(Sample, Conditions)
    case happened(Occurrence)
    case rated(Rating)
    /// A question went away without an answer.
    case promptGone(id: String, isDismissed: Bool)
    case consented(ConsentChoice)
    case simChosen(SIMChoice)
    /// The platform has a key; its public half, X9.63.
    case keyed([UInt8])
    case wished(PersonalRequest)
    /// What became of a wish.
    case heard(PersonalRequest, DeviceExchange, milliseconds: Int64, path: NetworkPath)
    /// The person looks at the app: what waits for its time is sent.
    case hurried
    /// An exchange is over that took so many milliseconds.
    case answered(DeviceCall, DeviceExchange, milliseconds: Int64, path: NetworkPath)
}

/// What has to be done in the world once the changes that came with it are on the disk.
enum DeviceEffect: Sendable, Equatable {
    case sample(SampleRequest)
    case send(DeviceCall, DeviceRequest)
    /// As ``send``, with the bytes of the upload as body.
    case upload(DeviceCall, UploadSlot, DeviceRequest, isMessage: Bool)
    /// The request of a wish, for whoever waits for its answer.
    case ask(DeviceRequest)
    case show(Prompt)
    case withdraw(Prompt)
    case askForConsent
    /// Nothing is to be done for so many milliseconds.
    case wake(after: Int64)
}

/// What the core wants: changes of the queue, in one transaction with its state, and then effects.
struct DeviceStep: Sendable, Equatable {
    var changes: [QueueChange] = []
    var effects: [DeviceEffect] = []
}
