public import Models

/// Reads rows of a kind as its programme means them: whose a row is, where, of which stratum. Made once a block or file.
public struct RuleRowReader: Sendable {
    private let kind: UInt8
    private let isOfNetworks: Bool
    /// The column with the owner's number, where no network is the owner.
    private let ownerColumn: UInt8
    private let subjectColumn: UInt8?
    private let strataColumn: UInt8?
    private let strata: [UInt8]
    private let withoutNetwork: UInt8?

    public init(_ kind: ProgrammeKind, of programme: Programme) {
        self.kind = kind.kind.id
        switch kind.scope {
        case .networks: (isOfNetworks, ownerColumn) = (true, 0)
        case .number(_, let column): (isOfNetworks, ownerColumn) = (false, column)
        }
        if case .number(_, let column) = kind.subject { subjectColumn = column } else { subjectColumn = nil }
        strataColumn = programme.strata.column
        strata = programme.strata.codes
        withoutNetwork = programme.strata.withoutNetwork
    }

    /// Columns that it looks at.
    public var columns: [UInt8] {
        let owner =
            isOfNetworks ? [ColumnID.mcc, ColumnID.mnc, ColumnID.servingMCC, ColumnID.servingMNC] : [ownerColumn]
        let others = [
            ColumnID.latitude, ColumnID.longitude, ColumnID.accuracy, ColumnID.speed, ColumnID.mockLocation,
        ]
        return owner + others + [subjectColumn, strataColumn].compactMap(\.self)
    }

    /// - Parameter value: the stored value of a column of the row; nil if it has none.
    public func row(
        device: UInt32, eventAt: UnixMilliseconds, _ value: (_ column: UInt8) -> Int64?
    ) -> RuleRow {
        var row = RuleRow(kind: kind, device: device, eventAt: eventAt, owner: 0)
        if isOfNetworks {
            row.owner = PLMN(mcc: value(ColumnID.mcc), mnc: value(ColumnID.mnc)).rawValue
            let other = PLMN(mcc: value(ColumnID.servingMCC), mnc: value(ColumnID.servingMNC))
            row.serving = other == .unknown || other.rawValue == row.owner ? nil : other.rawValue
        } else {
            let number = value(ownerColumn) ?? 0
            row.owner = Scope.numbers.contains(number) ? number : 0
        }
        if let subjectColumn { row.number = value(subjectColumn) }
        row.place = Quadkey.entry(
            latitude: value(ColumnID.latitude), longitude: value(ColumnID.longitude),
            accuracy: value(ColumnID.accuracy), speed: value(ColumnID.speed))
        if let strataColumn, let code = value(strataColumn), strata.indices.contains(Int(clamping: code)) {
            row.stratum = strata[Int(code)]
        }
        row.hasNetwork = withoutNetwork.map { $0 != row.stratum } ?? true
        row.isMock = value(ColumnID.mockLocation) == 1
        return row
    }
}
