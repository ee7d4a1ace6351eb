import Wire

/// Open rows of one local day.
struct DayRows: Equatable {
    /// Begin of the local day, Unix seconds.
    var day: Int64
    /// The table of ``OpenRowColumn``.
    var rows: Columns
}
