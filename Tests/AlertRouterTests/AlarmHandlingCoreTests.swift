import Models
import Testing

@testable import AlertRouter

/// What may be done to an alarm, by whom and when: pure.
@Suite
struct AlarmHandlingCoreTests {
    private static let now: UnixMilliseconds = 1_772_366_400_000
    private static let open = AlarmHandlingCore.Standing(isCleared: false, mayClear: true)
    private static let over = AlarmHandlingCore.Standing(isCleared: true, mayClear: true)

    private var core = AlarmHandlingCore(AlarmHandling(alarm: "a", tenant: "orange"))

    private static func command(
        _ act: AlarmCommand.Act, by contact: String = "ann", version: Int64? = nil, until: UnixMilliseconds? = nil,
        to: String? = nil, parent: String? = nil, text: String? = nil, isUseful: Bool? = nil
    ) -> AlarmCommand {
        AlarmCommand(
            task: "t", alarm: "a", act: act, tenant: "orange", contact: contact, at: now, version: version,
            until: until,
            to: to, parent: parent, text: text, isUseful: isUseful)
    }

    private mutating func apply(
        _ act: AlarmCommand.Act, by contact: String = "ann", until: UnixMilliseconds? = nil, to: String? = nil,
        text: String? = nil, at now: UnixMilliseconds = Self.now
    ) throws {
        _ = try core.apply(
            Self.command(act, by: contact, until: until, to: to, text: text), Self.open, now: now)
    }

    @Test mutating func `who acknowledges has the alarm until that runs out, eight hours unless said otherwise`() throws
    {
        try apply(.acknowledge)
        #expect(core.handling.owner == "ann" && core.handling.version == 1)
        #expect(core.handling.acknowledgement?.until == Self.now + 8 * 3_600_000)
        try apply(.acknowledge, until: Self.now + 60_000)
        #expect(core.handling.dueAt == Self.now + 60_000)
        let early = core.expire(isReminded: true, now: Self.now + 59_999)
        let due = core.expire(isReminded: true, now: Self.now + 60_000)
        #expect(!early && due)
        #expect(core.handling.owner == nil && core.handling.acknowledgement == nil && core.handling.reminders == 1)
    }

    @Test mutating func `somebody else's alarm is handed over: it stays with whoever has it until the other accepts`()
        throws
    {
        try apply(.acknowledge)
        #expect(throws: AlarmHandlingCore.Refusal.owned(by: "ann")) { try apply(.acknowledge, by: "bob") }
        #expect(throws: AlarmHandlingCore.Refusal.owned(by: "ann")) { try apply(.offer, by: "bob", to: "cid") }
        try apply(.offer, to: "bob", text: "my shift ends")
        #expect(core.handling.owner == "ann" && core.handling.offer?.to == "bob")
        #expect(throws: AlarmHandlingCore.Refusal.offered(to: "bob")) { try apply(.accept, by: "cid") }
        try apply(.decline, by: "bob")
        #expect(core.handling.owner == "ann" && core.handling.offer == nil)
        #expect(throws: AlarmHandlingCore.Refusal.offered(to: nil)) { try apply(.accept, by: "bob") }
        try apply(.offer, to: "bob")
        try apply(.accept, by: "bob")
        #expect(core.handling.owner == "bob" && core.handling.acknowledgement?.contact == "bob")
    }

    @Test mutating func `once it is over only comments and ratings are taken`() throws {
        try apply(.acknowledge)
        let first = core.end(), second = core.end()
        #expect(first && !second)
        for act in AlarmCommand.Act.allCases {
            let command = Self.command(
                act, until: Self.now + 1, to: "bob", text: "words", isUseful: true)
            if act == .comment || act == .rate {
                #expect(throws: Never.self) { try core.apply(command, Self.over, now: Self.now) }
            } else {
                #expect(throws: AlarmHandlingCore.Refusal.cleared) { try core.apply(command, Self.over, now: Self.now) }
            }
        }
        // Who had it can be seen, and does not run out.
        let expired = core.expire(isReminded: true, now: .max - 1)
        #expect(core.handling.owner == "ann" && !expired)
    }

