import ArgumentParser
import CommandSupport
import ServiceKit

/// `nkul admin device add`: a device for an app that speaks Geosubmit.
struct AdminDeviceAdd: AdminAction {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Makes a device for an app that speaks Geosubmit, and prints its key, once.",
        discussion: """
            Type what the person has signed: name each purpose that the person allows. Research, sharing with operators and rewards \
            cannot be allowed here.
            """)

    @Option(
        name: .long, help: "A purpose that is allowed: measurement, location_precise, location_coarse, call_events.")
    var consent: [String] = []
    @Option(name: .customLong("policy-version"), help: "The version of the privacy policy that was agreed to.")
    var policy: String
    @Option(name: .customLong("age-band"), help: "under_16, 16-17 or 18+, if it was said.") var ageBand: String?
    @Flag(name: .long, help: "A guardian has agreed.") var guardian = false
    @OptionGroup var options: AdminOptions

    func validate() throws {
        guard !consent.isEmpty else {
            throw ValidationError("--consent measurement is needed, as nothing is taken without it")
        }
    }

    func ask(_ control: ControlClients) async throws -> AdminAnswer {
        var arguments: [String: JSONValue] = [
            "consent": .array(consent.map { .string($0) }), "policy_version": .string(policy),
            "guardian": .bool(guardian),
        ]
        if let ageBand { arguments["age_band"] = .string(ageBand) }
        let added = try await control.ask(.ingest, "device.add", .object(arguments))
        return AdminAnswer(
            value: added,
            text: "device \(AdminTable.words(added["device"]))\nkey    \(AdminTable.words(added["key"]))\n"
                + "path   \(AdminTable.words(added["path"]))")
    }
}
