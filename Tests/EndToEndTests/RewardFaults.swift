import PipelineTesting

/// How the provider of a reward test errs, and how impatient the dispatcher is with it.
struct RewardFaults {
    let seed: UInt64

    /// The sandbox's script: 30 % of the payments time out, half of them after they were paid.
    var script: String {
        """
        {"seed":\(seed),"delay_ms":{"least":30,"most":120},
         "pay":{"timeout_paid":0.15,"timeout_unpaid":0.15,"error":0.05},"ask":{"timeout":0.1,"processing":0.1}}
        """
    }

    /// Settings of the dispatcher: what takes minutes in the field takes tenths of a second.
    func settings(script path: String) -> [String: String] {
        let milliseconds = ["CALL_TIMEOUT": 200, "SETTLE": 300, "FIRST_PAUSE": 20, "LONGEST_PAUSE": 150, "GATHER": 5]
        var settings = [
            "NKUL_REWARD_DISPATCHER_SANDBOX": path, "NKUL_REWARD_DISPATCHER_ATTEMPTS": "100",
            "NKUL_REWARD_DISPATCHER_CALLS": "4",
        ]
        for (name, value) in milliseconds { settings["NKUL_REWARD_DISPATCHER_\(name)_MS"] = String(value) }
        return settings
    }

    /// Records of three phones, the last of which has not agreed to rewards: good and bad ratings, so that they travel on
    /// both lanes, and some from places that the phone made up.
    func feedback(now: Int) -> [[ReferenceRecord]] {
        var random = SeededRandom(seed: seed)
        return (0..<3).map { _ in
            (1...14).map { seq in
                var fields: [String: ReferenceRecord.Value] = [
                    "captured_at_ms": .number(Double(now - random.below(3_600_000))), "seq": .number(Double(seq)),
                    "rating": .number(Double(random.within(1...5))), "mcc": .number(624),
                    "mnc": .number(Double(random.within(1...4))),
                ]
                if random.chance(150) { fields["mock_location"] = .flag(true) }
                return ReferenceRecord(kind: "feedback", fields: fields)
            }
        }
    }
}
