public import Models

extension AlarmProblem {
    /// What subscribers report, worst first. One phone alone raises an emergency; of the others rules want several.
    public static let qoe: [AlarmProblem] = [emergency, noService, callDrop, badRating]

    /// Phones without coverage can tell of it only when they have it again: an hour.
    private static let toldWithCoverage: Int64 = 3_600_000

    /// An event says so, or the subscriber, who rates as an emergency.
    public static let emergency = AlarmProblem(
        1, rule: "urgent.emergency", severity: .critical, type: "communicationsAlarm", cause: "performanceDegraded",
        text: "subscribers report an emergency", french: "des abonnés signalent une urgence",
        lateness: toldWithCoverage,
        when: [
            ColumnCondition(ColumnID.event, is: NetworkEvent.emergency.rawValue),
            ColumnCondition(ColumnID.trigger, is: 2),
        ])

    public static let noService = AlarmProblem(
        2, rule: "urgent.no_service", severity: .major, type: "communicationsAlarm", cause: "lossOfSignal",
        text: "subscribers have no service", french: "des abonnés sont sans service",
        lateness: toldWithCoverage, raisesAlone: false,
        when: [ColumnCondition(ColumnID.event, is: NetworkEvent.noService.rawValue)])

    public static let callDrop = AlarmProblem(
        3, rule: "urgent.call_drop", severity: .major, type: "qualityOfServiceAlarm", cause: "degradedSignal",
        text: "calls are dropped", french: "des appels sont coupés", raisesAlone: false,
        when: [ColumnCondition(ColumnID.event, is: NetworkEvent.callDrop.rawValue)])

    /// One or two stars.
    package static let badRating = AlarmProblem(
        4, rule: "urgent.rating", severity: .minor, type: "qualityOfServiceAlarm", cause: "performanceDegraded",
        text: "subscribers rate the service badly", french: "des abonnés notent mal le service",
        raisesAlone: false,
        when: [ColumnCondition(ColumnID.rating, .min...2)])
}
