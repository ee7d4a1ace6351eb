public import IngestUploads

/// Something other than an upload that is done in a commit of ingest: a value that carries itself out in the transaction.
///
/// A command is one file: what is wanted, its ``stage``, and ``apply(in:)``. Whoever asks for it waits in
/// ``CommitQueue/ask(_:)``.
public protocol IngestCommand: Sendable {
    associatedtype Answer: Sendable

    /// Where it comes among the commands of a commit.
    static var stage: CommandStage { get }

    /// Does it; the answer is given when the commit is on disk.
    ///
    /// A command asks `commit.gate.refusal(of:)` itself whether its device was erased. A command that refuses must have written
    /// nothing: the engine does not take it back.
    ///
    /// - Returns: the answer, or why it was refused.
    /// - Throws: what the database throws; then nothing of the commit happens.
    func apply(in commit: inout CommandCommit) throws -> Result<Answer, DeviceAPIError>
}

/// The order of commands in a commit, whatever the order in which they were asked for; uploads come after all of them.
///
/// So nothing is taken of a device that asked to be erased in the same commit, and an upload obeys the consent that its device
/// gave by then. Stages are carried out in the order of the cases. Take an existing stage unless the order matters.
public enum CommandStage: CaseIterable, Sendable {
    case erasing, copying, enrolling, consenting, paying
}

/// What became of a command.
public struct CommandAnswer: Sendable {
    package let command: any IngestCommand.Type
    /// Of the command's type of answer.
    let result: Result<any Sendable, DeviceAPIError>

    /// Has a command carried out.
    package init<Command: IngestCommand>(to command: Command, in commit: inout CommandCommit) throws {
        self.command = Command.self
        result = try command.apply(in: &commit).map { $0 }
    }

    /// The result; traps for another type than that of the command. Its callers compare ``command`` before, or ask for the command
    /// that they handed in.
    package func result<Command: IngestCommand>(of command: Command.Type) -> Result<Command.Answer, DeviceAPIError> {
        result.map { $0 as! Command.Answer }
    }
}

extension DeviceAPIError {
    /// For a signature that came before, or an older one than came before.
    package static let signatureReplayed = DeviceAPIError(.signatureReplayed, field: "Signature-Input")
}
