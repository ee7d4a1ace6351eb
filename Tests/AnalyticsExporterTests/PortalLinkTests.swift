import Models
import Testing

@testable import ExporterSupport

/// Links that open the page in a contact's log-in.
@Suite struct PortalLinkTests {
    private let caller = Caller(
        tenant: .builtIn, contact: "ann", role: .viewer, token: SecretDigest(of: "token"), session: nil)

    @Test func `a link is good once, and for a minute`() {
        let links = PortalLinks(), once = links.begin(for: caller, now: 0), late = links.begin(for: caller, now: 0)
        #expect(links.use(once, now: PortalLinks.lifetime - 1)?.token == caller.token && links.use(once, now: 1) == nil)
        #expect(links.use(late, now: PortalLinks.lifetime) == nil && links.use(late, now: 1) == nil)
        #expect(links.use("", now: 0) == nil)
    }

    @Test func `of more than there is room for, the oldest goes`() {
        let links = PortalLinks(), first = links.begin(for: caller, now: 0)
        let others = (0..<PortalLinks.limit).map { _ in links.begin(for: caller, now: 1) }
        #expect(links.use(first, now: 2) == nil && others.allSatisfy { links.use($0, now: 2)?.token == caller.token })
    }
}
