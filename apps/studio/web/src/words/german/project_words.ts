// Projects and their settings.

export const projectWords: Readonly<Record<string, string>> = {
  // Projects
  Projects: "Projekte",
  Project: "Projekt",
  "Label landmarks in a few images. All others get regions that contain the true position at least 90 % of the time, on average.":
    "Labeln Sie Landmarken in wenigen Bildern. Alle anderen bekommen Regionen, die die wahre Position im Mittel in mindestens 90 % der Fälle enthalten.",
  "New project": "Neues Projekt",
  Name: "Name",
  "for example: skull radiographs": "zum Beispiel: Schädelröntgen",
  "How often regions must contain the true position":
    "Wie oft Regionen die wahre Position enthalten müssen",
  "On average. It is fixed once regions are seen.":
    "Im Mittel. Steht fest, sobald Regionen gesehen wurden.",
  "{} (alpha {}): needs {} labels": "{} (alpha {}): braucht {} Labels",
  "Create project": "Projekt anlegen",
  "Working size, score and k (the defaults are sensible)":
    "Arbeitsgröße, Score und k (die Vorgaben sind sinnvoll)",
  "How it works": "So geht es",
  "How it works, step by step": "So geht es, Schritt für Schritt",
  "Drop a folder of images. They stay on this machine.":
    "Einen Ordner mit Bildern hierher ziehen. Sie bleiben auf diesem Rechner.",
  "Name the points to be found, or import a list.":
    "Die gesuchten Punkte benennen oder eine Liste importieren.",
  "Draw a sample": "Stichprobe ziehen",
  "The studio draws images at random. The guarantee depends on it.":
    "Das Studio zieht Bilder zufällig. Davon hängt die Garantie ab.",
  "Place the points in these images, without hints.":
    "Die Punkte in diesen Bildern setzen, ohne Hinweise.",
  "See a region for every landmark in all other images. Accept or correct.":
    "In allen anderen Bildern zu jeder Landmarke eine Region sehen. Annehmen oder korrigieren.",
  "Download points, regions and the model, in the format you need.":
    "Punkte, Regionen und das Modell im gewünschten Format herunterladen.",
  "Next: add images": "Als Nächstes: Bilder hinzufügen",
  "Next: name the landmarks": "Als Nächstes: Landmarken benennen",
  "Next: draw a sample": "Als Nächstes: Stichprobe ziehen",
  "Next:": "Als Nächstes:",
  "name the landmarks to be found": "die gesuchten Landmarken benennen",
  "review the other images": "die anderen Bilder prüfen",
  "everything is done; take the result with you": "alles ist fertig; das Ergebnis mitnehmen",
  "{} drawn at random": "{} zufällig gezogen",
  "{} taken as given": "{} wie gegeben übernommen",
  ", target": ", Ziel",
  "Delete …": "Löschen …",
  "Delete permanently": "Endgültig löschen",
  "Keep it": "Behalten",
  "Download a backup first": "Erst eine Sicherung herunterladen",
  "Restore from a backup file …": "Aus einer Sicherung wiederherstellen …",
  "Working size": "Arbeitsgröße",
  "Images are made smaller to this size before they are compared. A patch should cover about as much as one has to see to know a landmark.":
    "Auf diese Größe werden Bilder vor dem Vergleich verkleinert. Ein Feld sollte etwa so viel zeigen, wie man sehen muss, um eine Landmarke zu erkennen.",
  "longest side {} px": "längste Seite {} px",
  "longest side {} px (default)": "längste Seite {} px (Vorgabe)",
  "original size": "Originalgröße",
  "See it on one of your images …": "An einem Ihrer Bilder ansehen …",
  Score: "Score",
  "Score and k are fixed once the sample is drawn. Choosing them after seeing results would cost the guarantee.":
    "Score und k stehen fest, sobald die Stichprobe gezogen ist. Sie nach Ergebnissen zu wählen, kostete die Garantie.",
  "How a labeled image judges a patch of another. Each keeps the guarantee; better ones give smaller regions.":
    "Wie ein gelabeltes Bild ein Feld eines anderen beurteilt. Die Garantie bleibt bei jedem; bessere geben kleinere Regionen.",
  "How many of the most similar labeled images count; 3 suits tens of labels.":
    "Wie viele der ähnlichsten gelabelten Bilder zählen; 3 passt zu einigen Dutzend Labels.",

  // Settings
  "a random image of a new subject": "ein zufälliges Bild eines neuen Individuums",
  "a random image of the rest of the pool": "ein zufälliges der übrigen Bilder",
  "All images are read again, which takes a while.":
    "Alle Bilder werden neu gelesen, was eine Weile dauert.",
  "Change it without guarantee": "Ohne Garantie ändern",
  "Change this after regions were seen?": "Dies ändern, nachdem Regionen gesehen wurden?",
  "For images without a scale of their own; comparisons of annotators then show millimeters.":
    "Für Bilder ohne eigenen Maßstab; Vergleiche von Personen zeigen dann Millimeter.",
  "How often regions must contain the true position, on average. The review page shows other values, too.":
    "Wie oft Regionen die wahre Position im Mittel enthalten müssen. Die Seite Prüfen zeigt auch andere Werte.",
  "Regions have been seen: changing the target now costs the guarantee.":
    "Regionen wurden gesehen: Das Ziel jetzt zu ändern, kostet die Garantie.",
  "Stricter: with 90 %, the chance is nine in ten that every landmark of an image lies in its region. Regions are larger.":
    "Strenger: Bei 90 % liegt mit neun von zehn jede Landmarke eines Bildes in ihrer Region. Regionen sind größer.",
  "Turns the guarantee off: corrected images are not a random sample.":
    "Schaltet die Garantie aus: Korrigierte Bilder sind keine Zufallsstichprobe.",
  "The guarantee is for": "Die Garantie gilt für",
  "A patch covers": "Ein Feld bedeckt",
  "px of this image:": "px dieses Bildes:",
  "patches.": "Felder.",
  Backbone: "Backbone",
  Drawn: "Gezogen",
  "{} images at random (seed {})": "{} Bilder zufällig (Startwert {})",
  "{} images as given": "{} Bilder wie gegeben",
  "The guarantee needs a score that was chosen before the labels were seen. For another one, make a new project.":
    "Die Garantie braucht einen Score, der gewählt wurde, bevor die Labels bekannt waren. Für einen anderen legen Sie ein neues Projekt an.",
  "cosine: how similar two patches are": "cosine: wie ähnlich zwei Patches sind",
  "margin: cosine, minus that of other patches of the image":
    "margin: cosine, abzüglich der anderen Patches des Bildes",
  "softmax: a patch against all others of its image":
    "softmax: ein Patch gegen alle anderen seines Bildes",
  "geometry: cosine, and the distance from where all patches place the landmark":
    "geometry: cosine, und der Abstand von der Stelle, an der alle Patches die Landmarke sehen",
  "Patches of {} px on the image": "Patches von {} px auf dem Bild",
};
