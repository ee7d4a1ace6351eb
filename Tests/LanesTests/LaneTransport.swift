import Lanes
import Storage
import TemporaryFiles

/// By what the lanes of a test go.
enum LaneTransport: String, CaseIterable, Sendable {
    /// A path of this machine.
    case ipc
    /// TCP with CURVE, as between machines.
    case tcp

    /// Where a lane can be offered; the port of TCP is the system's to choose.
    func address(in directory: TemporaryDirectory) -> String {
        switch self {
        case .ipc: "ipc://\(directory.path("batch.sock"))"
        case .tcp: "tcp://127.0.0.1:*"
        }
    }
}
