"""Colours as eyes have them: WCAG contrast, CIEDE2000, and sight without one kind of cone."""

from __future__ import annotations

import re
from collections.abc import Mapping
from math import atan2, cos, degrees, exp, hypot, radians, sin, sqrt

Rgb = tuple[float, float, float]
"""Linear red, green and blue, each from 0 to 1."""

_Matrix = tuple[Rgb, Rgb, Rgb]

SIGHT: dict[str, _Matrix] = {
    "normal": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protan": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deutan": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritan": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}
"""What each kind of sight makes of a linear colour: Machado 2009, severity 1."""


def tokens(css: str, theme: str, deck: str = "2") -> dict[str, str]:
    """Return the colour tokens of a style sheet as ``#rrggbb``, references resolved."""
    found = dict(re.findall(r"--([\w-]+):\s*([^;}]+)", css.partition("@layer base")[0]))
    four = re.search(r'\[data-deck="4"\]\{([^}]*)\}', css)
    two = re.search(r":root\{(.*?)\n  \}", css, re.S)
    assert four and two
    found |= dict(re.findall(r"--([\w-]+):\s*([^;}]+)", (two if deck == "2" else four).group(1)))
    return {name: hexes for name, value in found.items() if (hexes := _hex(value, theme, found))}


def _hex(value: str, theme: str, found: Mapping[str, str]) -> str:
    value = value.strip()
    if both := re.fullmatch(r"light-dark\((#\w+),(#\w+)\)", value):
        value = both[1 if theme == "light" else 2]
    if other := re.fullmatch(r"var\(--([\w-]+)\)", value):
        return _hex(found[other[1]], theme, found)
    if re.fullmatch(r"#\w{3}", value):
        value = "#" + "".join(digit * 2 for digit in value[1:])
    return value if re.fullmatch(r"#\w{6}", value) else ""


def linear(colour: str) -> Rgb:
    """Return ``#rrggbb`` as light."""
    red, green, blue = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    return _light(red), _light(green), _light(blue)


def _light(value: float) -> float:
    return value / 12.92 if value <= 0.04045 else float(((value + 0.055) / 1.055) ** 2.4)


def contrast(one: str, other: str) -> float:
    """Return the contrast of WCAG 2, from 1 to 21."""
    low, high = sorted(
        sum(w * c for w, c in zip((0.2126, 0.7152, 0.0722), linear(colour), strict=True))
        for colour in (one, other)
    )
    return (high + 0.05) / (low + 0.05)


def seen(colour: str, sight: str) -> Rgb:
    """Return a colour as CIE L*a*b* of what a kind of sight makes of it."""
    light = linear(colour)
    red, green, blue = (
        min(1.0, max(0.0, sum(w * c for w, c in zip(row, light, strict=True))))
        for row in SIGHT[sight]
    )
    x = (0.4124564 * red + 0.3575761 * green + 0.1804375 * blue) / 0.95047
    y = 0.2126729 * red + 0.7151522 * green + 0.0721750 * blue
    z = (0.0193339 * red + 0.1191920 * green + 0.9503041 * blue) / 1.08883
    fx, fy, fz = (
        v ** (1 / 3) if v > 216 / 24389 else (24389 / 27 * v + 16) / 116 for v in (x, y, z)
    )
    return 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)


def difference(one: Rgb, other: Rgb) -> float:
    """Return CIEDE2000 of two colours in CIE L*a*b*.

    >>> round(difference((50, 2.6772, -79.7751), (50, 0, -82.7485)), 4)
    2.0425
    >>> round(difference((22.7233, 20.0904, -46.6940), (23.0331, 14.9730, -42.5619)), 4)
    2.0373
    """
    (l1, a1, b1), (l2, a2, b2) = one, other
    mean = (hypot(a1, b1) + hypot(a2, b2)) / 2
    g = 0.5 * (1 - sqrt(mean**7 / (mean**7 + 25**7)))
    a1, a2 = a1 * (1 + g), a2 * (1 + g)
    c1, c2 = hypot(a1, b1), hypot(a2, b2)
    h1, h2 = degrees(atan2(b1, a1)) % 360, degrees(atan2(b2, a2)) % 360
    turn = (h2 - h1 + 180) % 360 - 180 if c1 * c2 else 0.0
    dl, dc, dh = l2 - l1, c2 - c1, 2 * sqrt(c1 * c2) * sin(radians(turn / 2))
    lm, cm = (l1 + l2) / 2, (c1 + c2) / 2
    hm = (h1 + turn / 2) % 360 if c1 * c2 else h1 + h2
    t = (
        1
        - 0.17 * cos(radians(hm - 30))
        + 0.24 * cos(radians(2 * hm))
        + 0.32 * cos(radians(3 * hm + 6))
        - 0.2 * cos(radians(4 * hm - 63))
    )
    sl = 1 + 0.015 * (lm - 50) ** 2 / sqrt(20 + (lm - 50) ** 2)
    sc, sh = 1 + 0.045 * cm, 1 + 0.015 * cm * t
    spin = 2 * sqrt(cm**7 / (cm**7 + 25**7)) * sin(radians(60 * exp(-(((hm - 275) / 25) ** 2))))
    return sqrt((dl / sl) ** 2 + (dc / sc) ** 2 + (dh / sh) ** 2 - spin * dc / sc * dh / sh)
