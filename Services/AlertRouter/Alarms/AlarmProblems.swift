internal import Models

extension AlarmProblem {
    /// Nkul's own: there are erasures whose time is over.
    static let lateErasures = AlarmProblem(
        5, rule: "erasure.late", severity: .major, type: "processingErrorAlarm", cause: "thresholdCrossed",
        text: "erasures are not completed in time", french: "des effacements ne sont pas terminés dans les délais",
        when: [])

    /// The number of what a rule found; its words stand with the alarm.
    static let found: Int64 = 0
}

/// What can be the matter, by its number in the database: what records of the programmes report, and what Nkul itself owes.
struct AlarmProblems {
    private var byNumber = [AlarmProblem.lateErasures.number: AlarmProblem.lateErasures]

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
