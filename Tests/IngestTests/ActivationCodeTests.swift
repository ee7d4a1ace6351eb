import Testing

@testable import IngestUploads

@Suite struct ActivationCodeTests {
    private let letters = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ")
    private var codes: [ActivationCode] {
        var random = SystemRandomNumberGenerator()
        return (0..<50).map { _ in ActivationCode(&random) }
    }

    @Test func `a code is read however a person types it`() throws {
        for code in codes {
            #expect(code.text.count == 19 && code.text.split(separator: "-").map(\.count) == [4, 4, 4, 4])
            let typed = [
                code.text, code.text.lowercased(), code.text.replacing("-", with: ""),
                code.text.replacing("-", with: " "), code.text.replacing("0", with: "o").replacing("1", with: "l"),
                code.text.replacing("1", with: "I"),
            ]
            for text in typed { #expect(ActivationCode(text: text) == code, "\(text)") }
        }
        #expect(Set(codes.map(\.hash)).count == 50)
    }

    @Test func `no mistyped character and no two exchanged ones are taken for a code`() throws {
        for code in codes.prefix(5) {
            let right = Array(code.text.replacing("-", with: ""))
            for place in right.indices {
                for letter in letters where letter != right[place] {
                    var wrong = right
                    wrong[place] = letter
                    #expect(ActivationCode(text: String(wrong)) == nil)
                }
                for other in right.indices where right[other] != right[place] {
                    var wrong = right
                    wrong.swapAt(place, other)
                    #expect(ActivationCode(text: String(wrong)) == nil)
                }
            }
        }
    }

    @Test(arguments: [
        "", "7K3M", "U000-0000-0000-0000", "0000-0000-0000-00000", "😀", String(repeating: "-", count: 65),
    ])
    func `what is no code is none`(text: String) { #expect(ActivationCode(text: text) == nil) }

    @Test func `the policy decides before anything is looked up`() throws {
        let code = codes[0]
        #expect(try ActivationPolicy.optional.code(nil) == nil)
        #expect(try ActivationPolicy.optional.code(code.text) == code)
        #expect(try ActivationPolicy.required.code(code.text) == code)
        #expect(throws: DeviceAPIError.activationRequired) { try ActivationPolicy.required.code(nil) }
        #expect(throws: DeviceAPIError.activationNotAvailable) { try ActivationPolicy.off.code(code.text) }
        #expect(throws: DeviceAPIError.activationMistyped) { try ActivationPolicy.optional.code("x") }
    }
}
