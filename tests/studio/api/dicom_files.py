"""DICOM files made by hand, so that tests know each byte."""

import struct

import numpy as np


def element(group, number, kind, value):
    value += b"\0" * (len(value) % 2)
    head = struct.pack("<HH2s", group, number, kind)
    if kind in (b"OB", b"OW"):
        return head + struct.pack("<HI", 0, len(value)) + value
    return head + struct.pack("<H", len(value)) + value


def number(group, element_number, value):
    return element(group, element_number, b"US", struct.pack("<H", value))


def text(group, element_number, kind, value):
    return element(group, element_number, kind, value.encode())


def dicom(pixels, spacing=None, patient="SECRET^PATIENT", inverted=False, frames=1, jpeg=None):
    """An explicit little-endian file of gray 16-bit pixels; `jpeg` are bytes of a JPEG file of 8 bits instead."""
    height, width = pixels.shape[-2:]
    bits = 8 if jpeg else 16
    syntax = "1.2.840.10008.1.2.4.50" if jpeg else "1.2.840.10008.1.2.1"
    meta = (element(2, 1, b"OB", b"\0\1") + text(2, 2, b"UI", "1.2.840.10008.5.1.4.1.1.1")
            + text(2, 3, b"UI", "1.2.3") + text(2, 0x10, b"UI", syntax) + text(2, 0x12, b"UI", "1.2.3.4"))
    meta = element(2, 0, b"UL", struct.pack("<I", len(meta))) + meta
    data = (text(8, 0x16, b"UI", "1.2.840.10008.5.1.4.1.1.1") + text(8, 0x18, b"UI", "1.2.3")
            + text(0x10, 0x10, b"PN", patient) + text(0x10, 0x20, b"LO", "SECRET-ID")
            + number(0x28, 2, 1)
            + text(0x28, 4, b"CS", "MONOCHROME1" if inverted else "MONOCHROME2"))
    if frames > 1:
        data += text(0x28, 8, b"IS", str(frames))
    data += number(0x28, 0x10, height) + number(0x28, 0x11, width)
    if spacing:
        data += text(0x28, 0x30, b"DS", f"{spacing[0]}\\{spacing[1]}")
    data += (number(0x28, 0x100, bits) + number(0x28, 0x101, bits) + number(0x28, 0x102, bits - 1)
             + number(0x28, 0x103, 0))
    if jpeg:
        jpeg += b"\0" * (len(jpeg) % 2)
        item = struct.pack("<HHI", 0xFFFE, 0xE000, 0) + struct.pack("<HHI", 0xFFFE, 0xE000, len(jpeg)) + jpeg
        data += (struct.pack("<HH2sHI", 0x7FE0, 0x10, b"OB", 0, 0xFFFFFFFF) + item
                 + struct.pack("<HHI", 0xFFFE, 0xE0DD, 0))
    else:
        data += element(0x7FE0, 0x10, b"OW", np.ascontiguousarray(pixels, dtype="<u2").tobytes())
    return b"\0" * 128 + b"DICM" + meta + data
