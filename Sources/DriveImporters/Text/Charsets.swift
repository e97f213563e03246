/// What the names of encodings stand for.
///
/// Hardly anybody who writes `iso-8859-1` or `gb2312` means what the standard of that name says: programs write under it what
/// it has grown to since. Those are the encodings of the Encoding standard (encoding.spec.whatwg.org), by names of iconv.
enum Charsets {
    /// What to ask iconv for; a name that stands for nothing else is what it is.
    static func encoding(_ label: String) -> String {
        let label = label.lowercased()
        return encodings[label] ?? label
    }

    /// The labels of each, with those of uchardet; left out are those that iconv takes for the same.
    static let labels: [String: String] = [
        "UTF-8": "utf8 unicode-1-1-utf-8 unicode11utf8 unicode20utf8 x-unicode20utf8",
        "UTF-16": "ucs-2 unicode csunicode unicodefeff iso-10646-ucs-2",
        "UTF-16BE": "unicodefffe",
        "WINDOWS-1250": "x-cp1250",
        "WINDOWS-1251": "x-cp1251",
        "WINDOWS-1252": """
        iso-8859-1 iso8859-1 iso88591 iso_8859-1 iso8859_1 iso_8859-1:1987 iso-ir-100 csisolatin1 latin1 l1 cp819 ibm819 \
        us-ascii ascii ansi_x3.4-1968 x-cp1252
        """,
        "WINDOWS-1253": "x-cp1253",
        "WINDOWS-1254": """
        iso-8859-9 iso8859-9 iso88599 iso_8859-9 iso8859_9 iso_8859-9:1989 iso-ir-148 csisolatin5 latin5 l5 x-cp1254
        """,
        "WINDOWS-1255": "x-cp1255",
        "WINDOWS-1256": "x-cp1256",
        "WINDOWS-1257": "x-cp1257",
        "WINDOWS-1258": "x-cp1258",
        "CP874": "iso-8859-11 iso8859-11 iso885911 tis-620 tis620 dos-874 windows-874",
        "ISO-8859-6": "csiso88596e csiso88596i iso-8859-6-e iso-8859-6-i",
        "ISO-8859-7": "sun_eu_greek",
        "ISO-8859-8": "csiso88598e csiso88598i iso-8859-8-e iso-8859-8-i logical visual",
        "ISO-8859-15": "csisolatin9 l9",
        "KOI8-R": "koi koi8 koi8_r",
        "MACINTOSH": "x-mac-roman",
        "MAC-UK": "x-mac-cyrillic x-mac-ukrainian",
        "GB18030": """
        gb2312 gb_2312 gb_2312-80 csgb2312 csiso58gb231280 iso-ir-58 chinese gbk x-gbk cp936 ms936 windows-936 euc-cn \
        euccn
        """,
        "BIG5-HKSCS": "big5 cn-big5 csbig5 x-x-big5",
        "UHC": """
        euc-kr euckr cseuckr csksc56011987 iso-ir-149 korean ks_c_5601-1987 ks_c_5601-1989 ksc5601 ksc_5601 cp949 \
        windows-949
        """,
        "CP932": "shift_jis shift-jis sjis csshiftjis ms_kanji x-sjis ms932 windows-31j",
        "EUC-JP-MS": "euc-jp eucjp x-euc-jp cseucpkdfmtjapanese",
        // With the kana of half width, which the standard of that name lacks.
        "ISO-2022-JP-2": "iso-2022-jp iso2022jp csiso2022jp",
    ]

    private static let encodings: [String: String] = {
        var result: [String: String] = [:]
        for (encoding, labels) in Charsets.labels {
            for label in labels.split(separator: " ") { result[String(label)] = encoding }
        }
        return result
    }()
}
