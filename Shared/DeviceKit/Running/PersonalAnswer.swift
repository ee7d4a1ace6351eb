/// What the service said to a ``PersonalRequest``.
public enum PersonalAnswer: Sendable, Equatable {
    /// It was taken or is told: the document, JSON; NDJSON of a copy.
    case done([UInt8])
    /// It is not there yet; the document, and after how many seconds to ask again.
    case notYet([UInt8], seconds: Int64)
    /// The service will not have it: the code of the problem (`docs/errors.md`), and what it says of it.
    case refused(code: String, detail: String?)
    /// Not now: after so many seconds, if the service has said it.
    case later(seconds: Int64?)
    /// No answer came; whether it was done is unknown.
    case noAnswer
    /// The service does not know the phone yet, or not any more.
    case notEnrolled

    private static let pause: Int64 = 5

    init(_ wish: PersonalRequest, _ response: DeviceResponse?) {
        guard let response else {
            self = .noAnswer
            return
        }
        switch ServerAnswer(response) {
        case .done(let body) where !wish.isAnswered(by: body): self = .noAnswer
        case .done(let body) where response.status == 202 && wish.isReading:
            self = .notYet(body, seconds: response.retryAfter ?? Self.pause)
        case .done(let body): self = .done(body)
        case .stranger: self = .notEnrolled
        case .again(let seconds): self = .later(seconds: seconds)
        default:
            let problem = ServiceProblem(response.body)
            self = .refused(code: problem?.code ?? "status_\(response.status)", detail: problem?.detail)
        }
    }
}
