/// What is wrong with one parameter of a request; answered as a 400 problem document that names the field.
struct ParameterFault: Error, Equatable {
    /// The parameter's name.
    let field: String
    /// What is wrong with it, for people; names what is allowed.
    let detail: String
    /// A word for programs: `invalid_parameter`, `unknown_parameter`, `too_many_cells`.
    let code: String

    init(_ field: String, _ detail: String, code: String = "invalid_parameter") {
        self.field = field
        self.detail = detail
        self.code = code
    }
}
