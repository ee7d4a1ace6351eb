internal import AlarmRules
internal import Alarms
internal import Models

/// Decides whether a contact may have a command carried out. Pure.
struct SiteCommandCore {
    /// Why a command is not carried out.
    struct Refusal: Error, Equatable {
        let code: String
        let reason: String

        static let late = Refusal(
            code: "too_late",
            reason: "it is older than \(SiteCommand.life / 1_000) seconds and is not carried out any more")
        static let early = Refusal(code: "clock_changed", reason: "it was given in the future: the clock was set back")
        static let unknown = Refusal(code: "not_found", reason: "there is nothing of that number")
        static let noKey = Refusal(code: "no_key", reason: "the contact has no key for the door")
        static let outside = Refusal(
            code: "outside_schedule", reason: "the contact's keys do not open the door at this hour")
        static let wrongCode = Refusal(code: "wrong_code", reason: "the code is wrong, or missing")
        static let locked = Refusal(
            code: "code_locked", reason: "too many wrong codes were given for the site; none is taken for ten minutes")
        static let always = Refusal(code: "always_armed", reason: "the sensor is armed always")
        static let noAnswer = Refusal(
            code: "no_answer", reason: "the door's device did not answer within \(SiteCommand.life / 1_000) seconds")

        static func device(_ outcome: CommandResult.Outcome, _ detail: String?) -> Refusal {
            Refusal(
                code: "device_\(outcome.word)",
                reason: "the door's device says: \(outcome.word)" + (detail.map { ", \($0)" } ?? ""))
        }
    }

    /// Wrong codes of a site within ``lockTime`` after which none is taken.
    static let mostWrongCodes = 5
    static let lockTime: UnixMilliseconds = 600_000

    let command: SiteCommand
    let now: UnixMilliseconds

    /// A command lives for ten seconds from when the exporter took it, whatever became of services meanwhile.
    func checkTime() throws(Refusal) {
        if command.expiresAt <= now { throw .late }
        if command.at > now + SiteCommand.life { throw .early }
    }

    /// - Parameter keys: those of the door.
    func checkKeys(_ keys: [DoorKeyDocument], zone: LocalZone) throws(Refusal) {
        let own = keys.filter { $0.door == command.id && $0.tenant == command.tenant && $0.contact == command.contact }
        if own.isEmpty { throw .noKey }
        if !own.contains(where: { $0.opens(at: now, in: zone) }) { throw .outside }
    }

    /// - Parameter wrongCodes: that were given for the site within ``lockTime``.
    func checkCode(of site: SiteDocument, wrongCodes: Int) throws(Refusal) {
        guard let code = site.code else { return }
        if wrongCodes >= Self.mostWrongCodes { throw .locked }
        if command.code != code.digest { throw .wrongCode }
    }
}
