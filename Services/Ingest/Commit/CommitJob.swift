package import IngestCommands
package import IngestUploads
internal import Models
internal import Wire

/// One thing that waits for the next commit, and who waits for its answer.
package enum CommitJob {
    case upload(Upload, @Sendable (Result<Receipt, DeviceAPIError>) -> Void)
    case command(any WaitingCommand)

    /// A command, and the task that asks for it.
    static func command<Command: IngestCommand>(
        _ command: Command, _ waiting: UnsafeContinuation<Result<Command.Answer, DeviceAPIError>, Never>
    ) -> CommitJob {
        .command(AskedCommand(asked: command, waiting: waiting))
    }

    /// Refuses the job.
    func fail(_ problem: DeviceAPIError) {
        switch self {
        case .upload(_, let reply): reply(.failure(problem))
        case .command(let waiting): waiting.fail(problem)
        }
    }

    var rowCount: Int {
        if case .upload(let upload, _) = self { return upload.rows.rowCount }
        return 1
    }

    var byteCount: Int {
        if case .upload(let upload, _) = self { return upload.byteCount }
        return 1_024
    }

    /// Urgent rows and people who wait wait for nothing.
    var isUrgent: Bool {
        if case .upload(let upload, _) = self { return upload.isUrgent }
        return true
    }
}

/// A command that somebody waits for.
package protocol WaitingCommand: Sendable {
    var command: any IngestCommand { get }

    /// Tells what became of it.
    func answer(_ answer: CommandAnswer)

    /// Refuses it.
    func fail(_ problem: DeviceAPIError)
}

private struct AskedCommand<Command: IngestCommand>: WaitingCommand {
    let asked: Command
    let waiting: UnsafeContinuation<Result<Command.Answer, DeviceAPIError>, Never>

    var command: any IngestCommand { asked }

    func answer(_ answer: CommandAnswer) { waiting.resume(returning: answer.result(of: Command.self)) }

    func fail(_ problem: DeviceAPIError) { waiting.resume(returning: .failure(problem)) }
}

extension CommitQueue {
    /// Has a command carried out in the next commit, and waits for its answer.
    package func ask<Command: IngestCommand>(_ command: Command) async -> Result<Command.Answer, DeviceAPIError> {
        await withUnsafeContinuation { offer(.command(command, $0)) }
    }
}
