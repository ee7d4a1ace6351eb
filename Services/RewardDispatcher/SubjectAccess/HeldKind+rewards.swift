internal import SubjectRights

extension HeldKind {
    /// What the dispatcher may hold about a subscriber.
    static let rewards = [payoutNumber, nickname, carriedBalance, contributions, captureTrace, grant, ledgerEntry]

    private static let payoutNumber = HeldKind(
        "payout_number",
        what: BilingualText(
            en: "the phone number that rewards go to", fr: "le numéro de téléphone qui reçoit les récompenses"),
        why: BilingualText(en: "paying rewards", fr: "payer les récompenses"),
        kept: BilingualText(
            en: "until another is given, the consent to rewards is withdrawn, or it is erased",
            fr: "jusqu'à ce qu'un autre soit donné, que l'accord aux récompenses soit retiré, ou qu'il soit effacé"),
        members: [
            HeldMember("phone", .string, "E.164"), HeldMember("operator", .string, "MCC and MNC"),
            HeldMember("since_ms", .integer, "Unix milliseconds"),
        ])

    private static let carriedBalance = HeldKind(
        "carried_balance",
        what: BilingualText(
            en: "what was paid by rewards whose link to the person is gone, one sum",
            fr: "ce qui fut payé par des récompenses dont le lien à la personne a disparu, une somme"),
        why: BilingualText(
            en: "showing what was paid in all", fr: "montrer ce qui fut payé en tout"),
        kept: BilingualText(en: "until it is erased", fr: "jusqu'à son effacement"),
        members: [HeldMember("paid_xaf", .integer, "whole XAF")])

    private static let nickname = HeldKind(
        "nickname",
        what: BilingualText(
            en: "the name under which you are shown in standings", fr: "le nom sous lequel vous figurez aux classements"
        ),
        why: BilingualText(en: "standings", fr: "les classements"),
        kept: BilingualText(
            en: "until another is given, or the consent to standings is withdrawn",
            fr: "jusqu'à ce qu'un autre soit donné, ou que l'accord aux classements soit retiré"),
        members: [HeldMember("nickname", .string, "as others see it")])

    private static let captureTrace = HeldKind(
        "capture_trace",
        what: BilingualText(
            en: "when and where the newest rewarded record was captured, and how many in that minute",
            fr: "quand et où le dernier enregistrement récompensé a été pris, et combien cette minute-là"),
        why: BilingualText(
            en: "to see that rewards go to people who travel as people do",
            fr: "pour voir que les récompenses vont à des gens qui se déplacent comme des gens"),
        kept: BilingualText(en: "until the next one, or its erasure", fr: "jusqu'au suivant, ou son effacement"),
        members: [
            HeldMember("minute", .integer, "minutes since 1970"), HeldMember("count", .integer, "records"),
            HeldMember("at_ms", .integer, "Unix ms; left out without a position"),
            HeldMember("latitude", .integer, "1e-7 degrees"), HeldMember("longitude", .integer, "1e-7 degrees"),
        ])

    private static let contributions = HeldKind(
        "contributions_of_day",
        what: BilingualText(
            en: "how many records of a kind were contributed on a day",
            fr: "nombre d'enregistrements d'un type fournis un jour"),
        why: BilingualText(en: "streaks, goals and badges", fr: "séries, objectifs et badges"),
        kept: BilingualText(en: "until it is erased", fr: "jusqu'à son effacement"),
        members: [
            HeldMember("measure", .string, "the kind"), HeldMember("day", .integer, "local day of capture, since 1970"),
            HeldMember("amount", .integer, "records"),
        ])

    private static let grant = HeldKind(
        "grant",
        what: BilingualText(
            en: "rewards granted for feedback, and how far their payment is",
            fr: "récompenses accordées pour des avis, et l'état de leur paiement"),
        why: BilingualText(
            en: "paying each reward once", fr: "payer chaque récompense une seule fois"),
        kept: BilingualText(
            en: "as long as accounts must be kept (docs/retention.md); an erasure takes the link to the person at once",
            fr:
                "aussi longtemps que les comptes (docs/retention.md) ; un effacement supprime aussitôt le lien à la personne"
        ),
        members: [
            HeldMember("grant", .string, "identifier"),
            HeldMember("campaign", .string, "what it was granted by"),
            HeldMember("record", .string, "the feedback, UUID"),
            HeldMember("amount_xaf", .integer, "whole XAF"), HeldMember("state", .string, "of the payment"),
            HeldMember("received_at_ms", .integer, "when the feedback came, Unix milliseconds"),
            HeldMember("changed_at_ms", .integer, "when the state last changed, Unix milliseconds"),
            HeldMember("attempts", .integer, "times the provider was told to pay"),
            HeldMember("reference", .string, "of the last attempt, for the provider; left out if there was none"),
            HeldMember("provider_id", .string, "the provider's own name of it; left out if it has told none"),
            HeldMember("reason", .string, "the provider's last word; left out if there is none"),
        ])

    private static let ledgerEntry = HeldKind(
        "ledger_entry",
        what: BilingualText(
            en: "entries of the ledger about those rewards", fr: "écritures comptables sur ces récompenses"),
        why: BilingualText(en: "books that balance", fr: "des comptes équilibrés"),
        kept: BilingualText(
            en: "10 years, without the link to the person after an erasure (docs/retention.md)",
            fr: "10 ans, sans le lien à la personne après un effacement (docs/retention.md)"),
        members: [
            HeldMember("transaction", .string, "grant and number of the movement"),
            HeldMember("line", .integer, "place in the transaction"),
            HeldMember("account", .string, "budget, owed, float or paid"),
            HeldMember("amount_xaf", .integer, "whole XAF"),
            HeldMember("side", .string, "debit: enters the account; credit: leaves it"),
            HeldMember("at_ms", .integer, "Unix milliseconds"),
        ])
}
