// Export, import, and the comparison of annotators.

export const exchangeWords: Readonly<Record<string, string>> = {
  // Export
  "Files are made as you click, from what is stored at that moment.":
    "Dateien entstehen beim Klicken aus dem, was gerade gespeichert ist.",
  "Of which images": "Von welchen Bildern",
  "all images with points": "alle Bilder mit Punkten",
  "the sample only, labeled blind": "nur die Stichprobe, blind gelabelt",
  "the reviewed images only": "nur die geprüften Bilder",
  "all images of the project": "alle Bilder des Projekts",
  "With proposals that were not reviewed": "Mit ungeprüften Vorschlägen",
  "For TPS files only.": "Nur für TPS-Dateien.",
  "Regions and p-values": "Regionen und p-Werte",
  "The calibration": "Die Kalibrierung",
  "The whole project": "Das ganze Projekt",
  "Backup (.zip)": "Sicherung (.zip)",
  "Save settings": "Einstellungen speichern",
  "Settings saved.": "Einstellungen gespeichert.",
  "What is guaranteed": "Was garantiert wird",
  "Millimeters per pixel": "Millimeter je Pixel",
  unknown: "unbekannt",
  "Fixed since the sample was drawn": "Fest, seit die Stichprobe gezogen wurde",
  "Fixed once the sample is drawn": "Fest, sobald die Stichprobe gezogen ist",
  "One guarantee for all landmarks of an image at once":
    "Eine Garantie für alle Landmarken eines Bildes zugleich",
  "Use corrected images as references, too": "Auch korrigierte Bilder als Referenzen nutzen",

  // What is in the files
  "One row per point, with subject, source and annotator; for spreadsheets, R and Python.":
    "Eine Zeile je Punkt, mit Individuum, Herkunft und wer ihn setzte; für Tabellen, R und Python.",
  "One row per image (id, X1, Y1, ...); for R's geomorph and MorphoJ.":
    "Eine Zeile je Bild (id, X1, Y1, ...); für geomorph in R und MorphoJ.",
  "One file for tpsDig, tpsRelw, geomorph and MorphoJ.":
    "Eine Datei für tpsDig, tpsRelw, geomorph und MorphoJ.",
  "CollectedData as DeepLabCut writes it, with the scorer caos.":
    "CollectedData, wie DeepLabCut es schreibt, mit caos als scorer.",
  "The same as an .h5 file.": "Dasselbe als .h5-Datei.",
  "One .slp file that names the images.": "Eine .slp-Datei, die die Bilder nennt.",
  "Keypoints as JSON, for detectron2, mmpose and others.":
    "Keypoints als JSON, für detectron2, mmpose und andere.",
  "One text file per image, as 300-W and menpo read it; zipped.":
    "Eine Textdatei je Bild, wie 300-W und menpo sie lesen; gezippt.",
  "For dlib's shape predictor and its imglab.": "Für den shape predictor von dlib und imglab.",
  "Tasks as JSON, to be imported there.": "Aufgaben als JSON, dort zu importieren.",
  "One .mrk.json file of markups per image; zipped.":
    "Eine .mrk.json-Datei mit Markups je Bild; gezippt.",
  "One .tem template per image; zipped.": "Eine .tem-Vorlage je Bild; gezippt.",
  "One .asf file per image, for AAM tools; zipped.":
    "Eine .asf-Datei je Bild, für AAM-Programme; gezippt.",
  "Measures, CSV": "Maße, CSV",
  "Regions, CSV": "Regionen, CSV",
  "Regions, JSON": "Regionen, JSON",
  "Lengths and angles, one row per image and measure.":
    "Längen und Winkel, eine Zeile je Bild und Maß.",
  "Images, landmarks, all points with who placed them and when, and the drawn sample, in one file. Restore it on the list of projects, here or elsewhere.":
    "Bilder, Landmarken, alle Punkte mit wer und wann sowie die gezogene Stichprobe in einer Datei. In der Liste der Projekte wiederherstellbar, hier oder anderswo.",
  "None has points yet.": "Noch hat keines Punkte.",
  "{}.": "{}.",
  "For landmarks without a point. CSV marks them as proposed. They carry no guarantee.":
    "Für Landmarken ohne Punkt. CSV kennzeichnet sie als vorgeschlagen. Sie haben keine Garantie.",
  "Some formats cannot say everything (who placed a point, that it is hidden). Zipped ones list what was left out in LOSSES.txt.":
    "Manche Formate können nicht alles sagen (wer einen Punkt setzte, dass er verdeckt ist). Gezippte nennen in LOSSES.txt, was fehlt.",
  "For every image outside the sample: each landmark's region with p-values, the proposed point, and what is guaranteed.":
    "Für jedes Bild außerhalb der Stichprobe: die Region jeder Landmarke mit p-Werten, der vorgeschlagene Punkt und was garantiert ist.",
  "The same with all p-values, for programs.": "Dasselbe mit allen p-Werten, für Programme.",
  "There are no regions yet: label images of the sample first.":
    "Es gibt noch keine Regionen: erst Bilder der Stichprobe labeln.",
  "All that predicting needs, for the command line: new images, other machines, scripts.":
    "Alles, was Vorhersagen braucht, für die Befehlszeile: neue Bilder, andere Rechner, Skripte.",
  "Export {}?": "{} exportieren?",
  "Export {}": "{} exportieren",
  "The guarantee of the regions in the file stays.": "Die Garantie der Regionen in der Datei bleibt.",
  "TPS counts y from the": "TPS zählt y von",
  "bottom, as tpsDig does": "unten, wie tpsDig",
  "top, as images do": "oben, wie Bilder",

  // Compare
  "Compare annotators": "Personen vergleichen",
  "How far apart two people place the same landmark: the yardstick for any machine.":
    "Wie weit auseinander zwei Personen dieselbe Landmarke setzen: der Maßstab für jede Maschine.",
  First: "Erste",
  Second: "Zweite",
  "How to compare": "So wird verglichen",
  "Ask a second person to place the landmarks again, without seeing yours: give their name at the top right, open":
    "Bitten Sie eine zweite Person, die Landmarken noch einmal zu setzen, ohne Ihre zu sehen: oben rechts deren Namen angeben,",
  "and switch to the": "öffnen und umschalten auf",
  "second reading": "den zweiten Durchgang",
  ". Second readings are kept beside the first, never calibrate, and are compared here.":
    ". Zweite Durchgänge stehen neben den ersten, kalibrieren nie und werden hier verglichen.",
  "Choose two different people.": "Wählen Sie zwei verschiedene Personen.",
  "Comparing …": "Vergleicht …",
  "Points compared": "Verglichene Punkte",
  "Mean distance": "Mittlerer Abstand",
  "Mean (mm)": "Mittel (mm)",
  Median: "Median",
  "95 % are within": "95 % liegen innerhalb",
  Largest: "Größter",
  "By landmark": "Je Landmarke",
  Mean: "Mittel",
  Distance: "Abstand",
  "no scale": "kein Maßstab",
  "Millimeters need a scale: set millimeters per pixel in the settings, or of an image.":
    "Millimeter brauchen einen Maßstab: Millimeter je Pixel in den Einstellungen oder an einem Bild setzen.",


  // Import
  "Lengths are in millimeters where the scale is known: set it by two clicks on the page":
    "Längen sind in Millimetern, wo der Maßstab bekannt ist: Setzen Sie ihn mit zwei Klicks auf der Seite",
  "Distances by landmark": "Abstände je Landmarke",
  "Pairs of points that are furthest apart": "Punktpaare, die am weitesten auseinanderliegen",
  "Points from other programs. Images are found by their names, so add the images first.":
    "Punkte aus anderen Programmen. Bilder werden an ihren Namen erkannt; fügen Sie die Bilder also zuerst hinzu.",
  "2. How to read them": "2. Wie sie zu lesen sind",
  "as the files say": "wie die Dateien es sagen",
  "CSV (image, landmark, x, y)": "CSV (Bild, Landmarke, x, y)",
  "PTS (one file an image)": "PTS (eine Datei je Bild)",
  "Add landmarks that the scheme does not have": "Landmarken hinzufügen, die das Schema nicht hat",
  "Replace points that are there already": "Vorhandene Punkte ersetzen",
  "Otherwise they stay, and the imported ones are skipped.":
    "Sonst bleiben sie, und die importierten werden übersprungen.",
  "All files are read before anything is stored; a bad one stops it all.":
    "Alle Dateien werden gelesen, bevor etwas gespeichert wird; eine fehlerhafte hält alles an.",
  "One row per landmark and image, as": "Eine Zeile je Landmarke und Bild, wie",
  "With the images to predict in a folder:": "Mit den vorherzusagenden Bildern in einem Ordner:",
  "CSV, TPS, PTS, COCO, dlib, Label Studio or 3D Slicer":
    "CSV, TPS, PTS, COCO, dlib, Label Studio oder 3D Slicer",
};
