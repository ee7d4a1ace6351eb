/// Who is where among those who agreed to be shown. Pure.
///
/// Equal scores share a place, and the next place is as far behind as there are people before it: 1, 2, 2, 4.
public struct Standings: Sendable, Equatable {
    /// One who takes part.
    public struct Entry: Sendable, Equatable {
        public let subject: UInt64
        /// What others see.
        public let nickname: String
        public let score: Int64

        public init(subject: UInt64, nickname: String, score: Int64) {
            self.subject = subject
            self.nickname = nickname
            self.score = score
        }
    }

    /// One line.
    public struct Place: Sendable, Equatable {
        public let rank: Int
        public let entry: Entry
    }

    /// By rank, of one rank by nickname, then subject; those without a score are in none.
    public let places: [Place]

    public init(_ entries: some Sequence<Entry>) {
        let ordered = entries.filter { $0.score > 0 }.sorted {
            ($1.score, $0.nickname, $0.subject) < ($0.score, $1.nickname, $1.subject)
        }
        var places: [Place] = []
        for (index, entry) in ordered.enumerated() {
            let isEqual = places.last?.entry.score == entry.score
            places.append(Place(rank: isEqual ? places[index - 1].rank : index + 1, entry: entry))
        }
        self.places = places
    }
}
