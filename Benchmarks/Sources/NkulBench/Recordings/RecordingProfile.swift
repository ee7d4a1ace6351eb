/// How phones send what was recorded.
struct RecordingProfile: Sendable {
    let name: String
    /// Seconds between two reports of a phone. Drives with shorter steps are dealt to several phones, each of which goes
    /// through all of them.
    let step: Int
    /// Reports of an upload.
    let uploadRows: Int
    /// Uploads on their way at once: what arrives together shares blocks.
    let connections: Int
    /// Copies of real recordings, in other towns and by other operators.
    let copies: Int

    static let mostCopies = 8

    /// - `driving`: drive tests, a report a second and an upload each 100 seconds, 120 phones side by side.
    /// - `driving_alone`: the same while nobody else sends, so that each upload is a block of its own.
    /// - `background`: a report each five minutes and an upload each quarter of an hour (`NKUL_INGEST_UPLOAD_PERIOD_SECONDS`),
    ///   300 phones side by side for two days. Between two reports of a phone much has changed.
    /// - `background_alone`: the same while nobody else sends: a block of three reports.
    static let all = [
        RecordingProfile(name: "driving", step: 1, uploadRows: 100, connections: 64, copies: mostCopies),
        RecordingProfile(name: "driving_alone", step: 1, uploadRows: 100, connections: 1, copies: 4),
        RecordingProfile(name: "background", step: 300, uploadRows: 3, connections: 256, copies: mostCopies),
        RecordingProfile(name: "background_alone", step: 300, uploadRows: 3, connections: 1, copies: 1),
    ]
}
