extension RecordKind {
    /// Where a device stands among those who agreed to be shown, on the `rewards` lane: ``StandingDocument``, keyed by the device's
    /// ordinal. Without document: it is not shown any more.
    public static let standing = RecordKind(
        id: 36, name: "standing", version: 1, fields: [],
        serverFields: [
            Field(ColumnID.key, "key", .text(maximumCharacters: 32)),
            Field(ColumnID.device, "device", .number(scale: 1)),
            Field(ColumnID.document, "document", .text(maximumCharacters: .max)),
        ])

    /// Under which name a device is shown in standings from now on, on the `requests` lane: ``NicknameDocument``.
    public static let nickname = RecordKind(
        id: 37, name: "nickname", version: 1, fields: [],
        serverFields: [
            Field(ColumnID.device, "device", .number(scale: 1)),
            Field(ColumnID.receivedAt, "received_at_ms", .instant, unit: "Unix ms", delta: true),
            Field(ColumnID.document, "document", .text(maximumCharacters: .max)),
        ])
}

/// The document of a record of kind `nickname`.
public struct NicknameDocument: Codable, Sendable, Equatable {
    /// Nil: it was withdrawn, and the device is in no standing any more.
    public var nickname: String?

    public init(nickname: String?) { self.nickname = nickname }

    /// True for 2 to 24 letters, digits, blanks, `-`, `_` and `.` that begin and end with a letter or digit, and in which no more than
    /// six digits follow each other: nobody is shown by a phone number.
    public static func isNickname(_ text: String) -> Bool {
        func isWord(_ character: Character?) -> Bool { character.map { $0.isLetter || $0.isWholeNumber } ?? false }
        let allowed = text.allSatisfy { isWord($0) || " -_.".contains($0) }
        var digits = 0
        for character in text where character.isLetter || character.isWholeNumber {
            digits = character.isWholeNumber ? digits + 1 : 0
            if digits > 6 { return false }
        }
        return (2...24).contains(text.count) && text.utf8.count <= 96 && allowed && isWord(text.first)
            && isWord(text.last)
    }
}

/// The document of a record of kind `standing`: the device's own places only, so that what is told of others says nothing of it.
/// Days are counted from 1970.
public struct StandingDocument: Codable, Sendable, Equatable {
    /// Its place among those who did something of a measure in a period.
    public struct Place: Codable, Sendable, Equatable {
        public var measure: String
        /// `week` or `month`.
        public var period: String
        /// First and last day of the period.
        public var from: Int64
        public var until: Int64
        /// From 1; who did as much has the same.
        public var rank: Int64
        /// How many are in it.
        public var count: Int64
        public var score: Int64

        public init(
            measure: String, period: String, from: Int64, until: Int64, rank: Int64, count: Int64, score: Int64
        ) {
            self.measure = measure
            self.period = period
            self.from = from
            self.until = until
            self.rank = rank
            self.count = count
            self.score = score
        }
    }

    /// The device's ordinal.
    public var device: UInt64
    public var nickname: String
    /// By measure, then period.
    public var places: [Place]

    public init(device: UInt64, nickname: String, places: [Place]) {
        self.device = device
        self.nickname = nickname
        self.places = places
    }
}
