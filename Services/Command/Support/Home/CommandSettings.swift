package import ArgumentParser
import Foundation
package import ServiceKit

/// The options by which every command finds its home and its settings.
package struct CommandSettings: ParsableArguments {
    @Option(name: .long, help: "The home; overrides NKUL_HOME (default ./var).")
    var home: String?

    @Option(name: .long, help: "Settings as a JSON object; the environment overrides it.")
    package var config: String?

    package init() {}

    /// The settings of the environment, the file and `--home`.
    package func load() async throws -> Settings {
        var environment = ProcessInfo.processInfo.environment
        if let home { environment["NKUL_HOME"] = home }
        return try await Settings.load(environment: environment, file: config)
    }

    /// The settings that all programs have, checked; no command's own ones.
    package func common() async throws -> CommonConfiguration {
        let settings = try await load()
        let common = try CommonConfiguration(settings)
        _ = try UpSettings(settings)
        try settings.refuseUnknownKeys(of: nil)
        return common
    }
}

extension CommonConfiguration {
    /// The services that live in the home: all that every home has and those that have begun there, where the lanes are sockets in it; where lanes go between hosts, those
    /// that have begun there. In a container that is one.
    package var services: [ServiceName] {
        let here = ServiceName.allCases.filter { FileManager.default.fileExists(atPath: home.directory(of: $0)) }
        guard laneEndpoints.values.contains(where: { !$0.hasPrefix("ipc://") }) else {
            return ServiceName.built + here.filter { !ServiceName.built.contains($0) }
        }
        return here.isEmpty ? ServiceName.built : here
    }
}
