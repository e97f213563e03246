"""Small documents with known text, made with nothing but Python: what an office program or a printer would write."""
import io
import zipfile
from xml.sax.saxutils import escape


def packed(parts, stored=()):
    output = io.BytesIO()
    with zipfile.ZipFile(output, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in parts.items():
            archive.writestr(name, text, zipfile.ZIP_STORED if name in stored else None)
    return output.getvalue()


def docx(paragraphs):
    space = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
    body = "".join(f"<w:p><w:r><w:t>{escape(text)}</w:t></w:r></w:p>" for text in paragraphs)
    return packed({
        "[Content_Types].xml": types("/word/document.xml", "wordprocessingml.document.main+xml"),
        "_rels/.rels": relations("word/document.xml"),
        "word/document.xml": f'<w:document xmlns:w="{space}"><w:body>{body}</w:body></w:document>',
    })


def xlsx(paragraphs):
    space = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    strings = "".join(f"<si><t>{escape(text)}</t></si>" for text in paragraphs)
    cells = "".join(
        f'<row r="{number + 1}"><c r="A{number + 1}" t="s"><v>{number}</v></c></row>' for number in range(len(paragraphs)))
    office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    return packed({
        "[Content_Types].xml": types("/xl/workbook.xml", "spreadsheetml.sheet.main+xml"),
        "_rels/.rels": relations("xl/workbook.xml"),
        "xl/workbook.xml": f'<workbook xmlns="{space}" xmlns:r="{office}"><sheets><sheet name="Data" sheetId="1" r:id="rId1"/>'
                           "</sheets></workbook>",
        "xl/_rels/workbook.xml.rels": relations("worksheets/sheet1.xml", "worksheet")
            .replace("</Relationships>", f'<Relationship Id="rId2" Type="{office}/sharedStrings" Target="sharedStrings.xml"/>'
                                         "</Relationships>"),
        "xl/sharedStrings.xml": f'<sst xmlns="{space}">{strings}</sst>',
        "xl/worksheets/sheet1.xml": f'<worksheet xmlns="{space}"><sheetData>{cells}</sheetData></worksheet>',
    })


def types(part, kind):
    return ('<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
            '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
            f'<Override PartName="{part}" ContentType="application/vnd.openxmlformats-officedocument.{kind}"/></Types>')


def relations(target, kind="officeDocument"):
    space = "http://schemas.openxmlformats.org"
    return (f'<Relationships xmlns="{space}/package/2006/relationships"><Relationship Id="rId1" '
            f'Type="{space}/officeDocument/2006/relationships/{kind}" Target="{target}"/></Relationships>')


def odt(paragraphs):
    office = "urn:oasis:names:tc:opendocument:xmlns"
    body = "".join(f"<text:p>{escape(text)}</text:p>" for text in paragraphs)
    return packed({
        "mimetype": "application/vnd.oasis.opendocument.text",
        "content.xml": f'<office:document-content xmlns:office="{office}:office:1.0" xmlns:text="{office}:text:1.0">'
                       f"<office:body><office:text>{body}</office:text></office:body></office:document-content>",
        "META-INF/manifest.xml": f'<manifest:manifest xmlns:manifest="{office}:manifest:1.0"><manifest:file-entry '
                                 'manifest:full-path="/" manifest:media-type="application/vnd.oasis.opendocument.text"/>'
                                 "</manifest:manifest>",
    }, stored=("mimetype",))


def pdf(paragraphs, drawings=()):
    """One page in a standard font, a line for each paragraph: Latin 1 alone. The drawings follow, each named /D."""
    lines = "".join(f"({text.translate(PARENTHESES)}) Tj T*\n" for text in paragraphs)
    content = f"BT /F1 10 Tf 12 TL 20 800 Td\n{lines}ET\n{'/D Do' if drawings else ''}"
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>", b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> "
        + (b"/XObject << /D 6 0 R >> " if drawings else b"") + b">> >>",
        stream("", content),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
        *drawings,
    ]
    result, places = b"%PDF-1.4\n", []
    for number, text in enumerate(objects, 1):
        places.append(len(result))
        result += b"%d 0 obj\n" % number + text + b"\nendobj\n"
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    return (result + b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1) + table
            + b"trailer << /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, len(result)))


PARENTHESES = str.maketrans({"(": "\\(", ")": "\\)", "\\": "\\\\"})


def stream(entries, content):
    data = content.encode("latin-1", "replace")
    return f"<< {entries}/Length {len(data)} >>\nstream\n".encode() + data + b"\nendstream"


def endless_pdf(levels=12):
    """Every drawing holds the next one ten times: 10^12 drawings in five kilobytes, all of them to be looked at."""
    form = "/Type /XObject /Subtype /Form /BBox [0 0 595 842] "
    drawings = [
        stream(form + f"/Resources << /XObject << /D {7 + level} 0 R >> >> ", "/D Do " * 10) for level in range(levels)]
    return pdf(["page"], [*drawings, stream(form, "0 0 m")])