    @Test mutating func `of two who saw the same version the second one learns that somebody was quicker`() throws {
        _ = try core.apply(Self.command(.acknowledge, version: 0), Self.open, now: Self.now)
        #expect(throws: AlarmHandlingCore.Refusal.version(1)) {
            try core.apply(Self.command(.clear, by: "bob", version: 0), Self.open, now: Self.now)
        }
        #expect(core.handling.clearing == nil)
    }

    @Test mutating func `only who owns what it is about may clear it, or a regulator`() throws {
        #expect(throws: AlarmHandlingCore.Refusal.foreign) {
            try core.apply(Self.command(.clear), .init(isCleared: false, mayClear: false), now: Self.now)
        }
        let isCleared = try core.apply(Self.command(.clear), Self.open, now: Self.now)
        #expect(isCleared)
        #expect(core.handling.clearing?.contact == "ann" && core.handling.version == 1)
    }

    @Test mutating func `times outside of a week and what lacks words are refused, and nothing changes`() throws {
        let before = core.handling
        for until in [Self.now, Self.now - 1, Self.now + AlarmHandlingCore.longest + 1] {
            #expect(throws: AlarmHandlingCore.Refusal.self) { try apply(.acknowledge, until: until) }
            #expect(throws: AlarmHandlingCore.Refusal.self) { try apply(.shelve, until: until, text: "x") }
        }
        #expect(throws: AlarmHandlingCore.Refusal.self) { try apply(.shelve, until: Self.now + 1) }
        #expect(throws: AlarmHandlingCore.Refusal.self) { try apply(.shelve, text: "x") }
        #expect(throws: AlarmHandlingCore.Refusal.self) { try apply(.comment) }
        #expect(throws: AlarmHandlingCore.Refusal.self) { try apply(.offer) }
        #expect(throws: AlarmHandlingCore.Refusal.self) { try apply(.offer, to: "ann") }
        #expect(throws: AlarmHandlingCore.Refusal.notShelved) { try apply(.unshelve) }
        #expect(throws: AlarmHandlingCore.Refusal.notAcknowledged) { try apply(.unacknowledge) }
        #expect(core.handling == before)
    }

    @Test mutating func `groups are flat, bounded, and an alarm is in one at most`() throws {
        func group(_ core: inout AlarmHandlingCore, _ act: AlarmCommand.Act, _ parent: String?) throws {
            _ = try core.apply(Self.command(act, parent: parent), Self.open, now: Self.now)
        }
        #expect(throws: AlarmHandlingCore.Refusal.ownParent) { try group(&core, .group, "a") }
        #expect(throws: AlarmHandlingCore.Refusal.notGrouped) { try group(&core, .ungroup, nil) }
        try group(&core, .group, "p")
        #expect(core.handling.parent == "p" && core.handling.version == 1)
        #expect(throws: AlarmHandlingCore.Refusal.grouped(under: "p")) { try group(&core, .group, "q") }
        #expect(throws: AlarmHandlingCore.Refusal.notGrouped) { try group(&core, .ungroup, "q") }
        #expect(throws: AlarmHandlingCore.Refusal.isChild("p")) { try core.adopt("b") }
        try group(&core, .ungroup, "p")
        #expect(core.handling.parent == nil)
        for number in 1...AlarmHandling.mostChildren { try core.adopt("\(number)") }
        #expect(throws: AlarmHandlingCore.Refusal.tooManyChildren) { try core.adopt("one more") }
        #expect(throws: AlarmHandlingCore.Refusal.hasChildren) { try group(&core, .group, "p") }
        let first = core.release("7"), second = core.release("7")
        #expect(first && !second && core.handling.children?.count == AlarmHandling.mostChildren - 1)
    }

    @Test mutating func `groups by hand and those of storms are shown together`() throws {
        try core.adopt("c1")
        let storm = #"{"id":"a","ackState":"unacknowledged","correlatedAlarm":[{"id":"s1"}],"children":1}"#
        let shown = String(decoding: core.handling.shown(in: Array(storm.utf8)), as: UTF8.self)
        #expect(
            shown.contains(
                #""correlatedAlarm":[{"id":"c1","href":"/tmf-api/alarmManagement/v4/alarm/c1"},{"id":"s1"}]"#))
        let plain = String(
            decoding: core.handling.shown(in: Array(#"{"ackState":"unacknowledged"}"#.utf8)), as: UTF8.self)
        #expect(plain.contains(#""correlatedAlarm":[{"id":"c1","href""#))
    }

    @Test mutating func `comments are bounded`() throws {
        for number in 1...AlarmHandling.mostComments { try apply(.comment, text: "\(number)") }
        #expect(throws: AlarmHandlingCore.Refusal.tooManyComments) { try apply(.comment, text: "one more") }
        #expect(core.handling.comments.count == AlarmHandling.mostComments)
    }

    @Test
    mutating func `a document shows the handling where it says that nobody has begun, and nothing else of it changes`()
        throws
    {
        try apply(.acknowledge)
        try apply(.comment, text: "say \"hello\" \u{5c}")
        let document = Array(#"{"id":"a","ackState":"unacknowledged","devices":3}"#.utf8)
        let shown = String(decoding: core.handling.shown(in: document), as: UTF8.self)
        #expect(shown.hasPrefix(#"{"id":"a","ackState":"acknowledged","handlingVersion":2,"ackUserId":"ann""#))
        #expect(shown.contains(#""comment":"say \"hello\" \\""#) && shown.hasSuffix(#","devices":3}"#))
        #expect(core.handling.shown(in: Array("{}".utf8)) == Array("{}".utf8))
    }

    @Test mutating func `the end of planned work leaves the version, and what runs out with it raises it`() throws {
        try apply(.acknowledge, until: Self.now + 120_000)
        core.handling.planned = .init(maintenance: "masts", reason: "r", until: Self.now + 60_000)
        let isOver = core.expire(isReminded: false, now: Self.now + 60_000)
        #expect(isOver && core.handling.planned == nil && core.handling.version == 1)
        let hasRunOut = core.expire(isReminded: true, now: Self.now + 120_000)
        #expect(hasRunOut && core.handling.version == 2 && core.handling.reminders == 1)
    }

    @Test mutating func `children that are over make room in a group that is full`() throws {
        for number in 1...AlarmHandling.mostChildren { try core.adopt("\(number)") }
        #expect(throws: AlarmHandlingCore.Refusal.tooManyChildren) { try core.adopt("one more") }
        try core.adopt("one more", over: ["3", "5"])
        let children = try #require(core.handling.children)
        #expect(children.count == AlarmHandling.mostChildren - 1 && children.last == "one more")
        #expect(!children.contains("3") && !children.contains("5"))
    }
}
