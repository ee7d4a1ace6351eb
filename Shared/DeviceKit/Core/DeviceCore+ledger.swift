internal import Foundation
internal import Models
internal import QoE

/// What the kit takes of the phone.
extension DeviceCore {
    /// Today's figures.
    var ledger: DayLedger { state.days.last ?? DayLedger(day: dayNumber) }

    private var dayNumber: Int64 {
        CivilDay.number(of: wall, in: TimeZone(identifier: policy.timeZone) ?? .gmt)
    }

    /// Begins another day's figures if it is another day, also if the clock was set back.
    mutating func beginDay() {
        let day = dayNumber
        guard state.days.last?.day != day else { return }
        state.days.append(DayLedger(day: day))
        state.days.removeFirst(max(0, state.days.count - DeviceState.keptDays))
    }

    /// Changes today's figures, which ``handle(_:at:_:)`` has begun.
    mutating func today(_ change: (inout DayLedger) -> Void) {
        change(&state.days[state.days.count - 1])
    }

    /// An exchange that ends now kept the radio awake, and keeps it for its tail; what is awake anyway counts once.
    mutating func account(_ exchange: DeviceExchange, _ milliseconds: Int64, _ path: NetworkPath) {
        let tail = path == .mobile ? energy.mobileTailMilliseconds : path == .wifi ? energy.wifiTailMilliseconds : 0
        let end = now + tail
        let awake = max(0, end - max(now - max(0, milliseconds), state.radioUntil))
        state.radioUntil = max(state.radioUntil, end)
        today { day in
            day.exchanges += 1
            day.sentBytes += exchange.sentBytes
            day.receivedBytes += exchange.receivedBytes
            switch path {
            case .mobile:
                day.mobileRadioMilliseconds += awake
                day.mobileBytes += exchange.sentBytes + exchange.receivedBytes
            case .wifi: day.wifiRadioMilliseconds += awake
            case .cable, .none: break
            }
        }
    }

    /// A test took bytes, and kept the radio awake for so long at least.
    mutating func account(_ speed: SpeedReading, _ path: NetworkPath) {
        today { day in
            day.tests += 1
            day.testBytes += speed.bytes
            if path == .mobile { day.mobileTestBytes += speed.bytes }
        }
        account(DeviceExchange(response: nil, sentBytes: 0, receivedBytes: 0), 0, path)
    }
}
