package import ArgumentParser
import CommandSupport
import Foundation
import Lanes
import ServiceKit
import Storage

/// `nkul lane-keys`: makes the CURVE keys of lanes over `tcp://`.
package struct LaneKeysCommand: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "lane-keys", abstract: "Makes the keys of lanes over tcp://, once for all hosts.",
        discussion: """
            Four files in NKUL_LANE_KEYS (default: keys/ of the home); those that are there stay. Services never make them: \
            copy the files to every host, readable by the services' user alone. A host that only reads lanes does without \
            lanes.server.key, one that only writes without lanes.client.key.
            """)

    @OptionGroup var options: CommandSettings

    package init() {}

    package func run() async throws {
        let common = try await options.common()
        if common.laneKeys == common.home.keys { try common.home.prepare() }
        let store = try KeyStore(directory: common.laneKeys)
        try LaneKeys.make(in: store)
        for name in try FileManager.default.contentsOfDirectory(atPath: store.directory).sorted()
        where name.hasPrefix("lanes.") {
            print(store.path(name))
        }
    }
}
