internal import Models

extension ControlCall {
    /// `clock.show`, and for a clock that follows recordings `clock.set {now_ms, at_ms, speed, begin}`: from when the
    /// system's clock shows `at_ms` (default: its present time), it shows `now_ms` and runs at `speed` (default 1); only with
    /// `begin` it may go back. Both answer how the clock is then.
    static func clock(of host: ServiceHost) -> [ControlCall] {
        let show = ControlCall("clock.show") { _ in try JSONValue(encoding: ClockState(host.clock)) }
        guard let recording = host.clock.recording else { return [show] }
        let set = ControlCall("clock.set") { arguments in
            let now = host.systemClock.now()
            let time = RecordingTime(
                recordingAt: try arguments.integer("now_ms"), systemAt: try arguments.integer("at_ms", default: now),
                speed: try arguments.number("speed", default: 1, in: RecordingTime.speeds))
            try recording.set(time, isBeginning: try arguments.flag("begin"))
            return try JSONValue(encoding: ClockState(host.clock))
        }
        return [show, set]
    }
}
