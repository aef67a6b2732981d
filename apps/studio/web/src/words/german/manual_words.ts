// The manual.

export const manualWords: Readonly<Record<string, string>> = {
  // Manual
  Manual: "Handbuch",
  Contents: "Inhalt",
  "How to get landmarks and regions for many images from few labels.":
    "Wie man mit wenigen Labels Landmarken und Regionen für viele Bilder bekommt.",
  "The idea": "Die Idee",
  "Images, landmarks and the sample": "Bilder, Landmarken und die Stichprobe",
  "What the guarantee means": "Was die Garantie bedeutet",
  Measure: "Messen",
  "Export and backup": "Export und Sicherung",
  "If something looks wrong": "Wenn etwas falsch aussieht",
  "You label some images. The studio compares every patch of the other images with the labeled ones, proposes a point for each landmark, and draws a":
    "Sie labeln einige Bilder. Das Studio vergleicht jedes Feld der anderen Bilder mit den gelabelten, schlägt zu jeder Landmarke einen Punkt vor und zeichnet eine",
  region: "Region",
  "around the places that look like it. Regions contain the true position at least 90 % of the time, on average, unless you choose another target.":
    "um die Stellen, die ihr gleichen. Regionen enthalten die wahre Position im Mittel in mindestens 90 % der Fälle, wenn Sie kein anderes Ziel wählen.",
  "Everything stays on this computer. No image is sent anywhere.":
    "Alles bleibt auf diesem Rechner. Kein Bild wird versandt.",
  "A file with several pages asks which page to take. Of DICOM files, pixels and scale are kept, and nothing about the patient.":
    "Bei einer Datei mit mehreren Seiten fragt das Studio, welche es nehmen soll. Von DICOM-Dateien werden Pixel und Maßstab behalten, nichts über die Person.",
  "Click where the landmark is; the next one follows. The ring around a point leaves its middle open. Drag a point to move it, or use the arrow keys. Z zooms to the selected landmark and keeps the zoom for the next image; X hides points and names.":
    "Klicken Sie auf die Landmarke; die nächste folgt. Der Ring um einen Punkt lässt dessen Mitte offen. Ziehen verschiebt einen Punkt, ebenso die Pfeiltasten. Z zoomt zur gewählten Landmarke, und der Zoom bleibt für das nächste Bild; X verbirgt Punkte und Namen.",
  "The badge at the top says what you may rely on; a click shows the details. 90 % is an average over all samples that might have been drawn. In your project the share can be somewhat lower or higher; an audit measures it. The guarantee is about regions: a proposed point has none.":
    "Das Abzeichen oben sagt, worauf Sie sich verlassen können; ein Klick zeigt Einzelheiten. 90 % ist ein Mittel über alle Stichproben, die hätten gezogen werden können. In Ihrem Projekt kann der Anteil etwas kleiner oder größer sein; ein Audit misst ihn. Die Garantie gilt Regionen: Ein vorgeschlagener Punkt hat keine.",
  "Some actions cost the guarantee, such as changing the target after you have seen regions. The page asks before.":
    "Manches kostet die Garantie, etwa das Ziel zu ändern, nachdem Sie Regionen gesehen haben. Die Seite fragt vorher.",
  "Choose how far off a point may be and which share of wrong points you can bear, before you look. The studio accepts the proposals for which this holds on average, and leaves the rest in the queue.":
    "Wählen Sie vor dem Hinsehen, wie weit ein Punkt abweichen darf und welchen Anteil falscher Sie ertragen. Das Studio nimmt die Vorschläge an, für die das im Mittel gilt, und lässt den Rest in der Liste.",
  "Label some more images without hints, and the studio says how many of the remaining regions are right at least, with 95 % confidence. Do this before the review: images whose regions were seen cannot be audited.":
    "Labeln Sie einige weitere Bilder ohne Hinweise; das Studio sagt dann mit 95 % Konfidenz, wie viele der übrigen Regionen mindestens stimmen. Tun Sie das vor dem Prüfen: Bilder, deren Regionen gesehen wurden, können nicht auditiert werden.",
  "Points are exported for R, tpsDig, DeepLabCut, SLEAP, COCO, 3D Slicer and others, with where each came from: labeled, corrected, accepted, auto-accepted or proposed. A backup holds the whole project, and is restored on the list of projects.":
    "Punkte werden für R, tpsDig, DeepLabCut, SLEAP, COCO, 3D Slicer und andere exportiert, mit ihrer Herkunft: gelabelt, korrigiert, angenommen, automatisch angenommen oder vorgeschlagen. Eine Sicherung enthält das ganze Projekt und wird in der Liste der Projekte wiederhergestellt.",
  "all images; those with a border are drawn": "alle Bilder; die mit Rand sind gezogen",
  "you label these": "diese labeln Sie",
  without: "ohne",
  hints: "Hinweise",
  "a placed point: its middle stays open": "ein gesetzter Punkt: seine Mitte bleibt offen",
  "the selected": "der gewählte",
  point: "Punkt",
  "1. no location conforms": "1. keine Stelle passt",
  "2. doubtful": "2. zweifelhaft",
  "3. conforms": "3. passt",
  "regions and true positions": "Regionen und wahre Positionen",
  "9 of 10 contain it, on average over samples":
    "9 von 10 enthalten sie, im Mittel über Stichproben",
  "half: propose": "Hälfte: schlägt vor",
  "half: calibrate": "Hälfte: kalibriert",
  "accepted, few are wrong": "angenommen, wenige sind falsch",
  "left in the queue": "bleiben in der Liste",

  // The manual in full
  "Drop a folder of images on the page": "Ziehen Sie einen Ordner mit Bildern auf die Seite",
  ", and name the landmarks on the page": ", und benennen Sie die Landmarken auf der Seite",
  ". Then draw a sample: the studio picks images at random, and you label these. A random sample represents the rest; images chosen by hand do not. 30 images are a good start for a target of 90 %.":
    ". Ziehen Sie dann eine Stichprobe: Das Studio wählt Bilder zufällig, und Sie labeln diese. Eine Zufallsstichprobe steht für den Rest, von Hand gewählte Bilder nicht. 30 Bilder sind ein guter Anfang für ein Ziel von 90 %.",
  "A landmark outside the image is": "Eine Landmarke außerhalb des Bildes ist",
  ". A landmark that is covered, but whose position you know, is":
    ". Eine Landmarke, die verdeckt ist, deren Position Sie aber kennen, ist",
  ". If an image cannot be labeled at all, mark it as such instead of deleting it: the sample then stays random.":
    ". Lässt sich ein Bild gar nicht labeln, markieren Sie es so, statt es zu löschen: Die Stichprobe bleibt dann zufällig.",
  "The button ◐ changes brightness and contrast. Images with 16 bits also have a window and a level. This changes the screen only.":
    "Der Knopf ◐ ändert Helligkeit und Kontrast. Bilder mit 16 Bit haben auch Fenster und Mitte. Das betrifft nur den Bildschirm.",
  "The images that conform least come first, with the worst landmark selected. An":
    "Die Bilder, die am schlechtesten passen, kommen zuerst, mit der schlechtesten Landmarke gewählt. Eine",
  "empty region": "leere Region",
  "means that no location looks like the labeled ones: check it first. Enter accepts the selected proposal, Shift+Enter all of an image and goes on, a drag corrects.":
    "bedeutet, dass keine Stelle den gelabelten gleicht: zuerst prüfen. Enter nimmt den gewählten Vorschlag an, Umschalt+Enter alle eines Bildes und geht weiter, Ziehen korrigiert.",
  "On the page": "Auf der Seite",
  "you define lengths, angles and lines between landmarks. They are shown live while you label and review. For millimeters, set the scale on the page":
    "legen Sie Längen, Winkel und Linien zwischen Landmarken fest. Sie werden beim Labeln und Prüfen gezeigt. Für Millimeter setzen Sie den Maßstab auf der Seite",
  ": two clicks on a ruler and its length.": ": zwei Klicks auf ein Lineal und dessen Länge.",
  "Regions are larger than 5 % of the image.": "Regionen sind größer als 5 % des Bildes.",
  "Check the labeled points, try a smaller working size in Settings, make a new project with the score geometry, or label more images.":
    "Prüfen Sie die gelabelten Punkte, versuchen Sie in den Einstellungen eine kleinere Arbeitsgröße, legen Sie ein neues Projekt mit dem Score geometry an, oder labeln Sie mehr Bilder.",
  '"Guarantee in doubt".': "„Garantie zweifelhaft“.",
  "The labeled images do not look like a random order: something changed on the way, such as the device.":
    "Die gelabelten Bilder sehen nicht nach einer zufälligen Reihenfolge aus: Unterwegs hat sich etwas geändert, etwa das Gerät.",
  '"Offline".': "„Offline“.",
  "The server does not answer. Your clicks are kept in this browser and sent when it is back.":
    "Der Server antwortet nicht. Ihre Klicks bleiben in diesem Browser und werden gesendet, wenn er wieder da ist.",

  // Figures
  "From all images some are drawn at random and labeled":
    "Aus allen Bildern werden einige zufällig gezogen und gelabelt",
  "Points are open rings; the selected one has a reticle":
    "Punkte sind offene Ringe; der gewählte hat ein Fadenkreuz",
  "Images under review: first empty regions, then doubtful proposals, then those that conform":
    "Bilder beim Prüfen: zuerst leere Regionen, dann zweifelhafte Vorschläge, dann passende",
  "Nine of ten regions contain their landmark, on average":
    "Neun von zehn Regionen enthalten ihre Landmarke, im Mittel",
  "Labeled images are divided: one half proposes, the other calibrates":
    "Gelabelte Bilder werden geteilt: Die eine Hälfte schlägt vor, die andere kalibriert",
};
