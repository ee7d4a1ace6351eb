package import NotifierMessages

/// Sends questions to push services: one try.
package struct QuestionSending: Sendable {
    private let poster: HTTPPoster
    private let vapid: VAPIDKey

    package init(_ poster: HTTPPoster, vapid: VAPIDKey) {
        self.poster = poster
        self.vapid = vapid
    }

    package func send(_ call: OutgoingQuestion) async -> SendAnswer {
        guard let message = try? QuestionMessage.request(call, vapid) else {
            return .failed("the message cannot be made: the subscription's key is none")
        }
        return await poster.post(message, attempts: 0)
    }
}
