internal import Models
internal import Wire

/// One thing that waits for the next commit, and who waits for its answer.
enum CommitJob {
    case upload(Upload, @Sendable (Result<Receipt, Problem>) -> Void)
    case enrolment(Enrolment, UnsafeContinuation<Result<DeviceIdentity, Problem>, Never>)
    case consent(ConsentChange, UnsafeContinuation<Result<ConsentState, Problem>, Never>)
    case payout(PayoutChange, UnsafeContinuation<Result<UnixMilliseconds, Problem>, Never>)
    case erasure(ErasureChange, UnsafeContinuation<Result<UnixMilliseconds, Problem>, Never>)
    case access(AccessChange, UnsafeContinuation<Result<AccessTicket, Problem>, Never>)

    /// Refuses the job.
    func fail(_ problem: Problem) {
        switch self {
        case .upload(_, let reply): reply(.failure(problem))
        case .enrolment(_, let waiting): waiting.resume(returning: .failure(problem))
        case .consent(_, let waiting): waiting.resume(returning: .failure(problem))
        case .payout(_, let waiting): waiting.resume(returning: .failure(problem))
        case .erasure(_, let waiting): waiting.resume(returning: .failure(problem))
        case .access(_, let waiting): waiting.resume(returning: .failure(problem))
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
