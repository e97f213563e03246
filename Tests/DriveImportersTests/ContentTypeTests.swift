import CLinux
import Glibc
import Testing

@testable import DriveImporters
@testable import DriveImporting
@testable import DriveTypes

@Suite struct ContentTypeTests {
    private let builtIn = ContentTypes(database: nil)

    private func type(_ name: String, _ bytes: [UInt8] = []) -> ContentType {
        builtIn.type(name: Array(name.utf8), firstBytes: bytes)
    }

    @Test func suffixesTellTheType() {
        #expect(type("Report.PDF").identifier == "com.adobe.pdf")
        #expect(type("a.tar.gz").identifier == "org.gnu.gnu-zip-tar-archive")
        #expect(type("a.b.gz").identifier == "org.gnu.gnu-zip-archive")
        #expect(type("main.swift").kind == "source")
        #expect(type("x.docx").kind == "document")
        #expect(type("x.xlsx").kind == "spreadsheet")
        #expect(type("x.odp").kind == "presentation")
        #expect(type("x.HEIC").kind == "image")
        #expect(type("pdf").identifier == "public.data")
        #expect(builtIn.folder.kind == "folder")
        #expect(builtIn.link.kind == "link")
    }

    @Test func treesLeadToWhatAllFilesAre() {
        for row in TypeTree.shared.rows.values {
            let tree = TypeTree.shared.closure([row.identifier])
            #expect(tree.first == row.identifier)
            #expect(Set(tree).count == tree.count)
            #expect(tree.contains("public.item") || tree.contains("public.content"), "\(row.identifier)")
            for parent in row.parents { #expect(TypeTree.shared.rows[parent] != nil, "\(parent)") }
        }
        #expect(
            type("a.md").tree == [
                "net.daringfireball.markdown", "public.plain-text", "public.text", "public.data",
                "public.content", "public.item",
            ])
    }

    @Test func firstBytesTellWhereTheNameSaysNothing() {
        #expect(type("x", Array("%PDF-1.7".utf8)).identifier == "com.adobe.pdf")
        #expect(type("x", Images.png()).identifier == "public.png")
        #expect(type("x", OpenDocument.text("")).identifier == "org.oasis-open.opendocument.text")
        #expect(type("x", Array("#!/usr/bin/env python3\n".utf8)).identifier == "public.python-script")
        #expect(type("x", Array("#!/bin/sh\n".utf8)).identifier == "public.shell-script")
        #expect(type("x", Array("  <!DOCTYPE HTML>".utf8)).identifier == "public.html")
        #expect(type("x", Array("just words".utf8)).identifier == "public.plain-text")
        #expect(type("x", [0, 1, 2, 3, 0, 0, 0]).identifier == "public.data")
    }

    @Test(.enabled(if: MIMEDatabase.installed != nil, "shared-mime-info is not installed"))
    func theDatabaseAndTheTableAgree() throws {
        let database = try #require(MIMEDatabase.installed)
        let both = ContentTypes(database: database)
        // Where the database is of another mind on purpose or knows several.
        let differing: Set<String> = ["ts", "mkd"]
        var compared = 0
        for (suffix, row) in TypeTree.shared.bySuffix where !differing.contains(suffix) {
            let name = Array("x.\(suffix)".utf8)
            #expect(both.type(name: name)?.identifier == row.identifier, "\(suffix)")
            let claims = database.types(named: "x.\(suffix)")
            guard !claims.isEmpty else { continue }
            compared += 1
            let meant =
                claims.contains { both.type(mime: $0).tree.contains(row.identifier) }
                || claims.contains { claim in row.parents.contains(both.type(mime: claim).identifier) }
            #expect(meant, "\(suffix) is \(row.identifier) here and \(claims) there")
        }
        #expect(compared > 100)
    }

    @Test func theDatabaseAddsWhatTheTableLacks() throws {
        let database = MIMEDatabase(
            globs: Array(
                """
                # comment
                50:text/x-vala:*.vala
                50:text/x-c++src:*.C:cs
                50:application/x-archive:*.a
                60:image/x-special:*.special.xml
                80:text/x-makefile:makefile
                10:text/x-readme:readme*
                50:application/x-foo:*.foo
                broken line
                :::
                """.utf8), subclasses: Array("application/x-foo application/x-bar\napplication/x-bar text/plain\n".utf8)
        )
        let types = ContentTypes(database: database)
        func named(_ name: String) -> ContentType? { types.type(name: Array(name.utf8)) }
        #expect(named("a.vala")?.tree.contains("public.plain-text") == true)
        #expect(named("a.C")?.identifier == "public.c-plus-plus-source")
        #expect(named("a.c")?.identifier == "public.c-source")
        #expect(named("Makefile")?.identifier == "public.make-source")
        #expect(named("README.old")?.kind == "text")
        #expect(named("a.special.xml")?.kind == "image")
        #expect(named("a.foo")?.tree.contains("public.text") == true)
        #expect(named("nothing") == nil)
        let loop = MIMEDatabase(globs: Array("50:x/a:*.qqq".utf8), subclasses: Array("x/a x/b\nx/b x/a".utf8))
        #expect(ContentTypes(database: loop).type(name: Array("a.qqq".utf8))?.kind == "file")
    }

    /// "tutorial.it" is a tutorial in Italian or music, by a seldom suffix.
    @Test func bytesDecideWhereASeldomNamePromisesWhatIsNotThere() throws {
        let database = MIMEDatabase(globs: Array("50:audio/x-it:*.it\n50:text/x-thing:*.thing".utf8))
        let importers = Importers(contentTypes: ContentTypes(database: database))
        func read(_ name: String, _ bytes: [UInt8]) throws -> ImportedMetadata {
            let descriptor = dd_import_memory_file(bytes, bytes.count)
            defer { close(descriptor) }
            return try importers.import(
                from: ImportFile(descriptor: descriptor), name: Array(name.utf8), type: nil, limits: ImportLimits())
        }
        #expect(try read("tutorial.it", Array("Benvenuti".utf8)).text == "Benvenuti")
        let binary = try read("a.thing", [0, 1, 2, 3])
        #expect(binary.text == nil && binary.string(.contentType) == "public.data")
    }

    @Test func theNearestImporterIsTaken() {
        let importers = Importers(contentTypes: builtIn)
        func importer(_ name: String) -> String {
            importers.importer(for: type(name)).map { "\(Swift.type(of: $0))" } ?? ""
        }
        #expect(importer("a.md") == "MarkdownImporter")
        #expect(importer("a.py") == "TextImporter")
        #expect(importer("a.xhtml") == "HTMLImporter")
        #expect(importer("a.svg") == "XMLImporter")
        #expect(importer("a.fodt") == "FlatOpenDocumentImporter")
        #expect(importer("a.jpg") == "ImageImporter")
        for none in ["a.rtf", "a.eps", "a.zip", "a.doc", "a.sqlite"] { #expect(importer(none) == "", "\(none)") }
    }
}
