/// That records of a device count in an alarm.
public struct ReferenceContribution: Sendable, Hashable {
    public let alarm: ReferenceAlarm
    public let device: Int

    public init(alarm: ReferenceAlarm, device: Int) {
        self.alarm = alarm
        self.device = device
    }
}
