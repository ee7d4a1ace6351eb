/// Generation of a network, the grain of statistics; the raw value is what columns store.
public enum Technology: Int64, Sendable, CaseIterable {
    case unknown = 0, g2, g3, g4, g5, wifi, ethernet, none

    /// Name in queries and dumps: `2G` … `5G`, `WIFI`, `ETHERNET`, `NONE`, `UNKNOWN`.
    public var name: String {
        switch self {
        case .unknown: "UNKNOWN"
        case .g2: "2G"
        case .g3: "3G"
        case .g4: "4G"
        case .g5: "5G"
        case .wifi: "WIFI"
        case .ethernet: "ETHERNET"
        case .none: "NONE"
        }
    }

    /// The technology of that name, in any case.
    public init?(name: String) {
        guard let match = Self.allCases.first(where: { $0.name == name.uppercased() }) else { return nil }
        self = match
    }
}
