import Foundation
import IngestUploads
import ServiceKit
import TemporaryFiles
import Testing

@testable import IngestPanels

/// Files with the keys of panels that encrypt, and what refusals of uploads mean to panels.
@Suite struct PanelKeysTests {
    private static let key = String(repeating: "0f", count: 16)

    private func keys(_ json: String, _ directory: TemporaryDirectory) throws -> PanelKeys {
        let file = directory.path + "/dc09.json"
        try Data(json.utf8).write(to: URL(fileURLWithPath: file))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
        return try PanelKeys(file: file)
    }

    @Test func `an account is found however its letters are written`() throws {
        let directory = try TemporaryDirectory()
        let keys = try keys("{\"ab12\":\"\(Self.key)\",\"0001\":\"\(Self.key)\"}", directory)
        #expect(keys.has("AB12") && keys.has("0001") && !keys.has("1234"))
    }

    @Test func `a name that is no account is refused, with the file, the name and what is allowed`() throws {
        let directory = try TemporaryDirectory()
        for name in ["#1234", "12 34", "12", "", "xyz1", "12345678901234567"] {
            let error = #expect(throws: ServiceError.self) {
                try keys("{\"\(name)\":\"\(Self.key)\"}", directory)
            }
            #expect(
                error?.code == .usage
                    && error?.message.hasSuffix(
                        "/dc09.json: \"\(name)\" is not an account: 3…16 hexadecimal digits, without #") == true,
                "\(String(describing: error))")
        }
    }

    @Test func `an account that has two keys is refused`() throws {
        let directory = try TemporaryDirectory()
        let error = #expect(throws: ServiceError.self) {
            try keys("{\"ab12\":\"\(Self.key)\",\"AB12\":\"\(Self.key)\"}", directory)
        }
        #expect(error?.message.contains("/dc09.json: the account AB12 has two keys") == true)
    }

    @Test func `what is encrypted is the same each time, from an initial vector of zeros`() throws {
        let keys = PanelKeys(["1234": [UInt8](repeating: 15, count: 16)])
        let sealed = try #require(keys.seal("x]", of: "1234", random: { 0 }))
        let first = try Panel.decrypt(sealed, key: Self.key)
        #expect(first == "AAAAAAAAAAAAA|x]" && sealed == keys.seal("x]", of: "1234", random: { 0 }))
    }

    @Test func `a panel is told to set its clock only if a time is wrong`() {
        #expect(PanelReceiver.Outcome(RowCode.tooOld) == .clock && PanelReceiver.Outcome(RowCode.inFuture) == .clock)
        for code in RowCode.allCases where code != .tooOld && code != .inFuture {
            let isOfDevice = code == .notConsented || code == .erased
            #expect(PanelReceiver.Outcome(code) == (isOfDevice ? .unknownZone : nil), "\(code)")
        }
    }

    @Test func `a panel sends again if the service fails, and only the device's own refusals are its zone's`() {
        for code in ProblemCode.allCases {
            let isOfDevice = code == .deviceErased || code == .noMeasurementConsent
            let expected: PanelReceiver.Outcome? =
                isOfDevice ? .unknownZone : DeviceAPIError(code).status >= 500 ? .busy : nil
            #expect(PanelReceiver.Outcome(code) == expected, "\(code)")
        }
    }
}
