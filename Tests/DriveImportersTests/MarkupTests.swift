import Testing

@testable import DriveImporters
@testable import DriveImporting

@Suite struct MarkupTests {
    @Test func htmlGivesWhatPeopleSee() throws {
        let html = """
            <!DOCTYPE html><html lang="en"><head><title>A  page</title><meta name="author" content="Ada">
            <meta name="Description" content="About it"><meta name="keywords" content="one, two">
            <meta name="DC.publisher" content="Press"><style>p { color: red }</style><script>var hidden = 1</script></head>
            <body><h1>Head</h1><p>First <b>bo</b>ld &amp; caf&eacute;.</p><ul><li>item</li></ul>
            <table><tr><td>left</td><td>right</td></tr></table><img alt="a picture"><pre>two  spaces</pre></body></html>
            """
        let found = try imported(html, named: "a.html")
        #expect(found.string(.title) == "A page")
        #expect(found.strings(.authors) == ["Ada"])
        #expect(found.strings(.publishers) == ["Press"])
        #expect(found.string(.description) == "About it")
        #expect(found.strings(.keywords) == ["one", "two"])
        #expect(found.strings(.languages) == ["en"])
        #expect(
            found.text == "A page\nHead\nFirst bold & café.\nitem\nleft right\na picture\ntwo  spaces")
    }

    @Test func htmlIsReadInTheEncodingItDeclares() throws {
        let bytes = Array("<meta charset=\"windows-1251\"><p>".utf8) + [0xCF, 0xF0, 0xE8, 0xE2, 0xE5, 0xF2]
        #expect(try imported(bytes, named: "a.html").text == "Привет")
        // What is not true does not matter.
        #expect(try imported("<meta charset=utf-16><p>Grüße", named: "a.html").text == "Grüße")
        #expect(try imported("<meta charset=\"../../x//\"><p>plain", named: "a.html").text == "plain")
    }

    @Test func brokenHTMLStillHasText() throws {
        let html = "<p>one<div><b>two</p></span><!-- open <i>three"
        #expect(try imported(html, named: "a.html").text?.hasPrefix("one\ntwo") == true)
        let deep = String(repeating: "<div>", count: 1_000_000) + "bottom"
        let found = try imported("<p>top</p>" + deep, named: "a.html")
        #expect(found.text == "top")
        #expect(found.isTextCut)
    }

    /// What is written in one byte a letter is none of these, and was read as ASCII.
    @Test(arguments: ["utf-8", "UTF-16", "unicode", "ucs-2"]) func aFalseDeclarationIsNotBelieved(name: String) throws {
        let words = "Grüße aus München, schöne Straßen und süße Brötchen über alles"
        let html = "<html><head><meta charset=\"\(name)\"></head><body>\(words)</body></html>"
        let bytes = html.unicodeScalars.map { UInt8($0.value) }
        #expect(try imported(bytes, named: "a.html").text == words)
    }

    @Test func onlyMetaElementsDeclareAnEncoding() {
        let html =
            "<script charset=\"utf-8\" src=x></script><META http-equiv=Content-Type content=\"text/html; charset=koi8-r\">"
        #expect(HTMLImporter.declaredEncoding(Array(html.utf8)) == "koi8-r")
        #expect(HTMLImporter.declaredEncoding(Array("<p>charset=koi8-r</p>".utf8)) == nil)
    }

    @Test func whatIsNoReadingIsSeen() throws {
        #expect(try imported("<p>vor <rt>drin</p><p>nach<rp>x", named: "a.html").text == "vor drin\nnachx")
    }

    /// What stands in an object is seen where the object cannot be.
    @Test(arguments: ["</object>", ""]) func anObjectSilencesNothing(end: String) throws {
        let html = "<p>before</p><object data=\"x.swf\"><p>in its place</p>\(end)<p>after</p>"
        #expect(try imported(html, named: "a.html").text == "before\nin its place\nafter")
    }

    @Test(arguments: [
        "<ruby>漢<rt>かん</rt>字<rt>じ</rt></ruby>の本", "<ruby>漢<rp>(</rp><rt>かん</rt><rp>)</rp>字<rt>じ</ruby>の本",
        "<ruby><rb>漢<rt>かん<rb>字<rt>じ</ruby>の本", "<ruby>漢字<rtc><rt>かん</rt><rt>じ</rt></rtc></ruby>の本",
    ])
    func readingsDoNotPartWords(html: String) throws {
        #expect(try imported("<p>\(html)</p><p>end", named: "a.html").text == "漢字の本\nend")
        // Without any end they end with the paragraph.
        #expect(try imported("<p><ruby>漢字<rt>かん<div>end", named: "a.html").text == "漢字\nend")
    }

    @Test func xmlGivesTheTextBetweenItsTags() throws {
        let found = try imported("<a><title>T</title><b>one</b><b>two &#228;</b></a>", named: "a.xml")
        #expect(found.text == "T\none\ntwo ä")
        #expect(found.string(.title) == "T")
        #expect(try imported("<a>not closed & wrong", named: "a.xml").text == "<a>not closed & wrong")
    }

    @Test func entitiesAreNeverExpanded() throws {
        var laughs = "<!DOCTYPE a [<!ENTITY l0 \"ha\">"
        for level in 1...9 {
            let references = String(repeating: "&l\(level - 1);", count: 10)
            laughs += "<!ENTITY l\(level) \"\(references)\">"
        }
        laughs += "]><a>&l9;</a>"
        let quadratic =
            "<!DOCTYPE a [<!ENTITY x \"\(String(repeating: "x", count: 100_000))\">]><a>"
            + String(repeating: "&x;", count: 100_000) + "</a>"
        let outside = "<!DOCTYPE a [<!ENTITY f SYSTEM \"file:///etc/passwd\">]><a>&f;</a>"
        let parameter = "<!DOCTYPE a [<!ENTITY % p SYSTEM \"file:///etc/passwd\">%p;]><a/>"
        for text in [laughs, quadratic, outside, parameter] {
            // As XML of no special kind it is then read as the plain text it is.
            let found = try imported(text, named: "a.xml").text
            #expect(found?.hasPrefix("<!DOCTYPE") == true)
            #expect(found?.contains("root:") == false)
            let document = Office.document([("word/document.xml", text)])
            #expect(refusal(document, named: "a.docx") == .malformed)
        }
    }

    @Test func documentsNestedTooDeepAreRefused() {
        let deep = String(repeating: "<w>", count: 1_000_000)
        #expect(refusal(Office.document([("word/document.xml", deep)]), named: "a.docx") == .tooLarge)
        #expect(refusal(Array(deep.utf8), named: "a.xml") == .tooLarge)
    }
}
