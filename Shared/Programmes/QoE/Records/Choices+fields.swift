public import Models

extension Choices {
    /// Radio technologies as phones name them, with RTR's numbers (see ``NetworkType``).
    public static let networkType = Choices(
        NetworkType.allCases.map(\.name),
        aliases: [
            "2G": "GSM", "3G": "UMTS", "4G": "LTE", "5G": "NR_SA", "HSDPA": "HSPA", "HSUPA": "HSPA",
            "HSPA+": "HSPA_PLUS",
            "LTE-A": "LTE_CA", "LTE_A": "LTE_CA", "NR": "NR_SA", "5G-NSA": "NR_NSA", "5G-SA": "NR_SA",
        ],
        numbers: [
            1: "GSM", 2: "EDGE", 3: "UMTS", 8: "HSPA", 9: "HSPA", 10: "HSPA", 13: "LTE", 15: "HSPA_PLUS", 19: "LTE_CA",
            20: "NR_SA", 41: "NR_NSA", 42: "NR_NSA", 99: "WIFI", 1000: "NONE",
        ])
    /// What happened (see ``NetworkEvent``).
    public static let event = Choices(NetworkEvent.allCases.map(\.name))
    /// Where MCC and MNC come from.
    public static let plmnSource = Choices(["sim", "network", "manual"])
    /// Why a subscriber rated.
    public static let trigger = Choices(["prompt", "voluntary", "emergency"])
    /// What became of a prompt (see ``PromptOutcome``).
    public static let promptOutcome = Choices(PromptOutcome.allCases.map(\.name))
    /// Why a phone prompted (see ``PromptRule``).
    public static let promptRule = Choices(PromptRule.allCases.map(\.name))
    /// What a subscriber can write instead of a rating; the place in the list is the rating (0 is never written).
    public static let faces = Choices(
        ["", "😡", "😕", "😐", "🙂", "😍"],
        aliases: ["😡\u{FE0F}": "😡", "😕\u{FE0F}": "😕", "😐\u{FE0F}": "😐", "🙂\u{FE0F}": "🙂", "😍\u{FE0F}": "😍"])
}
