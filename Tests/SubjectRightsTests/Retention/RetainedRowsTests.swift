import GRDB
import Lanes
import Models
import Storage
import SubjectRights
import Testing

@Suite struct RetainedRowsTests {
    @Test func `rows go by their time, a bounded number of times at once, and the others stay`() throws {
        let database = try ServiceDatabase(
            path: ":memory:",
            migrations: [
                Migration("rows", sql: "CREATE TABLE rows (minute INTEGER, name TEXT, PRIMARY KEY (minute, name))")
            ])
        let rows = RetainedRows(.failedAuthentications, table: "rows", time: "minute", unit: 60_000, itemsAtOnce: 3)
        try database.write { db in
            for minute in 0..<10 {
                for name in ["a", "b"] {
                    try db.execute(sql: "INSERT INTO rows VALUES (?, ?)", arguments: [minute, name])
                }
            }
            var transaction = EffectTransaction(db, now: 0)
            var mark: RetentionMark? = .start
            var removed: [Int] = []
            while let after = mark {
                let look = try rows.look(before: 7 * 60_000, after: after, limit: rows.itemsAtOnce, db)
                removed.append(look.items.reduce(0) { $0 + $1.records })
                try rows.remove(look.items, in: &transaction)
                mark = look.next
            }
            #expect(removed == [6, 6, 2])
            #expect(try Int.fetchAll(db, sql: "SELECT DISTINCT minute FROM rows ORDER BY 1") == [7, 8, 9])
            #expect(try rows.oldest(db) == 7 * 60_000)
        }
    }
}
