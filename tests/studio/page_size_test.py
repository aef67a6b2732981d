"""The studio's page stays small, and keeps what its content security policy asks for."""

import gzip
import pathlib
import re
import sys

MOST_BYTES = 300_000
FILES = ["index.html", "studio.js", "studio.css", "favicon.svg"]


def main(folder):
    texts = {name: (folder / name).read_bytes() for name in FILES}
    size = sum(len(gzip.compress(text, mtime=0)) for text in texts.values())
    print(f"{size} bytes compressed, {sum(map(len, texts.values()))} as they are")
    wrong = []
    if size > MOST_BYTES:
        wrong.append(f"the page takes {size} bytes compressed, more than {MOST_BYTES}")
    html = texts["index.html"].decode()
    if re.search(r"<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=", html):
        wrong.append("index.html holds a script or style, which its policy forbids")
    for name, text in texts.items():
        if b"\0" in text:
            wrong.append(f"{name} is not text")
        outside = re.findall(rb"https?://(?!www\.w3\.org/)[^\s\"'`<>]+", text)
        if outside:
            wrong.append(f"{name} names addresses elsewhere: {outside[:3]}")
    for line in wrong:
        print(line)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))
