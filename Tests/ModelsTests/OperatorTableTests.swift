import Models
import Testing

@Suite struct OperatorTableTests {
    @Test func `the table of Cameroon has its four operators and their mobile numbers`() throws {
        let table = try #require(OperatorTable(text: OperatorTable.cameroon))
        #expect(table.entries.map(\.plmn.text) == ["62401", "62402", "62403", "62404"])
        #expect(table.canHave("+237670000001") && table.canHave("+237699999999"))
        for phone in ["+23767000000", "+2376700000011", "+237222000001", "+33612345678", "+236670000001", "+"] {
            #expect(!table.canHave(phone), "\(phone)")
        }
    }

    @Test func `a table may give numbers by their first digits`() throws {
        let table = try #require(
            OperatorTable(text: "62401 MTN +23767....... +23768.......,62402 Orange +23769......."))
        #expect(table.canHave("+237680000001") && table.canHave("+237690000001") && !table.canHave("+237660000001"))
        #expect(table.patterns == ["+23767.......", "+23768.......", "+23769......."])
    }

    @Test(arguments: [
        "", "62401", "62401 MTN", "mtn MTN +2376........", "62401 MTN 2376........", "62401 MTN +2376....,x",
        "62401 MTN +237*", "62401 A +2376........,62401 B +2376........",
    ])
    func `what is no table is none`(text: String) { #expect(OperatorTable(text: text) == nil) }
}
