import Models

extension SimulatedRetention {
    /// Each order is given when the model says so, once, and names the model's cut-offs; what was said to go has gone.
    func check(_ simulation: Simulation) throws {
        guard let policy = simulation.model.retention, let begin = try begin() else { return }
        let runs = try runs()
        var last = Int(begin)
        for run in runs {
            let at = Int(run.order.issuedAt)
            let expected = Dictionary(
                uniqueKeysWithValues: policy.days.keys.map { ($0, Int64(policy.cutoff(of: $0, at: at))) })
            guard run.order.cutoffs == expected else {
                throw SimulationFailure("order \(run.order.order) has cut-offs \(run.order.cutoffs), not \(expected)")
            }
            guard run.isScheduled else { continue }
            guard ReferenceRetention.isDue(since: last, by: at) else {
                throw SimulationFailure("a run was ordered at \(at), and one at \(last) before")
            }
            last = at
            if run.isLate { simulation.note(.retentionLate) }
        }
        for (answer, real) in zip(runs, runs.dropFirst()) { try compare(answer, real, simulation) }
        if let overdue = overdue(runs) { throw SimulationFailure("after the last run there is still \(overdue)") }
    }

    /// A run does what it was said that it would do, service by service and kind by kind. Receipts go by themselves, too, when
    /// they are eight days old, and from ingest's copies the router's removals may have taken contributions before.
    private func compare(_ answer: Run, _ real: Run, _ simulation: Simulation) throws {
        guard answer.order.isDryRun, !real.order.isDryRun, answer.isCompleted, real.isCompleted,
            answer.order.cutoffs == real.order.cutoffs
        else { return }
        for report in answer.reports {
            let done = real.reports.first { $0.service == report.service }
            for (kind, said) in report.kinds where kind != "receipts" {
                let isCopy = report.service == "ingest" && kind == "contributions"
                guard let gone = done?.kinds[kind],
                    gone.removed == said.removed || isCopy && gone.removed < said.removed,
                    gone.bytes == said.bytes || isCopy
                else {
                    throw SimulationFailure(
                        "\(report.service) said of \(kind) that \(said) would go, and then it was \(done?.kinds[kind] as Any)"
                    )
                }
                if said.removed > 0 { simulation.note(.dryRunKeptItsWord) }
            }
        }
    }

    /// What a service says that it still has although its time is over; blocks wait for readers, which may be away.
    private func overdue(_ runs: [Run]) -> String? {
        guard let last = runs.last(where: { !$0.order.isDryRun }) else { return nil }
        for report in last.reports {
            for (kind, figures) in report.kinds where kind != "journals" {
                guard let oldest = figures.oldest, let cutoff = last.order.cutoffs[kind], oldest < cutoff else {
                    continue
                }
                return "\(kind) of \(oldest) at \(report.service)"
            }
        }
        return nil
    }
}
