package import ExporterSupport
package import GRDB

/// Prints the figures of a bucket as lines of CSV; what is asked of cells is known by the API.
package protocol StatisticsLines: Sendable {
    /// The line of names.
    var names: [UInt8] { get }

    /// Hands over the lines of a bucket that a tenant may see, some at a time and how many they are, in the order of programmes,
    /// places, networks and metrics.
    ///
    /// - Parameter take: false when it is to leave everything.
    /// - Returns: false if that was false once.
    func print(
        _ span: ExportSpan, for tenant: Tenant, _ db: Database, take: (_ text: [UInt8], _ lines: Int) throws -> Bool
    ) throws -> Bool
}

/// The version of the form of files of statistics: raised when columns, lines or places change, so that all files are made anew.
enum StatisticsLayout {
    static let number: Int64 = 1
}
