public import Models

extension RuleRow {
    /// A row of a kind, as its programme reads it: whose it is, where, of which stratum.
    ///
    /// - Parameter value: the stored value of a column of the row; nil if it has none.
    public init(
        of kind: ProgrammeKind, in programme: Programme, device: UInt32, eventAt: UnixMilliseconds,
        _ value: (_ column: UInt8) -> Int64?
    ) {
        self.init(kind: kind.kind.id, device: device, eventAt: eventAt, owner: 0)
        switch kind.scope {
        case .networks:
            owner = PLMN(mcc: value(ColumnID.mcc), mnc: value(ColumnID.mnc)).rawValue
            let other = PLMN(mcc: value(ColumnID.servingMCC), mnc: value(ColumnID.servingMNC))
            serving = other == .unknown || other.rawValue == owner ? nil : other.rawValue
        case .number(_, let column):
            let number = value(column) ?? 0
            owner = Scope.numbers.contains(number) ? number : 0
        }
        if case .number(_, let column) = kind.subject { number = value(column) }
        place = Quadkey.entry(
            latitude: value(ColumnID.latitude), longitude: value(ColumnID.longitude),
            accuracy: value(ColumnID.accuracy), speed: value(ColumnID.speed))
        if let column = programme.strata.column, let code = value(column),
            programme.strata.codes.indices.contains(Int(clamping: code))
        {
            stratum = programme.strata.codes[Int(code)]
        }
        hasNetwork = programme.strata.withoutNetwork.map { $0 != stratum } ?? true
        isMock = value(ColumnID.mockLocation) == 1
    }
}
