internal import Models
internal import Wire

/// What alarms of the rows of a block are about, as their kind declares it. Columns are looked up once a block.
enum RowSubject {
    case cell(latitude: Column?, longitude: Column?, accuracy: Column?, speed: Column?)
    case number(scheme: String, Column?)

    init(_ subject: AlarmSubject, _ columns: Columns) {
        switch subject {
        case .cell:
            self = .cell(
                latitude: columns[ColumnID.latitude], longitude: columns[ColumnID.longitude],
                accuracy: columns[ColumnID.accuracy], speed: columns[ColumnID.speed])
        case .number(let scheme, let column): self = .number(scheme: scheme, columns[column])
        }
    }

    /// Only a cell of the finest level places an alarm; coarser positions raise the owner's alarm without a cell.
    func subject(_ row: Int) -> AlarmedSubject {
        switch self {
        case .cell(let latitude, let longitude, let accuracy, let speed):
            let cell = Quadkey.entry(
                latitude: latitude?.integer(row), longitude: longitude?.integer(row), accuracy: accuracy?.integer(row),
                speed: speed?.integer(row))
            return .cell(cell?.level == Quadkey.finestLevel ? cell : nil)
        case .number(let scheme, let column): return .number(scheme: scheme, column?.integer(row))
        }
    }
}
