internal import Models

extension AlarmProblem {
    /// Nkul's own: there are erasures whose time is over.
    static let lateErasures = AlarmProblem(
        5, rule: "erasure.late", severity: .major, type: "processingErrorAlarm", cause: "thresholdCrossed",
        text: "erasures are not completed in time", french: "des effacements ne sont pas terminés dans les délais",
        when: [])

    /// Nkul's own: rewards cannot be paid for much longer, or cannot be paid.
    static let lowFloat = AlarmProblem(
        6, rule: "rewards.float", severity: .major, type: "processingErrorAlarm", cause: "thresholdCrossed",
        text: "little is left with the provider of rewards to pay from",
        french: "il reste peu chez le fournisseur pour payer les récompenses", when: [])

    /// What Nkul itself owes.
    static let own = [lateErasures, lowFloat]

    /// The number of what a rule found; its words stand with the alarm.
    static let found: Int64 = 0
}

/// What can be the matter, by its number in the database: what records of the programmes report, and what Nkul itself owes.
struct AlarmProblems {
    private var byNumber = Dictionary(uniqueKeysWithValues: AlarmProblem.own.map { ($0.number, $0) })

    /// - Throws: if a programme has the number of another problem.
    init(_ programmes: Programmes) throws(ProgrammeError) {
        for programme in programmes.all {
            for problem in programme.kinds.flatMap(\.kind.problems) {
                if let other = byNumber.updateValue(problem, forKey: problem.number), other != problem {
                    throw ProgrammeError(
                        programme.name, "problem \(problem.number) (\(problem.rule)) has the number of \(other.rule)")
                }
            }
        }
    }

    subscript(number: Int64) -> AlarmProblem? { byNumber[number] }
}
