"""Corpora that are equal for equal seeds: `names` (a tree of empty files), `documents` (files as people have them), `docs` (the
same with composed names only, since Syncthing skips or renames others), `tiny` (files of 0 to 4 KiB), `big` (one file), `idle`
(many folders)."""
import math
import os
import random
import unicodedata
from pathlib import Path

PLACES = """Projects|Finance|Personal|Clients|Archive|Photos & Scans|Research|Reisen|Université|書類|Школа|Legal|Recipes|مستندات
Invoices|Contracts|Drafts|Meeting Notes|Reports|Q1|Q2|Q3|Q4|2021|2022|2023|2024|Müller & Söhne|Übungen|議事録|tmp|Slides|Data
Letters|Tax|Insurance|Café|Tom's things|#inbox|100% done|Приложения|v1.2""".replace("\n", "|").split("|")
FIRST = """Annual|Budget|Minutes|Draft|Report|Invoice|Contract|Letter|Notes|Summary|Plan|Proposal|Quarterly|Résumé|Thesis|Chapter|Scan
Backup|Rechnung|Übersicht|Vertrag|Facture|見積書|請求書|Отчёт|Договор|Itinerary|Ticket|Receipt|Statement|Agenda|Design|README
Untitled|Screenshot|Recipe|Specification|Devis|Todo|IMG""".replace("\n", "|").split("|")
NEXT = """for|of|final|v2|v3|copy|signed|draft|Smith|Müller|García|Ltd|GmbH|January|Februar|avril|2021|2022|2023|2024-03-01|(1)|(2)
reviewed|old|new|internal|confidential|DE|EN|Zürich|São Paulo|København|東京|✓|a&b|it's|budget|team""".replace("\n", "|").split("|")
ENDINGS = ".pdf .docx .txt .md .jpg .png .xlsx .csv .html .zip .pptx .mp3".split()
SYLLABLES = "ka ri to men sal ver do pli gra ner tu bel ost min fa lur che ande ing tion".split()
# Two in a thousand documents have the first, one in ten the second.
RARE, COMMON = "zyzzyvaquux", "quarterly"


def name(random, number, ending):
    words = [random.choice(FIRST)] + random.choices(NEXT, k=random.choice((1, 2, 2, 3, 3, 4, 5)))
    text = random.choice((" ", " ", "_", "-")).join(words) + f" {number:06d}"
    # A twelfth as file systems of another maker decompose them.
    return (unicodedata.normalize("NFD", text) if random.random() < 0.08 else text) + ending


def folders(random, root, count):
    """At most eight deep, most of them not."""
    made, known = [root], {root}
    while len(made) <= count:
        above = random.choice(made)
        if len(above.relative_to(root).parts) > 7:
            continue
        place = above / (random.choice(PLACES) + (f" {random.randrange(60)}" if random.random() < 0.5 else ""))
        if place not in known:
            known.add(place)
            made.append(place)
            place.mkdir(parents=True)
    return made


def names(root, count, seed):
    """Empty files, 33 in a folder on the average."""
    chance = random.Random(seed)
    root.mkdir(parents=True)
    places = [str(place) for place in folders(chance, root, max(20, count // 33))]
    for number in range(count):
        os.close(os.open(f"{chance.choice(places)}/{name(chance, number, chance.choice(ENDINGS))}", os.O_CREAT | os.O_WRONLY, 0o644))


def documents(root, count, seed, form=str):
    """Sizes as people have them: a median of 16 KiB, some of 20 MiB; large ones are mostly opaque; 5 % are copies."""
    chance = random.Random(seed)
    root.mkdir(parents=True)
    places, prose, made = folders(chance, root, max(20, count // 13)), text(chance, 16 << 20), []
    for number in range(count):
        if made and chance.random() < 0.05:
            source = chance.choice(made)
            data, ending = source.read_bytes(), source.suffix
        else:
            data, ending = document(chance, number, prose)
        made.append(chance.choice(places) / form(name(chance, number, ending)))
        made[-1].write_bytes(data)


def docs(root, count, seed):
    documents(root, count, seed, lambda text: unicodedata.normalize("NFC", text))


def tiny(root, count, seed):
    """Notes of 0 to 4 KiB, twenty in a folder."""
    chance = random.Random(seed)
    prose = text(chance, 1 << 20)
    places = [root / f"part {number % 50:02d}" / f"folder {number:04d}" for number in range(max(10, count // 20))]
    for place in places:
        place.mkdir(parents=True)
    for number in range(count):
        start = chance.randrange(len(prose) - 4200)
        data = (f"{number:08d} ".encode() + prose[start:start + 4100])[:chance.randrange(4097)]
        (places[number % len(places)] / f"note {number:06d}.txt").write_bytes(data)


def big(root, count, seed):
    """One file of so many MiB that cannot be compressed."""
    chance = random.Random(seed)
    root.mkdir(parents=True)
    with (root / "archive.img").open("wb") as file:
        for _ in range(count):
            file.write(chance.randbytes(1 << 20))


def idle(root, count, seed):
    """So many folders, ten in each of those above, a fifth of them with a file."""
    root.mkdir(parents=True)
    chance, above = random.Random(seed), [root]
    for number in range(count):
        place = above[number // 10] / f"folder {number % 10}"
        place.mkdir()
        above.append(place)
        if chance.random() < 0.2:
            (place / "note.txt").write_text(f"note {number}\n")


def document(chance, number, prose):
    size = min(20 << 20, int(16384 * math.exp(chance.gauss(0, 2.1))))
    if size > 256 << 10 and chance.random() < 0.85:
        return chance.randbytes(size), chance.choice((".jpg", ".zip", ".mp4", ".heic"))
    ending = chance.choice((".txt", ".md", ".csv", ".html"))
    begin = f"Document {number}\n"
    if chance.random() < 0.002:
        begin += f"{RARE}\n"
    if chance.random() < 0.1:
        begin += f"{COMMON} figures of the department\n"
    if ending == ".html":
        begin = f'<!DOCTYPE html><html><head><meta charset="utf-8"><title>{begin}</title></head><body><p>{begin}'
    parts, length = [begin.encode()], len(begin)
    while length < size:
        start = chance.randrange(len(prose) - 4000)
        piece = prose[start:start + chance.randrange(500, 3000)] + (b"</p><p>" if ending == ".html" else b"\n\n")
        parts.append(piece)
        length += len(piece)
    return b"".join(parts), ending


def text(chance, size):
    common = ["".join(chance.choices(SYLLABLES, k=chance.randrange(1, 3))) for _ in range(300)]
    words = common * 40 + ["".join(chance.choices(SYLLABLES, k=chance.randrange(2, 5))) for _ in range(12000)]
    sentences, length = [], 0
    while length < size:
        sentence = " ".join(chance.choices(words, k=chance.randrange(6, 18))).capitalize() + ". "
        sentences.append(sentence)
        length += len(sentence)
    return "".join(sentences).encode()


KINDS = {"names": names, "documents": documents, "docs": docs, "tiny": tiny, "big": big, "idle": idle}


def made(kind, root, count, seed):
    """The corpus at this place, made unless it is there."""
    done = root.parent / f"{root.name}.done"
    wanted = f"{kind} {count} {seed}"
    if not done.exists() or done.read_text() != wanted:
        if root.exists():
            raise SystemExit(f"{root} holds something else: remove it, or choose another --place")
        KINDS[kind](Path(root), count, seed)
        done.write_text(wanted)
    return root
