internal import Foundation
public import GRDB

/// Bytes in and out of SQLite.
public enum Blob {
    /// What SQLite keeps of bytes.
    public static func value(_ bytes: [UInt8]) -> DatabaseValue { Data(bytes).databaseValue }

    /// The bytes of a column, from 0; none where it is null.
    public static func bytes(_ row: Row, _ column: Int) -> [UInt8] { optionalBytes(row, column) ?? [] }

    /// The bytes of a column, from 0; nil where it is null.
    public static func optionalBytes(_ row: Row, _ column: Int) -> [UInt8]? { (row[column] as Data?).map { Array($0) } }
}
