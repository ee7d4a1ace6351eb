import CommandSupport
import Foundation
import ServiceKit
import Testing

struct DraftFileTests {
    private let folder = ScratchFolder()
    private var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() }
    }

    @Test func `a file appears when it is complete, with the mode that was asked for`() throws {
        let file = try DraftFile("\(folder.path)/a", mode: 0o600, isReplacing: false)
        try file.write(Array("text".utf8))
        try file.sync()
        #expect(try names == ["a.\(getpid()).part"])
        try file.publish()
        #expect(try names == ["a"] && folder.bytes("a") == Array("text".utf8))
        let attributes = try FileManager.default.attributesOfItem(atPath: "\(folder.path)/a")
        #expect(attributes[.posixPermissions] as? Int == 0o600)
    }

    @Test func `a draft that is not published goes, and touches no other file`() throws {
        folder.write("a.part", "precious")
        do {
            let file = try DraftFile("\(folder.path)/a", isReplacing: true)
            try file.write([1])
            #expect(throws: ServiceError.self) { try DraftFile("\(folder.path)/a", isReplacing: true) }
        }
        #expect(try names == ["a.part"] && folder.bytes("a.part") == Array("precious".utf8))
    }

    @Test func `a file that was there, or came meanwhile, is not replaced unless that is wished`() throws {
        do {
            let late = try DraftFile("\(folder.path)/a", isReplacing: false)
            folder.write("a", "precious")
            #expect(throws: ServiceError.self) { try late.publish() }
            #expect(throws: ServiceError.self) { try DraftFile("\(folder.path)/a", isReplacing: false) }
        }
        #expect(try names == ["a"] && folder.bytes("a") == Array("precious".utf8))
        let other = try DraftFile("\(folder.path)/a", isReplacing: true)
        try other.sync()
        try other.publish()
        #expect(folder.bytes("a") == [])
    }
}
