/// What to do with an answer, or with none. Pure.
enum ReplayRetry {
    enum Decision: Equatable {
        /// A receipt came.
        case done
        /// The service will not take the upload, whatever happens: HTTP status and problem code.
        case refused(Int, String)
        /// Send it again after so many milliseconds.
        case again(after: Int64)
        /// Nothing can be sent.
        case fatal(String)
    }

    /// - Parameter attempt: how often it was sent before, from 0.
    static func decide(_ result: Result<LoadResponse, LoadFailure>, attempt: Int) -> Decision {
        switch result {
        case .failure(.insecure(let cause)): .fatal(cause)
        case .failure: .again(after: backOff(attempt))
        case .success(let response): decide(response, attempt)
        }
    }

    private static func decide(_ response: LoadResponse, _ attempt: Int) -> Decision {
        switch response.status {
        case 200..<300: .done
        case 401:
            .fatal("the service does not know the token of a phone: it runs on another home than the one given here")
        case 408, 425, 429, 500...:
            .again(after: response.retryAfter.map { Int64(min($0, 60)) * 1_000 } ?? backOff(attempt))
        default: .refused(response.status, ReplayAnswer.problemCode(response))
        }
    }

    /// 100 ms, doubled each time up to 5 s.
    private static func backOff(_ attempt: Int) -> Int64 { min(5_000, 100 << Int64(min(attempt, 10))) }
}
