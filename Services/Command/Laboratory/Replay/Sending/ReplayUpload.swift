import Models

/// Rows of one phone that travel together.
struct ReplayUpload: Sendable, Equatable {
    /// Whose: which recording, and which of its phones.
    struct Sender: Hashable, Sendable {
        let play: Int
        let phone: Int
        let kind: RecordingKind
    }

    let sender: Sender
    /// Number of its first row in the recording, from 0.
    let firstRow: Int
    /// When it is due, by the recording's clock.
    var due: UnixMilliseconds
    /// A JSON array.
    var body: [UInt8]
    var rows: Int
    var isUrgent = false
}
