/// A sentence for subscribers, in the two official languages of Cameroon.
public struct BilingualText: Codable, Sendable, Equatable {
    public var en: String
    public var fr: String

    public init(en: String, fr: String) {
        self.en = en
        self.fr = fr
    }
}
