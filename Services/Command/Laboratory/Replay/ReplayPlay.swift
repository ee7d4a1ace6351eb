import Models

/// One recording of a run: what it holds, who plays it, and what is kept of it.
struct ReplayPlay: Sendable {
    let survey: RecordingSurvey
    let cast: ReplayCast
    var state: ReplayState
    /// What each phone counted so far, for phones that number their rows themselves.
    private var counted: [Int64]

    init(survey: RecordingSurvey, cast: ReplayCast, state: ReplayState) {
        self.survey = survey
        self.cast = cast
        self.state = state
        counted = Array(repeating: 0, count: cast.phones.count)
    }

    /// Before a round is read from its start.
    mutating func rewind() { counted = Array(repeating: 0, count: cast.phones.count) }

    /// The times of the first and the last row in this round.
    var beginning: UnixMilliseconds { survey.first + state.roundShift }
    var end: UnixMilliseconds { survey.end + state.roundShift }

    /// The phones that send a row of a device.
    func players(of device: String) -> [Int] { survey.indices[device].map { cast.players[$0] } ?? [] }

    /// How a phone names its next row; must be asked for every row in order, sent or not.
    mutating func identify(_ row: RecordingRow, on phone: Int) -> (seq: Int64?, withID: Bool) {
        counted[phone] += 1
        let base = Int64(state.round) * cast.phones[phone].span
        switch cast.phones[phone].numbering {
        case .recorded where state.round == 0: return (row.values[ColumnID.seq], true)
        case .recorded, .recordedSeq: return ((row.values[ColumnID.seq] ?? counted[phone]) + base, false)
        case .counted: return (counted[phone] + base, false)
        }
    }
}
