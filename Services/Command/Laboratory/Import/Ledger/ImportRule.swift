/// One kind of dirt that field recordings have, and what is done about it. Every departure from the file is one of these.
enum ImportRule: String, CaseIterable, Sendable {
    // What the file does not say
    case zonelessTime = "zoneless_time"
    case nonStandalone = "non_standalone_5g"
    case operatorWithoutNumber = "operator_without_number"
    // Values that are not there
    case noValue = "no_value"
    case pingAllLost = "ping_all_lost"
    // Values that are not what their column says
    case sentinel = "sentinel"
    case leakedMaximum = "leaked_maximum"
    case positiveRSRQ = "positive_rsrq"
    case otherRadioFigure = "other_radio_figure"
    case otherQualityFigure = "other_quality_figure"
    case idleThroughput = "idle_throughput"
    case unknownCell = "unknown_cell"
    case operatorMissing = "operator_missing"
    case operatorIsNumber = "operator_is_number"
    case unknownNetwork = "unknown_network"
    case implausible = "implausible"
    case lossOverHundred = "loss_over_100"
    // Time and place
    case sameSecond = "same_second"
    case clockWentBack = "clock_went_back"
    case outOfOrder = "out_of_order"
    case frozenPosition = "frozen_position"
    case noPosition = "no_position"
    // Typing
    case decimalComma = "decimal_comma"
    case letterForDigit = "letter_for_digit"
    case splitNumber = "split_number"
    case placeholder = "placeholder"
    case controlCharacter = "control_character"
    case untrimmed = "untrimmed"
    case longText = "long_text"
    case unreadableValue = "unreadable_value"
    case scoreMissing = "score_missing"
    // Rows that cannot be taken
    case wrongWidth = "wrong_width"
    case unreadableTime = "unreadable_time"
    case unknownKind = "unknown_kind"

    /// What a rule does to a row.
    enum Outcome: String, Sendable {
        /// Nothing was wrong, but something had to be supposed or was said to be absent.
        case noted
        /// A value was changed, moved or left out.
        case mended
        /// The row was left out.
        case left
    }

    var outcome: Outcome {
        switch self {
        case .zonelessTime, .nonStandalone, .operatorWithoutNumber, .noValue, .pingAllLost: .noted
        case .wrongWidth, .unreadableTime, .unknownKind: .left
        default: .mended
        }
    }
}
