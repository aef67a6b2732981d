"""The geometry score by its definition, with NumPy; see docs/project/theory.md."""

import numpy as np

ONE = 32000
LEAST = -32767


def centers(columns, rows):
    x, y = np.meshgrid(np.arange(columns) + 0.5, np.arange(rows) + 0.5)
    return np.stack([x.ravel(), y.ravel()], axis=1)


def biweight(squared, scale):
    return np.maximum(0, 1 - squared / (6 * scale * scale)) ** 2


def whole(rows):
    return np.rint(np.float32(rows) * np.float32(ONE)).astype(np.int64)


def coarse(from_rows, to_rows):
    sums = (whole(from_rows)[:, None, :] * whole(to_rows)[None, :, :]).sum(axis=-1)
    quotient = sums.astype(np.float32) * np.float32(1 / np.float32(ONE))
    return np.clip(np.rint(quotient), LEAST, 32767).astype(np.int64)


def vertex(before, here, after):
    bend = 2 * here - after - before
    return float(np.clip((after - before) / (2 * bend), -0.5, 0.5)) if bend > 0 else 0.0


def votes(table, grid):
    """Where each patch lies, and its weight."""
    columns, rows = grid
    points = centers(columns, rows)
    around = np.abs(points[:, None] - points[None]).max(axis=-1) < 1.5
    places, weights = points.copy(), np.zeros(len(table))
    for p, row in enumerate(table):
        q = int(np.argmax(2 * row - table.max(axis=0)))
        elsewhere = max(row[~around[q]].max(initial=LEAST),
                        table[~around[p], q].max(initial=LEAST))
        weights[p] = max(0, row[q] - elsewhere)
        places[p] = points[q]
        if 0 < q % columns < columns - 1:
            places[p, 0] += vertex(row[q - 1], row[q], row[q + 1])
        if 0 < q // columns < rows - 1:
            places[p, 1] += vertex(row[q - columns], row[q], row[q + columns])
    return places, weights


def least_squares(points, places, weights, before):
    total = weights.sum()
    if total <= 0:
        return before
    mean, to = weights @ points / total, weights @ places / total
    u, g = points - mean, places - to
    along = (weights * (g * u).sum(axis=1)).sum()
    across = (weights * (g[:, 1] * u[:, 0] - g[:, 0] * u[:, 1])).sum()
    spread = (weights * (u * u).sum(axis=1)).sum()
    pull = 2 * 0.3 * total
    c, s = (along + pull) / (spread + pull), across / (spread + pull)
    matrix = np.array([[c, -s], [s, c]])
    return matrix, to - matrix @ mean


def moved(transform, points):
    return points @ transform[0].T + transform[1]


def place_of(table, grid, position):
    """Where the landmark at `position` of the one image lies in the other."""
    points = centers(*grid)
    places, weights = votes(table, grid)
    transform = least_squares(points, places, weights, (np.eye(2), np.zeros(2)))

    def remaining(scale):
        return weights * biweight(((moved(transform, points) - places) ** 2).sum(axis=1), scale)

    for scale in (8, 4, 2, 1, 1):
        transform = least_squares(points, places, remaining(scale), transform)
    final = remaining(1)
    place = moved(transform, np.asarray(position)[None])[0]
    if not (final > 0).any():
        return place
    local = final * biweight(((points - position) ** 2).sum(axis=1), 1.5)
    residuals = places - moved(transform, points)
    return place + local @ residuals / (local.sum() + 0.5 * final.sum() / (final > 0).sum())


def scores(from_rows, label, position, to_rows, grid):
    """Of every patch of an image under one landmark of another; unit rows on the same grid."""
    table = coarse(from_rows, to_rows)
    deviation = table.std() / ONE
    lacking = np.maximum(0, 1 - np.float64(to_rows) @ np.float64(from_rows[label]))
    squared = ((centers(*grid) - place_of(table, grid, position)) ** 2).sum(axis=1)
    return (lacking / deviation if deviation > 0 else 0) + 3 * np.minimum(squared, 4)
