/// One kind of dirt that field recordings have, and what is done about it. Every departure from the file is one of these.
enum ImportRule: String, CaseIterable, Sendable {
    // What the file does not say
    case zonelessTime = "zoneless_time"
    case repeatedHour = "repeated_hour"
    case secondsTime = "seconds_time"
    case suppliedTime = "supplied_time"
    case nonStandalone = "non_standalone_5g"
    case operatorWithoutNumber = "operator_without_number"
    case sharedName = "shared_name"
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
    case placeholderValues = "placeholder_values"
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
    case otherEncoding = "other_encoding"
    case untrimmed = "untrimmed"
    case longText = "long_text"
    case unreadableValue = "unreadable_value"
    case scoreMissing = "score_missing"
    // Rows that cannot be taken
    case wrongWidth = "wrong_width"
    case unreadableTime = "unreadable_time"
    case unknownKind = "unknown_kind"
    case nothingMeasured = "nothing_measured"
    case fieldMissing = "field_missing"
    case neighbourCell = "neighbour_cell"
    case noCell = "no_cell"

    /// What a rule does to a row.
    enum Outcome: String, Sendable {
        /// Nothing was wrong, but something had to be supposed or was said to be absent.
        case noted
        /// A value was changed, moved or left out.
        case mended
        /// The row was left out.
        case left = "left_out"
    }

    var outcome: Outcome {
        switch self {
        case .zonelessTime, .repeatedHour, .secondsTime, .suppliedTime, .nonStandalone, .operatorWithoutNumber,
            .sharedName, .noValue, .pingAllLost:
            .noted
        case .wrongWidth, .unreadableTime, .unknownKind, .nothingMeasured, .fieldMissing, .neighbourCell, .noCell: .left
        default: .mended
        }
    }
}

extension ImportRule {
    /// What was found, and what was done, for people.
    var words: String {
        switch self {
        case .zonelessTime: "time without a zone: read in the zone of --time-zone"
        case .repeatedHour: "time of an hour that clocks repeat: the earlier one, unless the row above is later"
        case .secondsTime: "time of ten digits: read as Unix seconds"
        case .suppliedTime: "file without times: that of --captured-at"
        case .nonStandalone: "\"5G\" with the cell of an LTE anchor: read as NR_NSA"
        case .operatorWithoutNumber: "operator by a name that is no PLMN: network unknown"
        case .sharedName: "file whose device has the name of another file's: a number is added to it"
        case .noValue: "\"-\" or an empty cell: left empty"
        case .pingAllLost: "all pings lost: loss 100 %, no latency"
        case .sentinel: "level of -160 dBm or less stands for nothing: left out"
        case .leakedMaximum: "2147483647 stands for nothing: left out"
        case .positiveRSRQ: "RSRQ above 0 dB: left out"
        case .otherRadioFigure: "level on 2G or 3G is RXLEV or RSCP: taken as rssi_dbm"
        case .otherQualityFigure: "quality on 2G or 3G is RXQUAL or Ec/No: left out"
        case .idleThroughput: "throughput of a phone that downloads nothing: left out"
        case .unknownCell: "cell identity 0 or -1: cell and area left out"
        case .operatorMissing: "operator \"0\": network unknown"
        case .operatorIsNumber: "operator as a raw PLMN: read as such"
        case .unknownNetwork: "unknown network type: UNKNOWN"
        case .implausible: "value outside the range of its field or network type: left out"
        case .placeholderValues: "values that phones write where they have none: left out"
        case .lossOverHundred: "loss over 100 %: left out"
        case .sameSecond: "second row of the same time: a millisecond later"
        case .clockWentBack: "clock went back: own time kept, row sorted in"
        case .outOfOrder: "row out of time order: sorted in"
        case .frozenPosition: "position frozen while moving: kept, with the distance it may be off as accuracy_m"
        case .noPosition: "no position, or exactly 0, 0: row kept without one"
        case .decimalComma: "decimal comma: read as a point"
        case .letterForDigit: "letter O for the digit 0: read as 0"
        case .splitNumber: "number with a space inside: left out, it could mean two things"
        case .placeholder: "\"_ _\" or the like: left empty"
        case .controlCharacter: "control character in a value: removed"
        case .otherEncoding: "bytes that are no UTF-8: read as Windows-1252"
        case .untrimmed: "spaces around a value: removed"
        case .longText: "text over 50 characters: cut after a whole item"
        case .unreadableValue: "value that cannot be read: left out"
        case .scoreMissing: "feedback without a score: taken as a report"
        case .wrongWidth: "more or fewer cells than the header: row left out"
        case .unreadableTime: "time that cannot be read: row left out"
        case .unknownKind: "unknown kind: row left out"
        case .nothingMeasured: "nothing but a time: row left out"
        case .fieldMissing: "a field that its kind needs is missing: row left out"
        case .neighbourCell: "cell that the phone only hears: row left out"
        case .noCell: "not a cell of a supported mobile network: row left out"
        }
    }
}
