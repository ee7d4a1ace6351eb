/// The document of a record of kind `access_part`: which part of whose answer to which request the sealed bytes beside it are.
public struct AccessPartDocument: Codable, Sendable, Equatable {
    public var request: String
    /// Who holds what is in it, by the name of its program without `nkul-`.
    public var service: String
    /// From 1, without gaps.
    public var index: Int
    /// True if the service has given everything with it.
    public var isLast: Bool

    public init(request: String, service: String, index: Int, isLast: Bool) {
        self.request = request
        self.service = service
        self.index = index
        self.isLast = isLast
    }

    /// The key of the record: `<request>/<service>/00001`.
    public var key: String { Self.key(request, service, index) }

    /// The key of a part's record.
    public static func key(_ request: String, _ service: String, _ index: Int) -> String {
        let digits = String(index)
        return "\(request)/\(service)/\(String(repeating: "0", count: max(0, 5 - digits.count)))\(digits)"
    }

    /// The request that a key of a part's record begins with.
    public static func request(ofKey key: some StringProtocol) -> String {
        String(key.prefix { $0 != "/" })
    }

    enum CodingKeys: String, CodingKey {
        case request, service, index
        case isLast = "is_last"
    }
}
