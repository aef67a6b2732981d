// The catalog goes on: import, comparison and what a keyboard does.

export const germanMore: Readonly<Record<string, string>> = {
  "to go": "fehlen noch",
  "no pair": "kein Paar",
  "Arrow keys move a cross-hair, Enter places the next landmark there, Tab goes through the landmarks, question mark shows all keys.":
    "Pfeiltasten bewegen ein Fadenkreuz, die Eingabetaste setzt dort die nächste Landmarke, Tab geht durch die Landmarken, das Fragezeichen zeigt alle Tasten.",
  "Tab goes through the landmarks, Enter accepts a proposal, arrow keys move it, question mark shows all keys.":
    "Tab geht durch die Landmarken, die Eingabetaste nimmt einen Vorschlag an, Pfeiltasten bewegen ihn, das Fragezeichen zeigt alle Tasten.",
  "The labeled images most similar here (p-value":
    "Die gelabelten Bilder, die hier am ähnlichsten sind (p-Wert",
  "The next {} of the random order cannot be audited: regions or proposals of {} were shown or exported before. An audit comes before the review.":
    "Die nächsten {} der zufälligen Reihenfolge können nicht auditiert werden: Regionen oder Vorschläge von {} wurden schon gezeigt oder exportiert. Ein Audit kommt vor dem Prüfen.",
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
  "The guarantee needs a score that was chosen before the labels were seen. For another one, make a new project.":
    "Die Garantie braucht einen Score, der gewählt wurde, bevor die Labels bekannt waren. Für einen anderen legen Sie ein neues Projekt an.",
};
