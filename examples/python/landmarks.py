"""Where landmarks of new images may be, from images in which they are marked.

    python3 landmarks.py [PICTURE.png]      (the picture needs Matplotlib; the rest NumPy only)
"""

import sys

import numpy as np

import caos

# Faces that never were, with 42 landmarks each. Of your own, embed takes files or pixels.
images, points, names = caos.patches.draw_faces(160, seed=1)
embedded = caos.patches.embed(images)  # or vectors [n, P, D] of patches by a model of yours
labels = embedded.labels_of(points)    # the cell that holds each landmark, [n, L]; -1 is missing
marked, new = slice(0, 60), slice(60, 160)

calibration = caos.patches.calibrate(embedded[marked], labels[marked], landmarks=names,
                                     offsets=embedded[marked].offsets_of(points[marked]))
print(calibration)

for regions in calibration.predict_set(embedded[new], alpha=[0.05, 0.1, 0.2]):
    covered = regions.covers(labels[new])
    print(f"alpha {regions.alpha:<4}  coverage {np.nanmean(covered):.3f}  "
          f"mean size {regions.sizes.mean():.2f} of {len(embedded.grids[0])} cells  "
          f"{regions.guarantee}")

regions = calibration.predict_set(embedded[new], alpha=0.1)
print("face 0: nose_tip is in cells", *regions[0]["nose_tip"], "and most likely at",
      "({:.0f}, {:.0f})".format(*regions.points[0, names.index("nose_tip")]))
supporting = regions[0].supporting_references[names.index("nose_tip")]
print("labeled faces that support it:", *supporting)

at_once = calibration.predict_set(embedded[new], alpha=0.1, simultaneous=True)
print("faces with all landmarks in their regions:", at_once.covers(labels[new]).all(axis=1).mean(),
      f"({at_once.guarantee}, {at_once.guarantee_is_for})")

if len(sys.argv) > 1:
    some = [names.index(name) for name in ("nose_tip", "chin", "left_temple", "right_ear_lobe")]
    ax = caos.plots.overlay(images[new][0], regions[0].mask[some], embedded[new].grids[0],
                            points=points[new][0, some], names=[names[t] for t in some])
    ax.figure.savefig(sys.argv[1])
