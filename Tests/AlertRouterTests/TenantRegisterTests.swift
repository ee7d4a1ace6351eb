import Foundation
import Models
import Testing

@testable import AlertRouter

@Suite
struct TenantRegisterTests {
    private func tenant(_ name: String, _ number: Int64, _ plmns: [String] = ["62401"]) throws -> Added {
        try Added(name, number, plmns)
    }

    @Test
    func `a tenant is added once, changed when its document is another one, and removed by its name`() throws {
        var register = TenantRegister()
        var mtn = try tenant("mtn", 1)
        #expect(register.handle(.put(mtn.document)) == [.add(mtn.tenant)])
        #expect(register.handle(.put(mtn.document)).isEmpty)
        let before = mtn.tenant
        mtn.document.plmns = ["62401", "62404"]
        #expect(register.handle(.put(mtn.document)) == [.change(mtn.tenant, from: before)])
        #expect(register.handle(.remove(name: "mtn")) == [.remove(mtn.tenant)])
        #expect(register.handle(.remove(name: "mtn")).isEmpty)
        #expect(register.tenants.isEmpty)
    }

    @Test
    func `a number belongs to one tenant for ever, and a name that comes with another number is another tenant`() throws
    {
        var register = TenantRegister()
        let mtn = try tenant("mtn", 1), again = try tenant("mtn", 2), orange = try tenant("orange", 1)
        _ = register.handle(.put(mtn.document))
        #expect(register.handle(.put(orange.document)).first?.isRefusal == true)
        #expect(register.handle(.put(again.document)) == [.remove(mtn.tenant), .add(again.tenant)])
        #expect(register.handle(.put(orange.document)).first?.isRefusal == true)
        #expect(register.handle(.put(mtn.document)).first?.isRefusal == true)
        #expect(register.tenants == [again.tenant])
    }

    @Test(arguments: [
        "", "regulator", "lanes", "../regulator", "a/b", ".hidden", "a b", "a\"b", "é", "a\n",
        String(repeating: "a", count: 65),
    ])
    func `a name that means something else to files or handshakes is refused`(name: String) throws {
        var register = TenantRegister()
        #expect(register.handle(.put(try tenant(name, 1).document)).first?.isRefusal == true)
        #expect(register.tenants.isEmpty)
    }

    @Test(arguments: [-1, 0, 32_768] as [Int64])
    func `a number that has no ports and a key that is none are refused`(number: Int64) throws {
        var register = TenantRegister()
        #expect(register.handle(.put(try tenant("mtn", number).document)).first?.isRefusal == true)
        var keyless = try tenant("mtn", 1)
        keyless.document.clientPublicKey = "short"
        #expect(register.handle(.put(keyless.document)).first?.isRefusal == true)
    }

    @Test
    func `the built-in regulator may be listed and stays as it is`() throws {
        var register = TenantRegister()
        #expect(register.handle(.put(try tenant("regulator", 0, []).document)).isEmpty)
        #expect(register.tenants.isEmpty)
    }

    @Test
    func `a tenant is told alarms of its SIMs and of its network; the unknown network is nobody's`() throws {
        let (mtn, orange, nexttel) = (PLMN(mcc: 624, mnc: 1), PLMN(mcc: 624, mnc: 2), PLMN(mcc: 624, mnc: 4))
        let own = try tenant("mtn", 1, ["62401", "62404", "rubbish", ""]).tenant
        #expect(own.isTold(of: Scope(mtn), servedBy: []))
        #expect(own.isTold(of: Scope(orange), servedBy: [nexttel]))
        #expect(!own.isTold(of: Scope(orange), servedBy: []))
        #expect(!own.isTold(of: Scope(.unknown), servedBy: [.unknown]))
        #expect(try Added("art", 2, [], isRegulator: true).tenant.isTold(of: Scope(.unknown), servedBy: []))
        #expect(own.isTold(of: nil, servedBy: []) == false)
        #expect(try Added("art", 2, [], isRegulator: true).tenant.isTold(of: nil, servedBy: []))
        #expect(try tenant("none", 3, []).tenant.isTold(of: Scope(.unknown), servedBy: []) == false)
    }

    @Test
    func `a document without scopes owns its networks, one with scopes those too, and nothing unknown`() throws {
        let old =
            #"{"name":"a","plmns":["62401"],"number":1,"regulator":false,"original_ids":false,"client_public_key":"k"}"#
        let document = try JSONDecoder().decode(TenantDocument.self, from: Data(old.utf8))
        #expect(document.scopes == nil && document.owned == [Scope(PLMN(mcc: 624, mnc: 1))])
        #expect(try !String(decoding: JSONEncoder().encode(document), as: UTF8.self).contains("scopes"))
        var new = try Added("b", 2, ["62402", "00000"], scopes: ["site:12", "site:0", "site", "SITE:1", "campus:3"])
        let owned: Set = [
            Scope(PLMN(mcc: 624, mnc: 2)), Scope(scheme: "site", number: 12), Scope(scheme: "campus", number: 3),
        ]
        #expect(new.tenant.scopes == owned)
        var register = TenantRegister(tenants: [new.tenant])
        let before = new.tenant
        new.document.scopes = ["site:12"]
        #expect(register.handle(.put(new.document)) == [.change(new.tenant, from: before)])
    }
}

extension TenantRegister.Action {
    fileprivate var isRefusal: Bool { if case .refuse = self { true } else { false } }
}
