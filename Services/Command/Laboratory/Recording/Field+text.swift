import CommandSupport
import Models

extension Field {
    /// The stored value of a cell; nil if it is none. Ranges are not looked at; identifiers and text have no number.
    func stored(_ text: String) -> Int64? {
        switch representation {
        case .number(let scale): DecimalText.stored(text, scale: scale)
        case .digits: Int64(text)
        case .choice(let choices): choices.code(of: text)
        case .flag: ["true": 1, "false": 0, "1": 1, "0": 0][text.lowercased()]
        case .instant: Int64(text) ?? InstantText.milliseconds(text)
        case .identifier, .text: nil
        }
    }

    /// The text of a stored value, as CSV and messages have it.
    func text(_ stored: Int64) -> String {
        switch representation {
        case .number(let scale): DecimalText.text(stored, scale: scale)
        case .choice(let choices): choices.name(of: stored) ?? "\(stored)"
        case .flag: stored == 0 ? "false" : "true"
        case .digits, .instant, .identifier, .text: "\(stored)"
        }
    }

    /// Whether cells of the field are text, not a number.
    var isText: Bool {
        switch representation {
        case .identifier, .text: true
        default: false
        }
    }
}
