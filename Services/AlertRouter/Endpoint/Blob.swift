internal import Foundation
internal import GRDB

/// Bytes in and out of SQLite.
enum Blob {
    static func value(_ bytes: [UInt8]) -> DatabaseValue { Data(bytes).databaseValue }

    static func bytes(_ row: Row, _ column: Int) -> [UInt8] { (row[column] as Data?).map { Array($0) } ?? [] }
}
