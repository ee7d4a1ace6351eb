internal import IngestSupport
package import IngestUploads
package import Models

/// An upload key that a device is to have instead of the one it has.
package struct UploadKeyChange: Sendable, Equatable {
    /// The device's ordinal.
    let device: UInt64
    /// SHA-256 of the key.
    let keyHash: [UInt8]

    package init(device: UInt64, keyHash: [UInt8]) {
        self.device = device
        self.keyHash = keyHash
    }
}

extension UploadKeyChange: IngestCommand {
    package static var stage: CommandStage { .enrolling }

    /// Gives the device its key.
    ///
    /// - Returns: when it was made.
    package func apply(in commit: inout CommandCommit) throws -> Result<UnixMilliseconds, DeviceAPIError> {
        if let problem = commit.gate.refusal(of: device) { return .failure(problem) }
        guard try commit.store.consent(of: device) != nil else {
            return .failure(.unauthorized("nobody has this token"))
        }
        try commit.store.save(uploadKey: keyHash, of: device, at: commit.now)
        return .success(commit.now)
    }
}
