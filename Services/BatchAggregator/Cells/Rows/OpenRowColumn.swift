package import Models

/// The columns of open rows: what statistics keep of an accepted row while its bucket is open.
///
/// | id | column | encoding |
/// |---|---|---|
/// | 3 | device ordinal | integer |
/// | 81 | captured bucket: begin of the 5 minutes, Unix seconds ÷ 300 | delta |
/// | 82 | level of the entry cell, absent if the row counts without a cell | integer |
/// | 83 | code of the entry cell, absent likewise | delta |
/// | 84 | scope: PLMN that radio figures count for (serving, else SIM), or a number of the programme's scheme; 0 unknown | integer |
/// | 85 | stratum: of mobile networks the technology | integer |
/// | 200 | PLMN of the SIM, only where it is another | integer |
/// | 201 | kind of the record; absent in tables of programs before there were populations | integer |
/// | 8 | flags of the row, those of ``keptFlags``; absent where none is set | integer |
/// | of each metric | bin | integer |
package enum OpenRowColumn {
    package static let device = ColumnID.device
    package static let bucket = ColumnID.bucketStart
    package static let level = ColumnID.level
    package static let code = ColumnID.quadkey
    package static let scope = ColumnID.plmn
    package static let stratum = ColumnID.technology
    package static let simPLMN: UInt8 = 200
    package static let kind: UInt8 = 201
    package static let flags = ColumnID.flags

    /// What is kept of what ingest noticed: whether the subscriber shares with operators and allows research, and how far the
    /// device is trusted.
    package static let keptFlags: RowFlags = [.notForOperators, .notForResearch, .notTrusted, .young]

    /// The kind of tables that name none.
    static let olderKind: UInt8 = 1

    /// Seconds of the finest bucket.
    @inlinable package static var bucketSeconds: Int64 { 300 }
}
