public import Models
internal import QoE

/// What was reported, worst first; and what Nkul itself owes.
public enum AlarmProblem: Int64, Sendable, CaseIterable {
    case emergency = 1, noService, callDrop, badRating, lateErasures

    /// What a record reports; nil if it is not urgent.
    ///
    /// - Parameters: codes as columns store them.
    public init?(event: Int64?, rating: Int64?, trigger: Int64?) {
        let kind = RecordKind.feedback
        let values = [ColumnID.event: event, ColumnID.rating: rating, ColumnID.trigger: trigger]
        guard kind.problem({ values[$0] ?? nil }) != nil else { return nil }
        switch event.flatMap(NetworkEvent.init(rawValue:)) {
        case .emergency: self = .emergency
        case .noService: self = trigger == 2 ? .emergency : .noService
        case .callDrop: self = trigger == 2 ? .emergency : .callDrop
        default: self = trigger == 2 ? .emergency : .badRating
        }
    }

    public var severity: Severity {
        switch self {
        case .emergency: .critical
        case .noService, .callDrop, .lateErasures: .major
        case .badRating: .minor
        }
    }

    /// Name of the rule that raises it, as operators will configure it.
    var rule: String {
        switch self {
        case .emergency: "urgent.emergency"
        case .noService: "urgent.no_service"
        case .callDrop: "urgent.call_drop"
        case .badRating: "urgent.rating"
        case .lateErasures: "erasure.late"
        }
    }

    /// `alarmType` of TMF642 (ITU-T X.733 event type).
    var type: String {
        switch self {
        case .emergency, .noService: "communicationsAlarm"
        case .callDrop, .badRating: "qualityOfServiceAlarm"
        case .lateErasures: "processingErrorAlarm"
        }
    }

    /// `probableCause` of TMF642.
    var cause: String {
        switch self {
        case .noService: "lossOfSignal"
        case .callDrop: "degradedSignal"
        case .emergency, .badRating: "performanceDegraded"
        case .lateErasures: "thresholdCrossed"
        }
    }

    /// `specificProblem` of TMF642, for people.
    var text: String {
        switch self {
        case .emergency: "subscribers report an emergency"
        case .noService: "subscribers have no service"
        case .callDrop: "calls are dropped"
        case .badRating: "subscribers rate the service badly"
        case .lateErasures: "erasures are not completed in time"
        }
    }
}
