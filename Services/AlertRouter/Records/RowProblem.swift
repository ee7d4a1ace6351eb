internal import Models
internal import Wire

/// A problem that rows of a block can report, with the columns that say so. Columns are looked up once a block.
struct RowProblem {
    let problem: AlarmProblem
    private let conditions: [(column: Column, values: ClosedRange<Int64>)]

    /// Those of a kind that the block has columns for, worst first.
    static func all(_ kind: RecordKind, _ columns: Columns) -> [RowProblem] {
        kind.problems.compactMap { problem in
            let conditions = problem.conditions.compactMap { condition in
                columns[condition.column].map { (column: $0, values: condition.values) }
            }
            return conditions.isEmpty ? nil : RowProblem(problem: problem, conditions: conditions)
        }
    }

    func isReported(_ row: Int) -> Bool {
        for condition in conditions {
            if let value = condition.column.integer(row), condition.values.contains(value) { return true }
        }
        return false
    }
}
