internal import Models

extension Plausibility {
    /// What modems can measure on each network type, and what they write where they did not.
    static let radio = Plausibility(
        narrower: RadioRange.columns.map { column in
            NarrowerRange(
                column, by: ColumnID.networkType, NetworkType.allCases.map { RadioRange.range(of: column, on: $0) })
        },
        placeholders: [
            // Android's `CellInfo.UNAVAILABLE`.
            Placeholder([ColumnCondition(ColumnID.cellID, is: 2_147_483_647)], text: "2147483647"),
            // A 5G modem that does not measure.
            Placeholder(
                [
                    ColumnCondition(ColumnID.rsrp, is: -440), ColumnCondition(ColumnID.rsrq, is: -30),
                    ColumnCondition(ColumnID.sinr, is: 400),
                ], text: "RSRP -44, RSRQ -3, SINR 40 together"),
        ])
}
