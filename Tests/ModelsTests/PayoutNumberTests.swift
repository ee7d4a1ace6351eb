import Models
import Testing

@Suite struct PayoutNumberTests {
    @Test(arguments: ["+237670000001", "+1234567", "+123456789012345"])
    func `what is E.164 is a number`(phone: String) {
        #expect(PayoutNumber(phone: phone, operator: "62401") != nil)
        #expect(PayoutNumber(phone: phone, operator: "mtn") == nil)
    }

    @Test(arguments: [
        "", "+", "237670000001", "+0237670000", "+123456", "+1234567890123456", "+23767000000a", "+237 670 000 001",
        "+٢٣٧٦٧٠٠٠٠٠١", "00237670000001",
    ])
    func `what is not is none`(phone: String) { #expect(PayoutNumber(phone: phone, operator: "62401") == nil) }

    @Test func `however it is printed, it shows its last two digits only`() throws {
        let number = try #require(PayoutNumber(phone: "+237670000001", operator: "62401"))
        #expect(number.masked == "+**********01")
        var dumped = ""
        dump([number], to: &dumped)
        for text in ["\(number)", "\(Optional(number) as Any)", String(reflecting: [number]), dumped] {
            #expect(!text.contains("2376700") && text.contains("01"), "\(text)")
        }
    }
}
