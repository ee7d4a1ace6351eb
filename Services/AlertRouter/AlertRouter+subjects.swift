internal import GRDB
public import Lanes
internal import Models
internal import ServiceKit
public import SubjectRights

/// What the router declares of the rights of subjects: which devices counted in which alarms is forgotten, how many stays.
extension AlertRouterEffects: SubjectRecords {
    /// Every table of `alert-router/state.sqlite`.
    static let tables: [HeldTable] = [
        .free("alarms", "an operator's network in a cell: counts, no device"),
        .personal(
            "alarm_devices",
            PersonalRows(
                of: "device",
                erased: .by("ContributionErasure: by the alarm's time and cell, too; how many there were stays"),
                copied: .lines(["alarm_contribution"]), kept: .retained(.contributions))),
        .free("alarm_episodes", "how many alarms there were of a network in a cell"),
        .free("alarm_episode_leaps", "where these numbers go on after a restore"),
        .free("alarm_handlings", "what people of operators do, in their trade"),
        .free("alarm_tasks", "names of commands"),
        .free("alarm_networks", "networks that served an alarm"),
        .free("alert_endpoints", "tenants"), .free("alert_latest", "tenants"),
        .free("alert_messages", "what tenants were told of alarms: counts, no device"),
        .free("alert_leaps", "numbers of messages"), .free("alert_lives", "runs of the program"),
        .free("announced_endpoints", "tenants"), .free("tenants", "tenants"),
        .free("site_documents", "documents of operators"), .free("site_sensors", "sensors of operators, no device"),
        .free("site_tasks", "people of operators, in their trade"), .free("site_wrong_codes", "how many, by site"),
        .free("found_budgets", "how many alarms an operator was told in a minute"),
        .free("found_standings", "how alarms stand beside each other"),
        .free("found_alarms", "which alarm is which episode of a rule"),
        .free("found_transitions", "how far the outbox of the windows was taken over"),
        .free("on_call_documents", "people of operators, in their trade"),
        .free("open_erasures", "when requests are late, by random names"),
    ]

    public var subjects: SubjectDeclaration {
        SubjectDeclaration(
            service: ServiceName.alertRouter.rawValue, on: .alerts,
            reads: Self.subscriptions(programmes).map(\.lane), records: self, copy: ContributionCopy(store),
            // Who counted in an alarm goes before the alarm.
            retained: [ContributionRetention(), AlarmRetention()], retiresKeys: true)
    }

    public func erase(_ subjects: [ErasureSubject], in transaction: inout EffectTransaction) throws -> ErasureSlice {
        try erasure.next(subjects, transaction.db)
    }
}
