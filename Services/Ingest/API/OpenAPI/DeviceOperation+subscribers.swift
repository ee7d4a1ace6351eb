internal import IngestSupport
internal import IngestUploads
internal import QoE
internal import ServiceKit

extension DeviceOperation {
    /// What subscribers get and are told.
    static let subscribers: [DeviceOperation] = [
        DeviceOperation(
            route: .rewards, method: "GET", id: "showRewards", summary: "Tells balance, grants, streak and badges",
            parameters: page(
                of: "grants", most: PageQuery.most, cursor: "^[0-9]{1,18}-[0-9a-f]{1,64}$",
                example: "1795249860000-00000000000000000000000000000001"),
            answers: [
                APIAnswer(
                    200, "Newest grants first", schema: APISchemas.reference("Rewards"),
                    example: [
                        "balance": ["paid_xaf": 50, "pending_xaf": 0, "currency": "XAF"],
                        "grants": [
                            [
                                "grant": "00000000000000000000000000000001", "campaign": "spring",
                                "record": "00000000-0000-8000-8000-000000000001", "amount_xaf": 50,
                                "state": "confirmed",
                                "received_at": "2026-11-21T08:31:00.000Z", "received_at_ms": 1_795_249_860_000,
                                "changed_at": "2026-11-21T08:31:02.000Z", "changed_at_ms": 1_795_249_862_000,
                            ]
                        ],
                        "grants_total": 1, "grants_kept": 1, "streak": ["days": 1, "best": 1],
                        "badges": [["badge": "first_feedback", "feedbacks": 1]],
                    ])
            ],
            problems: [.badLimit, .badCursor]),
        DeviceOperation(
            route: .promptPolicy, method: "GET", id: "showPromptPolicy", summary: "Tells when to ask for feedback",
            description:
                "`medians` are of released figures; who names where it is roughly gets those of the cells there, too.",
            parameters: [
                APIParameter.query(
                    "plmn", "only medians of these networks; up to four, by comma",
                    ["type": "string", "pattern": "^[0-9]{5,6}(,[0-9]{5,6}){0,3}$"], example: "62401"),
                APIParameter.query(
                    "near", "cells of level 6 to 9 in which and around which medians are wanted; up to eight, by comma",
                    ["type": "string", "pattern": "^[0-3]{6,9}(,[0-3]{6,9}){0,7}$"], example: "122223"),
                APIParameter.ifNoneMatch,
            ],
            answers: [
                APIAnswer(
                    200, "The rules in force", schema: APISchemas.reference("PromptPolicy"), headers: APIAnswer.tagged),
                APIAnswer(304, "They are those that were named", headers: APIAnswer.tagged),
            ],
            problems: [.badNetwork, .badPlace]),
        DeviceOperation(
            route: .samplingPolicy, method: "GET", id: "showSamplingPolicy", summary: "Tells how often to measure",
            description: "A phone does less where its maker or its person wants less, and never more.",
            parameters: [APIParameter.ifNoneMatch],
            answers: [
                APIAnswer(
                    200, "The policy in force", schema: APISchemas.reference("SamplingPolicy"),
                    headers: APIAnswer.tagged),
                APIAnswer(304, "It is what was named", headers: APIAnswer.tagged),
            ]),
        DeviceOperation(
            route: .payout, method: "PUT", id: "setPayout", summary: "Sets where rewards are paid to",
            description: "The number is sealed before anything else is done with it; it is never told again in whole.",
            bodies: [
                APIBody(
                    "application/json", APISchemas.reference("Payout"),
                    examples: ["MTN Cameroon": ["phone": "+237670000000", "operator": "62401"]])
            ],
            answers: [
                APIAnswer(
                    200, "Taken", schema: APISchemas.reference("PayoutAccepted"),
                    example: [
                        "phone": "+**********00", "operator": "62401", "accepted_at": "2026-11-21T08:30:00.000Z",
                        "accepted_at_ms": 1_795_249_800_000,
                    ])
            ],
            problems: jsonProblems + [
                .noRewardsConsent, .signatureReplayed, .payoutKeyUnknown, .journalFull, .diskFull,
            ], isSigned: true),
        DeviceOperation(
            route: .impact, method: "GET", id: "showImpact",
            summary: "Tells which alarms this phone's records helped to raise, and what became of them",
            parameters: page(
                of: "alarms", most: PageQuery.most, cursor: "^[0-9]{1,18}-[0-9a-f]{32}$",
                example: "1795249860000-00000000000000000000000000000001"),
            answers: [APIAnswer(200, "Newest alarms first", schema: APISchemas.reference("Impact"))],
            problems: [.badLimit, .badCursor]),
        DeviceOperation(
            route: .progress, method: "GET", id: "showProgress",
            summary: "Tells streaks, goals and badges, by the local days on which records were captured",
            description:
                "One missed day in seven is forgiven. Late records count on the day on which they were captured.",
            answers: [APIAnswer(200, "As of today", schema: APISchemas.reference("Progress"))],
            problems: []),
        DeviceOperation(
            route: .nickname, method: "PUT", id: "setNickname",
            summary: "Sets the name under which a subscriber is shown in standings; null withdraws it",
            bodies: [
                APIBody(
                    "application/json", APISchemas.reference("Nickname"), examples: ["A name": ["nickname": "Ann 7"]])
            ],
            answers: [
                APIAnswer(
                    200, "Taken", schema: APISchemas.reference("Nickname"), example: ["nickname": "Ann 7"])
            ],
            problems: jsonProblems + [.noStandingsConsent, .journalFull, .diskFull]),
        DeviceOperation(
            route: .standings, method: "GET", id: "showStandings",
            summary: "Tells where a subscriber stands among those who agreed to be shown, with who is next",
            description: "Of this week and this month. Who has given no name is in none and sees none.",
            answers: [APIAnswer(200, "As told last", schema: APISchemas.reference("Standings"))],
            problems: []),
    ]

    /// Parameters of calls that answer in pages.
    private static func page(of name: String, most: Int, cursor: String, example: String) -> [JSONValue] {
        [
            APIParameter.query(
                "limit", "\(name) of a page", ["type": "integer", "minimum": 1, "maximum": .integer(Int64(most))],
                example: 20),
            APIParameter.query(
                "after", "`next` of the page before",
                ["type": "string", "pattern": .string(cursor)], example: .string(example)),
        ]
    }
}
