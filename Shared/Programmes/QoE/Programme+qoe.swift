public import Models

extension Programme {
    /// Mobile quality of experience: what phones measure of networks, and how it feels.
    public static let qoe = Programme(
        number: Programme.qoeNumber, name: "qoe", kinds: [.report, .feedback, .prompt],
        metrics: Metric.allCases.map {
            ProgrammeMetric(
                $0.rawValue, $0.name, column: $0.column, bins: $0.bins, isOrdered: $0 != .event, isOfSIM: $0.isOfSIM)
        },
        strata: Strata(
            Technology.allCases.map(\.name), column: ColumnID.networkType,
            codes: NetworkType.allCases.map { UInt8($0.technology.rawValue) },
            withoutNetwork: UInt8(Technology.none.rawValue)))
}

extension ProgrammeKind {
    /// What a phone measured at one moment.
    public static let report = ProgrammeKind(
        .report, path: "/v1/reports",
        description: Description(
            schema: "Report", operation: "sendReports", summary: "Sends what the phone measured",
            example: """
                {"seq":1,"captured_at":"2026-11-21T08:30:00Z","latitude":4.0511,"longitude":9.7679,"accuracy_m":12,\
                "network_type":"LTE","mcc":"624","mnc":"01","rsrp_dbm":-97,"download_kbps":8200}
                """,
            csv: "seq,captured_at_ms,network_type,mcc,mnc,rsrp_dbm\r\n1,1795249800000,LTE,624,01,-97\r\n"),
        scope: .networks,
        held: HeldText(
            english: "measurements that this device sent", french: "mesures envoyées par cet appareil",
            whyEnglish:
                "operators and the regulator see how networks do; an operator sees rows of its own network only, "
                + "under a name that changes every day, and none without consent to operator_sharing",
            whyFrench:
                "les opérateurs et le régulateur voient l'état des réseaux ; un opérateur ne voit que les lignes de son "
                + "réseau, sous un nom qui change chaque jour, et aucune sans l'accord operator_sharing"))

    /// How it felt.
    public static let feedback = ProgrammeKind(
        .feedback, path: "/v1/feedback",
        description: Description(
            schema: "Feedback", operation: "sendFeedback", summary: "Sends how it felt",
            example: """
                {"seq":2,"captured_at":"2026-11-21T08:31:00Z","emoji":"😕","comment":"no picture","trigger":"voluntary",\
                "network_type":"LTE","mcc":"624","mnc":"01"}
                """,
            csv: "seq,captured_at_ms,rating,comment\r\n2,1795249860000,2,\"slow, then gone\"\r\n"),
        scope: .networks, marks: ["rating", "emoji"], isRewarded: true,
        held: HeldText(
            english: "ratings and comments that this device sent",
            french: "notes et commentaires envoyés par cet appareil",
            whyEnglish: "how networks feel to subscribers; seen by the same people as measurements",
            whyFrench: "le ressenti des abonnés ; vu par les mêmes que les mesures"))

    /// What became of a prompt; it is never urgent, and operators see only counts.
    public static let prompt = ProgrammeKind(
        .prompt, path: "/v1/me/prompts",
        description: Description(
            schema: "PromptOutcome", operation: "sendPromptOutcomes", summary: "Tells what became of prompts",
            example: """
                {"seq":3,"captured_at":"2026-11-21T08:32:00Z","prompt_id":"p-17","outcome":"answered",\
                "policy_version":"1","rule":"call_drop"}
                """,
            csv: "seq,captured_at_ms,prompt_id,outcome,policy_version\r\n3,1795249920000,p-17,ignored,1\r\n"),
        scope: .networks, isRealtime: false, isRawRow: false, isCounted: false,
        held: HeldText(
            english: "what became of questions that this device showed",
            french: "le sort des questions affichées par cet appareil",
            whyEnglish: "asking less often where questions are ignored; operators see counts only",
            whyFrench:
                "demander moins souvent là où les questions sont ignorées ; les opérateurs ne voient que des totaux"
        ))
}

extension Programmes {
    /// Mobile QoE alone. That it passes the check is tested: nothing in it depends on where it runs.
    public static let qoe: Programmes = {
        do { return try Programmes([.qoe]) } catch { preconditionFailure("\(error)") }
    }()
}
