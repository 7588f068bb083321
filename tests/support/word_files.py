import io
import zipfile

_W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
_PART = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_MATH = 'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"'
_RELATIONS = 'xmlns="http://schemas.openxmlformats.org/package/2006/relationships"'

STYLES = """
<w:docDefaults><w:rPrDefault><w:rPr><w:lang w:val="en-GB"/></w:rPr></w:rPrDefault></w:docDefaults>
<w:style w:type="paragraph" w:default="1" w:styleId="Standard"><w:name w:val="Normal"/></w:style>
<w:style w:type="paragraph" w:styleId="Titel"><w:name w:val="Title"/></w:style>
<w:style w:type="paragraph" w:styleId="berschrift1"><w:name w:val="heading 1"/>
  <w:pPr><w:outlineLvl w:val="0"/><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr></w:style>
<w:style w:type="paragraph" w:styleId="berschrift2"><w:name w:val="heading 2"/>
  <w:basedOn w:val="berschrift1"/><w:pPr><w:outlineLvl w:val="1"/>
  <w:numPr><w:ilvl w:val="1"/><w:numId w:val="1"/></w:numPr></w:pPr></w:style>
<w:style w:type="paragraph" w:styleId="Kapitel"><w:name w:val="Our Chapter"/>
  <w:basedOn w:val="berschrift1"/></w:style>
<w:style w:type="paragraph" w:styleId="Verzeichnis1"><w:name w:val="toc 1"/></w:style>
<w:style w:type="paragraph" w:styleId="Beschriftung"><w:name w:val="caption"/></w:style>
<w:style w:type="paragraph" w:styleId="Quelltext"><w:name w:val="Source Code"/></w:style>
"""
NUMBERING = """
<w:abstractNum w:abstractNumId="7">
<w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="upperRoman"/><w:lvlText w:val="%1."/></w:lvl>
<w:lvl w:ilvl="1"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1.%2"/></w:lvl>
</w:abstractNum>
<w:abstractNum w:abstractNumId="8"><w:lvl w:ilvl="0"><w:numFmt w:val="bullet"/>
<w:lvlText w:val="•"/></w:lvl></w:abstractNum>
<w:num w:numId="1"><w:abstractNumId w:val="7"/></w:num>
<w:num w:numId="2"><w:abstractNumId w:val="8"/></w:num>
"""


def paragraph(text: str, style: str = "", properties: str = "") -> str:
    """Return a paragraph of one run."""
    return runs(f"<w:r><w:t xml:space='preserve'>{text}</w:t></w:r>", style, properties)


def runs(inner: str, style: str = "", properties: str = "") -> str:
    """Return a paragraph of given runs."""
    named = f'<w:pStyle w:val="{style}"/>' if style else ""
    return f"<w:p><w:pPr>{named}{properties}</w:pPr>{inner}</w:p>"


def word_file(body: str, **parts: str) -> bytes:
    """Return a Word file with a body, and other parts such as `footnotes` and `header`."""
    parts = {"styles": STYLES, "numbering": NUMBERING, **parts}
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("[Content_Types].xml", "<Types/>")
        archive.writestr(
            "_rels/.rels",
            f'<Relationships {_RELATIONS}><Relationship Id="r1" Type="{_PART}/officeDocument" '
            'Target="word/document.xml"/></Relationships>',
        )
        relations = "".join(
            f'<Relationship Id="{name}" Type="{_PART}/{name}" Target="{name}.xml"/>'
            for name in parts
        )
        archive.writestr(
            "word/_rels/document.xml.rels",
            f"<Relationships {_RELATIONS}>{relations}</Relationships>",
        )
        archive.writestr(
            "word/document.xml",
            f"<w:document {_W} {_MATH}><w:body>{body}<w:sectPr/></w:body></w:document>",
        )
        for name, inner in parts.items():
            archive.writestr(f"word/{name}.xml", f"<w:{name} {_W}>{inner}</w:{name}>")
    return buffer.getvalue()
