import Foundation
package import ServiceKit

extension CommonConfiguration {
    /// The services that live in the home: all of them, where the lanes are sockets in it; where lanes go between hosts, those
    /// that have begun there. In a container that is one.
    package var services: [ServiceName] {
        guard laneEndpoints.values.contains(where: { !$0.hasPrefix("ipc://") }) else { return ServiceName.built }
        let here = ServiceName.built.filter { FileManager.default.fileExists(atPath: home.directory(of: $0)) }
        return here.isEmpty ? ServiceName.built : here
    }
}
