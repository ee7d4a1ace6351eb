package import ArgumentParser
import CommandSupport
import Foundation
import Models
import NIOCore
import NkulDevice
import ServiceKit
import Synchronization

/// `nkul phone`: the device kit as a program.
package struct PhoneCommand: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "phone", abstract: "Is a phone: measures, keeps, sends and asks, by the device kit.",
        discussion: """
            The kit of Shared/DeviceKit with a simulated radio: somebody carries it through a town of Cameroon \
            (docs/simulation.md). It enrols with the device API, keeps what it records in an encrypted store, and sends it when the \
            service wants it. It may be killed at any moment: started again it goes on, and each record counts once.

            The store is NKUL_HOME/phone/store.sqlite unless --store names another; beside it lie its keys, which a real phone's \
            key store would keep. One process at a time may use it. Without --samples the phone lives until Ctrl-C; with it the \
            command ends when that many records were made, by this run and those before it, and all of them are with the service.
            """)

    @Option(name: .long, help: "The store (default: NKUL_HOME/phone/store.sqlite).") var store: String?

    @Option(
        name: .long, help: "The device API, http:// or https:// (default: ingest of this home, by TLS if it has it).")
    var url: String?

    @Option(name: .long, help: "Over https, PEM file of those whose certificates are trusted (default: the system's).")
    var ca: String?

    @Option(name: .long, help: "Other seed, other person.") var seed: UInt64 = 1

    @Option(name: .long, help: "Seconds between two samples (default: 300 on the way, 900 at rest).")
    var every: Double?

    @Option(name: .long, help: "End when so many records were made and none is unsent.") var samples: Int?

    @Option(name: .long, help: "Times as fast as the clock the person lives.") var speed: Double = 1

    @Option(name: .long, help: "Activation code for the enrolment.") var code: String?

    @Flag(name: .long, help: "The person never is without a network.") var online = false

    @Flag(name: .long, help: "Samples only: nothing befalls the person, who is asked nothing.") var quiet = false

    @Option(name: .long, help: "At the end fetch a copy of everything the services hold of this phone, as NDJSON.")
    var copy: String?

    @Flag(name: .long, help: "At the end have everything erased; the phone then is silent for good.") var erase = false

    @Flag(name: .long, help: "Print what each day took of battery and data plan, by a stated model.") var battery =
        false

    @Flag(name: .long, help: "Figures as one line of JSON.") var json = false

    @OptionGroup var options: CommandSettings

    package init() {}

    package func validate() throws {
        guard (1...100_000_000).contains(samples ?? 1) else { throw ValidationError("--samples: expected 1…100000000") }
        guard (0.001...86_400).contains(every ?? 1) else {
            throw ValidationError("--every: expected 0.001…86400 seconds")
        }
        guard speed > 0, speed <= 100_000 else {
            throw ValidationError("--speed \(speed): expected above 0, up to 100000")
        }
    }

    package func run() async throws {
        let common = try await options.common()
        let store = try PhoneStore(path: self.store ?? common.home.path + "/phone/store.sqlite")
        let target = try await ReplayTarget.named(url, options, common)
        let security = try target.security(authorities: ca)
        let pool = try LoadPool(
            host: target.address.host, port: target.address.port, connections: 2, timeout: .seconds(30),
            security: security)
        let socket = PhoneSocket(target, security: security)
        let refusal = Mutex<String?>(nil)
        let transport = PhoneTransport(target: target, pool: pool, socket: socket) { cause in
            refusal.withLock { $0 = cause }
        }
        let end = try await RunningPhone(self, store, transport).run { refusal.withLock { $0 } }
        await socket.shutdown()
        await pool.shutdown()
        let summary = PhoneSummary(end.standing, interrupted: end.isInterrupted && samples != nil)
        print(json ? summary.json : summary.text(battery: battery))
        if let cause = refusal.withLock({ $0 }) { throw ServiceError(.failed, cause) }
        if summary.interrupted { throw ExitCode(1) }
    }

    /// What a maker of phones would decide.
    var settings: DeviceSettings {
        var settings = DeviceSettings(platform: "linux", appVersion: Version.text, activationCode: code)
        if let every {
            settings.sampling.movingMilliseconds = max(1, Int64(every * 1_000))
            settings.sampling.stillMilliseconds = settings.sampling.movingMilliseconds
            settings.obeysSamplingPolicy = false
            settings.uploadSeconds = min(settings.uploadSeconds, max(1, Int64(every * 3)))
        }
        return settings
    }
}
