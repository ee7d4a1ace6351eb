public import Models

/// Why a reader was not detached.
public enum ReaderRefusal: Error, Sendable, Equatable, CustomStringConvertible {
    case notWritten(lane: LaneName, written: [LaneName])
    case unknown(reader: String, lane: LaneName, known: [String])
    case required(ReaderStanding)

    public var description: String {
        switch self {
        case .notWritten(let lane, let written):
            "lane \(lane.rawValue) is not written here; \(Self.list(written.map(\.rawValue), none: "no lane")) is"
        case .unknown(let reader, let lane, let known):
            "lane \(lane.rawValue) has no reader \"\(reader)\"; it has \(Self.list(known, none: "none"))"
        case .required(let standing):
            "\(standing.reader) is a required reader of \(standing.lane.rawValue), \(standing.behind) blocks behind:"
                + " without it, blocks that it has not read are trimmed after their time and will be missing for good in"
                + " what it makes of them; say --force to detach it all the same"
        }
    }

    private static func list(_ names: [String], none: String) -> String {
        names.isEmpty ? none : names.joined(separator: ", ")
    }
}
