import Models

/// Whatever writes rows of its own accord, in the order of its clock.
enum SimulatedActor {
    case phone(SimulatedPhone)
    case farm(FarmPhone)

    /// When its next rows begin, by its own clock; nil when there are none before the end.
    func nextTime(before end: UnixMilliseconds) -> UnixMilliseconds? {
        switch self {
        case .phone(let phone): phone.moment < end ? phone.capturedAt : nil
        case .farm(let farm): farm.moment < end && farm.isOpen ? farm.moment : nil
        }
    }

    mutating func next(_ world: SimulatedWorld) -> [RecordingRow] {
        switch self {
        case .phone(var phone):
            let rows = phone.next(world)
            self = .phone(phone)
            return rows
        case .farm(var farm):
            let rows = farm.next()
            self = .farm(farm)
            return rows
        }
    }
}
