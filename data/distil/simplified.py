#!/usr/bin/env python3
"""Makes data/tables/simplified-characters.csv: characters of traditional Chinese, each with the simplified one.

    python3 -m pip install OpenCC==1.1.9
    python3 data/distil/simplified.py

The converter is distilled because the build needs single characters alone. Only characters of GB 2312, the standard of simplified
Chinese, are simplified ones, and they stay as they are: 乾 is one in 乾安. Needs Python 3.9.
"""
import os

from opencc import OpenCC

# Blocks of Unicode with characters that names have: CJK Unified Ideographs, their extension A, and the compatible ones.
BLOCKS = [range(0x3400, 0x4DC0), range(0x4E00, 0xA000), range(0xF900, 0xFB00)]


def is_simplified(character):
    try:
        return bool(character.encode('gb2312'))
    except UnicodeEncodeError:
        return False


def main():
    convert = OpenCC('t2s').convert
    characters = [chr(code) for block in BLOCKS for code in block if not is_simplified(chr(code))]
    pairs = [(character, convert(character)) for character in characters]
    lines = [f'{traditional},{simplified}' for traditional, simplified in pairs
             if simplified != traditional and len(simplified) == 1 and is_simplified(simplified)]
    folder = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    path = os.path.join(folder, 'tables', 'simplified-characters.csv')
    with open(path, 'w', encoding='utf-8', newline='\n') as file:
        file.write('traditional,simplified\n' + '\n'.join(lines) + '\n')
    print(f'{path}: {len(lines)} rows')


main()
