/// Where TM Forum TMF642 v4 is answered.
enum TMF642 {
    /// Where documents say they are.
    static let base = "/tmf-api/alarmManagement/v4/"
    /// The same by the name that other systems use.
    static let alias = "/tmf-api/alarm/v4/"

    /// A path as ``base`` has it.
    static func path(_ path: String) -> String {
        path.hasPrefix(alias) ? base + path.dropFirst(alias.count) : path
    }
}
