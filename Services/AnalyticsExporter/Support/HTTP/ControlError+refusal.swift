package import Models
package import ServiceKit

extension ControlError {
    /// Names the first member of a document that is wrong as every refusal does, and the others behind it.
    package init(_ refusal: DocumentRefusal) {
        let named = refusal.problems.map {
            (field: $0.path.isEmpty ? "document" : "document.\($0.path)", text: $0.text)
        }
        let others = named.dropFirst().map { "; \($0.field) \($0.text)" }.joined()
        self = .argument(named[0].field, named[0].text + others)
    }
}
