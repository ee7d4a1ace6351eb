public import Models

/// What an alarm is about.
public enum AlarmedSubject: Sendable, Hashable {
    /// A cell of level 16; nil where the position is missing or too unsure for one.
    case cell(Quadkey?)
    /// Something with a number, of a scheme such as `gauge`; nil where it is not known.
    case number(scheme: String, Int64?)
    /// Something that Nkul itself owes.
    case service(String)

    private static let cells = "cell", services = "service"

    /// Reads what ``scheme`` and ``text`` say; nil if they say nothing that can be.
    init?(scheme: String, text: String) {
        switch scheme {
        case Self.cells where text.isEmpty: self = .cell(nil)
        case Self.cells:
            guard let cell = Quadkey(text: text) else { return nil }
            self = .cell(cell)
        case Self.services: self = .service(text)
        case _ where text.isEmpty: self = .number(scheme: scheme, nil)
        default:
            guard let number = Int64(text) else { return nil }
            self = .number(scheme: scheme, number)
        }
    }

    /// `cell`, `service`, or the scheme of its number.
    public var scheme: String {
        switch self {
        case .cell: Self.cells
        case .number(let scheme, _): scheme
        case .service: Self.services
        }
    }

    /// Its name within the scheme, the quadkey of a cell; nothing where it is not known.
    public var text: String {
        switch self {
        case .cell(let cell): cell?.text ?? ""
        case .number(_, let number): number.map { String($0) } ?? ""
        case .service(let name): name
        }
    }

    /// The cell that it is, if it is one.
    public var cell: Quadkey? {
        guard case .cell(let cell) = self else { return nil }
        return cell
    }
}
