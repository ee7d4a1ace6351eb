import PipelineTesting

/// A feedback that deserves a grant.
struct RewardedFeedback: Hashable, Sendable {
    /// The device's ordinal.
    let device: Int
    /// The record's UUID in lower case.
    let record: String

    /// Every accepted feedback that was not measured at a place the phone made up.
    static func all(in model: ReferenceModel) -> Set<RewardedFeedback> {
        Set(
            model.rows.filter { $0.kind == "feedback" && $0.stored["mock_location"] != 1 }
                .map { RewardedFeedback(device: $0.device, record: $0.id) })
    }
}
