internal import IngestSupport
public import IngestUploads
internal import Models

/// The name under which a subscriber is shown in standings, in place of the one before; nil: to be shown no more.
public struct NicknameChange: Sendable, Equatable {
    /// The device's ordinal.
    let device: UInt64
    let nickname: String?

    /// - Parameter nickname: checked (``NicknameDocument/isNickname(_:)``).
    public init(_ nickname: String?, of device: UInt64) {
        self.device = device
        self.nickname = nickname
    }
}

extension NicknameChange: IngestCommand {
    public static var stage: CommandStage { .paying }

    /// Has the dispatcher told, by the consent as it stands now: a name is refused without consent to standings and withdrawn with it.
    public func apply(in commit: inout CommandCommit) throws -> Result<Void, DeviceAPIError> {
        if let problem = commit.gate.refusal(of: device) { return .failure(problem) }
        guard !commit.isFull else { return .failure(.full(.requests)) }
        guard let state = try commit.store.consent(of: device) else {
            return .failure(.unauthorized("nobody has this token"))
        }
        guard nickname == nil || state.identity.consent.contains(.standings) else {
            return .failure(.noStandingsConsent)
        }
        try commit.tell(.nickname, of: device, NicknameDocument(nickname: nickname))
        return .success(())
    }
}

extension CommandCommit {
    /// Has the dispatcher show a device no more.
    mutating func withdrawNickname(of device: UInt64) throws {
        try tell(.nickname, of: device, NicknameDocument(nickname: nil))
    }
}
