internal import Foundation
internal import IngestSupport
internal import Models
internal import SubjectRights

/// The first line of a copy: what is held, from when to when, how much, why, how long, and whom to ask; for people in English
/// and in French, and for programs.
struct AccessSummary {
    private struct Kind: Encodable {
        let kind: String
        let service: String
        let count: Int
        let from_ms: UnixMilliseconds?
        let to_ms: UnixMilliseconds?
        let what: BilingualText
        let why: BilingualText
        let kept: BilingualText
    }

    private struct Text: Encodable {
        let en: [String]
        let fr: [String]
    }

    private struct Line: Encodable {
        let request_id: String
        let device_id: String
        let requested_at_ms: UnixMilliseconds
        let expires_at_ms: UnixMilliseconds
        let lines: Int
        /// False if a service held more than a copy may have.
        let complete: Bool
        let text: Text
        let kinds: [Kind]
    }

    private let ticket: AccessTicket
    private let device: String
    private let contents: [AccessContents]
    private let contact: String?

    init(_ ticket: AccessTicket, device: String, contents: [AccessContents], contact: String?) {
        self.ticket = ticket
        self.device = device
        self.contents = contents
        self.contact = contact
    }

    /// The line, ended by a line feed.
    var line: [UInt8] {
        get throws {
            let kinds = contents.flatMap { contents in
                contents.kinds.map { held in
                    Kind(
                        kind: held.kind.kind, service: contents.service, count: held.count, from_ms: held.from,
                        to_ms: held.to, what: held.kind.what, why: held.kind.why, kept: held.kind.kept)
                }
            }
            let line = Line(
                request_id: ticket.request, device_id: device, requested_at_ms: ticket.requestedAt,
                expires_at_ms: ticket.expiresAt, lines: lines, complete: isComplete,
                text: Text(en: english, fr: french), kinds: kinds)
            // `kind` and `service` come first in every line, for people who look at the file.
            return Self.withNames(try SortedJSON.bytes(of: line))
        }
    }

    private static func withNames(_ json: [UInt8]) -> [UInt8] {
        Array("{\"kind\":\"summary\",\"service\":\"ingest\",".utf8) + json.dropFirst() + [UInt8(ascii: "\n")]
    }

    private var lines: Int { contents.reduce(0) { $0 + $1.lines } }
    private var isComplete: Bool { !contents.contains(where: \.isCutShort) }

    private var held: [AccessContents.Held] { contents.flatMap(\.kinds) }

    private var english: [String] {
        ["This file holds what Nkul keeps about device \(device): \(lines) lines. Each line is a JSON object."]
            + ["`kind` says what a line is; lines of kind `schema` describe the members of the others."]
            + (isComplete
                ? [] : ["More is held than one copy can have: the rest can be asked for from the contact below."])
            + held.map { held in
                let period = Self.period(held, "from", "to")
                return
                    "\(held.kind.what.en): \(held.count)\(period). Why: \(held.kind.why.en). Kept: \(held.kind.kept.en)."
            } + [
                "The same records also pass through queues between services, for about an hour; they are not repeated here.",
                "Tokens and keys are kept as hashes or not at all. You may change consents (PUT /v1/me/consent) and have "
                    + "everything or a part erased (POST /v1/me/erasures).",
                "Questions and corrections: \(contact ?? "the operator of this service").",
            ]
    }

    private var french: [String] {
        [
            "Ce fichier contient ce que Nkul garde sur l'appareil \(device) : \(lines) lignes. Chaque ligne est un objet JSON."
        ]
            + ["`kind` dit ce qu'est une ligne ; les lignes `schema` décrivent les membres des autres."]
            + (isComplete
                ? []
                : ["Il y a plus de données qu'une copie ne peut en contenir : demandez le reste au contact ci-dessous."])
            + held.map { held in
                let period = Self.period(held, "du", "au")
                return
                    "\(held.kind.what.fr) : \(held.count)\(period). Pourquoi : \(held.kind.why.fr). Conservation : \(held.kind.kept.fr)."
            } + [
                "Les mêmes données passent aussi par les files entre services, pendant une heure environ ; elles ne sont pas "
                    + "répétées ici.",
                "Les jetons et les clés sont gardés sous forme d'empreintes ou pas du tout. Vous pouvez changer vos accords "
                    + "(PUT /v1/me/consent) et faire effacer tout ou partie (POST /v1/me/erasures).",
                "Questions et rectifications : \(contact ?? "l'opérateur de ce service").",
            ]
    }

    private static func period(_ held: AccessContents.Held, _ from: String, _ to: String) -> String {
        guard let first = held.from, let last = held.to else { return "" }
        return ", \(from) \(day(first)) \(to) \(day(last))"
    }

    private static func day(_ time: UnixMilliseconds) -> String {
        Date(timeIntervalSince1970: Double(time) / 1_000).formatted(Date.ISO8601FormatStyle().year().month().day())
    }
}
