public import Models

extension Choices {
    /// Radio technologies as phones, dashboards and field tools name them, with the numbers of Android's `TelephonyManager` (up to
    /// 20) and of RTR (see ``NetworkType``). The two differ in 1 alone, which is 2G in both.
    ///
    /// Families that the list does not have (CDMA, iDEN) are unknown. `5G` alone is `NR_SA`: statistics tell generations apart.
    public static let networkType = Choices(
        NetworkType.allCases.map(\.name),
        aliases: [
            "2G": "GSM", "2.5G": "GPRS", "2.75G": "EDGE", "EGPRS": "EDGE",
            "3G": "UMTS", "WCDMA": "UMTS", "UTRA": "UMTS", "TD-SCDMA": "UMTS",
            "HSDPA": "HSPA", "HSUPA": "HSPA", "3.5G": "HSPA", "HSPA+": "HSPA_PLUS", "HSPAP": "HSPA_PLUS",
            "H+": "HSPA_PLUS", "3.75G": "HSPA_PLUS", "DC-HSPA": "HSPA_PLUS", "DC-HSPA+": "HSPA_PLUS",
            "DC-HSPAP": "HSPA_PLUS",
            "4G": "LTE", "4G LTE": "LTE", "LTE 4G": "LTE", "EUTRA": "LTE", "LTE-A": "LTE_CA", "LTE+": "LTE_CA",
            "4G+": "LTE_CA", "4.5G": "LTE_CA", "4G LTE-A": "LTE_CA", "4G LTE+": "LTE_CA", "LTE Advanced": "LTE_CA",
            "LTE-A Pro": "LTE_CA", "LTE Advanced Pro": "LTE_CA", "LTE_ADV_PRO": "LTE_CA", "4G LTE-CA": "LTE_CA",
            "5G NSA": "NR_NSA", "NSA": "NR_NSA", "NSA 5G": "NR_NSA", "5G NR NSA": "NR_NSA", "EN-DC": "NR_NSA",
            "5G EN-DC": "NR_NSA", "NR_NSA_MMWAVE": "NR_NSA",
            "5G": "NR_SA", "NR": "NR_SA", "5G NR": "NR_SA", "5G SA": "NR_SA", "SA": "NR_SA", "SA 5G": "NR_SA",
            "5G NR SA": "NR_SA", "5G+": "NR_SA", "NR_ADVANCED": "NR_SA",
            "WLAN": "WIFI", "IWLAN": "WIFI", "LAN": "ETHERNET", "NO SERVICE": "NONE",
            "CDMA": "UNKNOWN", "1xRTT": "UNKNOWN", "CDMA - 1xRTT": "UNKNOWN", "EVDO": "UNKNOWN", "EVDO_0": "UNKNOWN",
            "EVDO_A": "UNKNOWN", "EVDO_B": "UNKNOWN", "CDMA - EvDo rev. 0": "UNKNOWN", "CDMA - EvDo rev. A": "UNKNOWN",
            "CDMA - EvDo rev. B": "UNKNOWN", "EHRPD": "UNKNOWN", "CDMA - eHRPD": "UNKNOWN", "iDEN": "UNKNOWN",
        ],
        numbers: [
            0: "UNKNOWN", 1: "GSM", 2: "EDGE", 3: "UMTS", 4: "UNKNOWN", 5: "UNKNOWN", 6: "UNKNOWN", 7: "UNKNOWN",
            8: "HSPA", 9: "HSPA", 10: "HSPA", 11: "UNKNOWN", 12: "UNKNOWN", 13: "LTE", 14: "UNKNOWN", 15: "HSPA_PLUS",
            16: "GSM", 17: "UMTS", 18: "WIFI", 19: "LTE_CA", 20: "NR_SA", 41: "NR_NSA", 42: "NR_NSA", 99: "WIFI",
            1000: "NONE",
        ])
    /// What happened (see ``NetworkEvent``).
    public static let event = Choices(NetworkEvent.allCases.map(\.name))
    /// Where MCC and MNC come from.
    public static let plmnSource = Choices(["sim", "network", "manual"])
    /// Why a subscriber rated.
    public static let trigger = Choices(["prompt", "voluntary", "emergency"])
    /// How speed and latency were measured: by ndt7 (with the latency echo beside it), by the echo alone, otherwise.
    public static let testMethod = Choices(["ndt7", "echo", "other"])
    /// What became of a prompt (see ``PromptOutcome``).
    package static let promptOutcome = Choices(PromptOutcome.allCases.map(\.name))
    /// Why a phone prompted (see ``PromptRule``).
    public static let promptRule = Choices(PromptRule.allCases.map(\.name))
    /// What a subscriber can write instead of a rating; the place in the list is the rating (0 is never written).
    package static let faces = Choices(
        ["", "😡", "😕", "😐", "🙂", "😍"],
        aliases: ["😡\u{FE0F}": "😡", "😕\u{FE0F}": "😕", "😐\u{FE0F}": "😐", "🙂\u{FE0F}": "🙂", "😍\u{FE0F}": "😍"])
}
