import Foundation
import Models
import ServiceKit

/// What is kept of a recording in a home, so that playing it again adds nothing: `<home>/replay/<sha256>.json`, mode 0600.
struct ReplayState: Codable, Sendable, Equatable {
    /// Of the recording's bytes.
    let recording: String
    /// Milliseconds added to every time of round 0: the recording's end is the moment it was first played.
    let shift: UnixMilliseconds
    /// Round of `--loop`, from 0.
    var round = 0
    /// Shift of that round.
    var roundShift: UnixMilliseconds
    /// Rows of that round that need not be sent again.
    var position = 0
    var isFinished = false
    /// Phone → token.
    var tokens: [String: String] = [:]

    enum CodingKeys: String, CodingKey {
        case recording = "recording_sha256"
        case shift = "shift_ms"
        case round
        case roundShift = "round_shift_ms"
        case position = "rows_done"
        case isFinished = "finished"
        case tokens
    }

    /// A recording that ends now.
    init(_ survey: RecordingSurvey, now: UnixMilliseconds) {
        recording = survey.sha256
        shift = now - survey.end
        roundShift = shift
    }

    /// Where the next run begins: where the last one was interrupted, else at the start.
    mutating func begin(isLooping: Bool, end: UnixMilliseconds, now: UnixMilliseconds) {
        if isFinished, isLooping { return nextRound(end: end, now: now) }
        guard isFinished || round > 0 && !isLooping else { return }
        round = 0
        roundShift = shift
        position = 0
        isFinished = false
    }

    /// The same rows again as new ones, with their end at `now`.
    mutating func nextRound(end: UnixMilliseconds, now: UnixMilliseconds) {
        round += 1
        roundShift = now - end
        position = 0
        isFinished = false
    }

    static func path(_ recording: String, in home: Home) -> String { "\(home.replay)/\(recording).json" }

    /// The state that is kept, or nil.
    ///
    /// - Throws: ``ServiceError`` naming the file if it cannot be read.
    static func load(_ recording: String, in home: Home) throws -> ReplayState? {
        let path = path(recording, in: home)
        guard let data = FileManager.default.contents(atPath: path) else {
            guard FileManager.default.fileExists(atPath: path) else { return nil }
            throw ServiceError(.home, "cannot read \(path)")
        }
        do { return try JSONDecoder().decode(ReplayState.self, from: data) } catch {
            throw ServiceError(
                .home, "\(path) is damaged; without it the recording would be sent again as new: \(error)")
        }
    }

    /// Puts it in the place of what was kept.
    ///
    /// - Throws: ``ServiceError`` naming the file.
    func save(in home: Home) throws {
        do {
            try FileManager.default.createDirectory(
                atPath: home.replay, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw ServiceError(.home, "cannot make \(home.replay): \(error.localizedDescription)")
        }
        try SmallFile.replace(Self.path(recording, in: home), with: SortedJSON.text(of: self))
    }
}
