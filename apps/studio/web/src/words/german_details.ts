// The catalog goes on: sentences that fewer people see.

export const germanDetails: Readonly<Record<string, string>> = {
  // Guarantee, in full
  "The guarantee is an average over samples. An audit bounds how many regions of this project are right.":
    "Die Garantie ist ein Mittel über Stichproben. Ein Audit beschränkt, wie viele Regionen dieses Projekts stimmen.",
  "{} of {} images are labeled.": "{} von {} Bildern sind gelabelt.",
  "{} of {} images are labeled": "{} von {} Bildern sind gelabelt",
  "Go on with the audit": "Audit fortsetzen",
  "See the audit": "Audit ansehen",
  "how many regions are right": "wie viele Regionen stimmen",
  "bound how many regions are right, with images whose regions were not seen":
    "beschränken, wie viele Regionen stimmen, mit Bildern, deren Regionen niemand sah",
  "In this project": "In diesem Projekt",
  "Guarantee: {} ({}). Show what it stands on.": "Garantie: {} ({}). Zeigen, worauf sie beruht.",
  "What the guarantee stands on": "Worauf die Garantie beruht",
  "All landmarks of an image lie in their regions at least {} of the time, on average over samples.{}":
    "Alle Landmarken eines Bildes liegen in mindestens {} der Fälle in ihren Regionen, im Mittel über Stichproben.{}",
  "{} on average over samples, all landmarks": "{} im Mittel über Stichproben, alle Landmarken",
  "No image is labeled yet.": "Noch ist kein Bild gelabelt.",
  "With {} some landmarks have no regions yet. {}":
    "Mit {} haben einige Landmarken noch keine Regionen. {}",
  "With {} a target of {} can only be met by regions that are the whole image. {}":
    "Mit {} erreichen ein Ziel von {} nur Regionen, die das ganze Bild sind. {}",
  "Draw and label {}.": "{} ziehen und labeln.",
  "Label {} of the sample.": "{} der Stichprobe labeln.",
  "{} more images": "noch {} Bilder",
  "{} more image": "noch {} Bild",
  "The labeled images do not look like a random order, which causes this alarm in at most 1 of 100 projects. Something may have changed on the way: look at the images where the chart climbs.":
    "Die gelabelten Bilder sehen nicht nach einer zufälligen Reihenfolge aus; das löst diesen Alarm in höchstens 1 von 100 Projekten aus. Unterwegs kann sich etwas geändert haben: Sehen Sie sich die Bilder an, bei denen die Kurve steigt.",
  "Nothing reviewed yet.": "Noch nichts geprüft.",
  "The check begins with the first labeled images.":
    "Die Prüfung beginnt mit den ersten gelabelten Bildern.",
  "stricter, larger regions": "strenger, größere Regionen",
  "{} (alpha {})": "{} (alpha {})",
  "Planned looks": "Geplante Blicke",
  "Images that calibrate (n)": "Bilder, die kalibrieren (n)",
  "Rank of the threshold": "Rang der Schwelle",
  "Smallest alpha possible now": "Kleinstes jetzt mögliches alpha",
  "none yet": "noch keines",
  "{}, but there are {} only": "{}, aber es gibt nur {}",
  "Do the labeled images look like a random order?":
    "Sehen die gelabelten Bilder nach einer zufälligen Reihenfolge aus?",
  "This cannot be checked: the order in which these images were labeled is not known.":
    "Das lässt sich nicht prüfen: In welcher Reihenfolge diese Bilder gelabelt wurden, ist nicht bekannt.",
  "Highest so far: {}. The alarm is at 100, which a truly random order reaches in at most 1 of 100 projects. {}":
    "Höchster Wert bisher: {}. Der Alarm liegt bei 100, was eine zufällige Reihenfolge in höchstens 1 von 100 Projekten erreicht. {}",
  "No sign that the labeled images differ from each other over time.":
    "Kein Anzeichen, dass sich die gelabelten Bilder mit der Zeit ändern.",
  "A weak sign that something changes over time; more labels will tell.":
    "Ein schwaches Anzeichen, dass sich mit der Zeit etwas ändert; mehr Labels werden es zeigen.",
  "A description, not part of the guarantee: reviewed images were not picked at random, and proposals were in view.":
    "Eine Beschreibung, kein Teil der Garantie: Geprüfte Bilder wurden nicht zufällig gewählt, und Vorschläge waren zu sehen.",
  "Regions may become smaller, but": "Regionen können kleiner werden, aber",
  "the guarantee is switched off": "die Garantie ist ausgeschaltet",
  "while this is on: corrected images were chosen and seen with proposals. They are not a random sample.":
    ", solange dies an ist: Korrigierte Bilder wurden gewählt und mit Vorschlägen gesehen. Sie sind keine Zufallsstichprobe.",
  "Try a smaller working size or the score geometry, in":
    "Eine kleinere Arbeitsgröße oder den Score geometry versuchen, in den",
  "images in the order of the draw": "Bilder in der Reihenfolge der Ziehung",
  "How well proposals conform, by color": "Wie gut Vorschläge passen, nach Farbe",

  // Conflicts and saving
  "A change": "Eine Änderung",
  "The server did not take a change": "Der Server hat eine Änderung nicht angenommen",
  "Try again": "Noch einmal versuchen",
  ", made": ", vom",
  ", could not be stored:": ", konnte nicht gespeichert werden:",
  "It is kept in this browser until you decide.": "Sie bleibt in diesem Browser, bis Sie entscheiden.",
  "{} was changed elsewhere": "{} wurde anderswo geändert",
  "Take theirs": "Fremde nehmen",
  "Keep mine": "Eigene behalten",
  "changed it at": "hat es geändert um",
  ", after you had loaded it. Your own edits are kept in this browser until you decide.":
    ", nachdem Sie es geladen hatten. Ihre Änderungen bleiben in diesem Browser, bis Sie entscheiden.",
  "“Keep mine” puts your edits on top of theirs; landmarks that you did not touch stay as they are on the left. “Take theirs” drops your edits.":
    "„Eigene behalten“ setzt Ihre Änderungen auf die fremden; Landmarken, die Sie nicht berührt haben, bleiben wie links. „Fremde nehmen“ verwirft Ihre Änderungen.",
  "Another annotator": "Jemand anderes",
  "Theirs: on the server, by {}": "Fremde: auf dem Server, von {}",
  "Mine: with my edits on top": "Eigene: mit meinen Änderungen",
  "Landmark I changed": "Von mir geänderte Landmarke",
  Theirs: "Fremde",
  Mine: "Eigene",
  "{} (hidden)": "{} (verdeckt)",
  "The labels of a finished audit are frozen.":
    "Die Labels eines abgeschlossenen Audits sind eingefroren.",
  "{} in conflict": "{} im Konflikt",
  "{} refused": "{} abgelehnt",

  // More of the viewer and of labeling
  "How the image is shown": "Wie das Bild gezeigt wird",
  "The image could not be loaded.": "Das Bild konnte nicht geladen werden.",
  "zoom to the selected landmark; again: the whole image":
    "zur gewählten Landmarke zoomen; noch einmal: das ganze Bild",
  "hide or show points, names and regions": "Punkte, Namen und Regionen verbergen oder zeigen",
  closer: "näher",
  "further away": "weiter weg",
  "the whole image": "das ganze Bild",
  Zoom: "Zoom",
  Regions: "Regionen",
  "place the next landmark at the cross-hair": "nächste Landmarke am Fadenkreuz setzen",
  "remove the selected point": "gewählten Punkt entfernen",
  "not visible: not in the image": "nicht sichtbar: nicht im Bild",
  "hidden: place known, but covered": "verdeckt: Ort bekannt, aber verdeckt",
  "next landmark of the list": "nächste Landmarke der Liste",
  "previous landmark of the list": "vorige Landmarke der Liste",
  "select nothing, hide the cross-hair": "nichts wählen, Fadenkreuz verbergen",
  "next image that is not done": "nächstes Bild, das nicht fertig ist",
  "previous image": "voriges Bild",
  "next image": "nächstes Bild",
  undo: "rückgängig",
  redo: "wiederholen",
  "move the selected point by 1 px (Shift 10, Alt 0.1), else the cross-hair":
    "gewählten Punkt um 1 px bewegen (Umschalt 10, Alt 0,1), sonst das Fadenkreuz",
  "move the selected point by 1 px (Shift 10, Alt 0.1)":
    "gewählten Punkt um 1 px bewegen (Umschalt 10, Alt 0,1)",
  "Images to label": "Bilder zum Labeln",
  "Choose an image.": "Ein Bild wählen.",
  "Every image of this list is done.": "Jedes Bild dieser Liste ist fertig.",
  "Hide the list of images": "Liste der Bilder verbergen",
  "Show the list of images": "Liste der Bilder zeigen",
  Image: "Bild",
  "Image {}": "Bild {}",
  ", image {} of {}": ", Bild {} von {}",
  "Next image that is not done (N)": "Nächstes Bild, das nicht fertig ist (N)",
  "1st": "1.",
  "2nd": "2.",
  "1st reading: the one that counts": "1. Durchgang: der zählt",
  "2nd reading: independent, to compare; it does not show the first":
    "2. Durchgang: unabhängig, zum Vergleich; er zeigt den ersten nicht",
  Reading: "Durchgang",
  "Loading points…": "Punkte werden geladen …",
  "There are no landmarks yet.": "Es gibt noch keine Landmarken.",
  "Name them first": "Erst benennen",
  "History of this image, newest first": "Verlauf dieses Bildes, das Neueste zuerst",
  removed: "entfernt",
  "at {}, {}": "bei {}, {}",
  "{}, hidden": "{}, verdeckt",
  ", proposal accepted": ", Vorschlag angenommen",
  ", corrected": ", korrigiert",
  ", imported": ", importiert",
  ", restored": ", wiederhergestellt",
  ", accepted without review": ", ohne Prüfung angenommen",
  "Landmarks and history": "Landmarken und Verlauf",
  "What to show": "Was gezeigt wird",
  "The selected point": "Der gewählte Punkt",
  "Remove the point (Delete)": "Punkt entfernen (Entf)",
  "Not in the image (M)": "Nicht im Bild (M)",
  "Its place is known, but it is covered (H)": "Ort bekannt, aber verdeckt (H)",
  "Mark {} as not labelable?": "{} als nicht labelbar markieren?",
  All: "Alle",
  "landmarks are marked as not visible, as in a blurred, cut off or wrong picture. Points that are placed in it are replaced; undo brings them back.":
    "Landmarken werden als nicht sichtbar markiert, wie in einem unscharfen, abgeschnittenen oder falschen Bild. Schon gesetzte Punkte werden ersetzt; Rückgängig bringt sie zurück.",
  "The image stays in the sample, so the guarantee stays. Deleting it would cost the guarantee, as a sample from which images are chosen is no longer random.":
    "Das Bild bleibt in der Stichprobe, also bleibt die Garantie. Es zu löschen kostete sie, denn eine Stichprobe, aus der gewählt wird, ist nicht mehr zufällig.",
  "Second reading: independent. It does not show the first, and is compared with it on the page Compare.":
    "Zweiter Durchgang: unabhängig. Er zeigt den ersten nicht und wird auf der Seite Vergleich mit ihm verglichen.",
  "Part of the audit: labeled without hints, so that the count is fair. These labels never calibrate.":
    "Teil des Audits: ohne Hinweise gelabelt, damit die Zählung fair ist. Diese Labels kalibrieren nie.",
  "Back to the audit": "Zurück zum Audit",
  "Part of a finished audit: its labels are frozen.":
    "Teil eines abgeschlossenen Audits: Seine Labels sind eingefroren.",
  "See its regions": "Seine Regionen ansehen",
  "comes first and is not done. The guarantee holds by design if the sample is labeled in its order.":
    "kommt zuerst und ist nicht fertig. Die Garantie gilt, wenn die Stichprobe in ihrer Reihenfolge gelabelt wird.",
  "All landmarks are done.": "Alle Landmarken sind gesetzt.",
  "Select the point to remove.": "Wählen Sie den Punkt, der entfernt werden soll.",
  "Select a point to mark it as hidden.": "Wählen Sie einen Punkt, um ihn als verdeckt zu markieren.",
  "There is nothing to undo.": "Es gibt nichts rückgängig zu machen.",
  "There is nothing to redo.": "Es gibt nichts zu wiederholen.",
  "Another annotator changed this since; nothing was undone.":
    "Jemand hat dies inzwischen geändert; nichts wurde rückgängig gemacht.",
  "{} changed this image just now.": "{} hat dieses Bild gerade geändert.",
  "{} mm per pixel": "{} mm je Pixel",
  "{} mm per pixel, of the project": "{} mm je Pixel, vom Projekt",
  "Scale: {} mm per pixel.": "Maßstab: {} mm je Pixel.",
  "The line has": "Die Linie hat",
  "Measures of this image": "Maße dieses Bildes",

  // More of accepting
  "Deciding on images": "Über Bilder wird entschieden",
  Choose: "Wählen",
  "Regions of this project have been seen. A choice that is made now is taken on trust.":
    "Regionen dieses Projekts wurden gesehen. Eine Wahl gilt jetzt auf Vertrauen.",
  "Images are still being read.": "Bilder werden noch gelesen.",
  "Accepted. The rest is in the review queue.": "Angenommen. Der Rest wartet auf die Prüfung.",
  Accepted: "Angenommen",
  Tolerance: "Toleranz",
  ", at most": ", höchstens",
  "wrong on average, decided by": "im Mittel falsch, entschieden nach",
  points: "Punkten",
  "{} of {} proposals": "{} von {} Vorschlägen",
  "can be": "können",
  were: "wurden",
  "accepted unseen, in": "ungesehen angenommen werden, in",
  "all of them.": "alle.",
  Compute: "Rechnen",
  "Accepted by landmark": "Angenommen je Landmarke",
  Landmark: "Landmarke",
  "Wrong in calibration": "Falsch in der Kalibrierung",
  "Too few labels for": "Zu wenige Labels für",
  "If this were repeated many times with new samples, the share of wrong points among the accepted ones would be at most your error rate on average. A single project can have more or fewer. The images are fixed before anything is computed, and points that you have placed stay. Accepted points are marked as auto-accepted in history and exports.":
    "Würde dies oft mit neuen Stichproben wiederholt, wäre der Anteil falscher unter den angenommenen Punkten im Mittel höchstens so groß wie gewählt. Ein einzelnes Projekt kann mehr oder weniger haben. Die Bilder stehen fest, bevor gerechnet wird, und gesetzte Punkte bleiben. Angenommene Punkte sind im Verlauf und in Exporten als automatisch angenommen gekennzeichnet.",

  // Audit
  "The guarantee is an average over samples. An audit is about this project: label some more images without hints, and see how many of the remaining regions are right at least.":
    "Die Garantie ist ein Mittel über Stichproben. Ein Audit betrifft dieses Projekt: Labeln Sie einige weitere Bilder ohne Hinweise und sehen Sie, wie viele der übrigen Regionen mindestens stimmen.",
  "Another audit": "Ein weiteres Audit",
  "Begin an audit": "Audit beginnen",
  "How many of the next {}?": "Wie viele der nächsten {}?",
  "Begin …": "Beginnen …",
  "At most": "Höchstens",
  ": the image that follows was removed, or its regions were shown.":
    ": Das folgende Bild wurde entfernt, oder seine Regionen wurden gezeigt.",
  "The studio takes the": "Das Studio nimmt die",
  "next images of the random order": "nächsten Bilder der Zufallsreihenfolge",
  ". You label them": ". Sie labeln sie",
  ", as you did with the sample. Then it counts how many regions contain your point and says what follows for the images that are not labeled. Do it":
    ", wie die Stichprobe. Dann zählt es, wie viele Regionen Ihren Punkt enthalten, und sagt, was daraus für die nicht gelabelten Bilder folgt. Tun Sie es",
  "before the review": "vor dem Prüfen",
  ": images whose regions were seen cannot be audited.":
    ": Bilder, deren Regionen gesehen wurden, können nicht auditiert werden.",
  "At least so many of the remaining regions are right, with":
    "Mindestens so viele der übrigen Regionen stimmen, mit",
  confidence: "Konfidenz",
  images: "Bilder",
  "no miss": "kein Fehler",
  "1 miss": "1 Fehler",
  "2 misses": "2 Fehler",
  "Begin the audit": "Audit beginnen",
  "Audit the next {}?": "Die nächsten {} auditieren?",
  "The number is fixed from now on, and so are the regions: if points of the sample, landmarks or settings change before the end, the audit is void. The sample cannot grow afterwards, as these images come next in its order.":
    "Die Zahl steht von nun an fest, ebenso die Regionen: Ändern sich Punkte der Stichprobe, Landmarken oder Einstellungen vor dem Ende, ist das Audit ungültig. Die Stichprobe kann danach nicht wachsen, denn diese Bilder kommen in ihrer Reihenfolge als nächste.",
  "Audit of {}": "Audit von {}",
  "Labeled without hints": "Ohne Hinweise gelabelt",
  "Show the result …": "Ergebnis zeigen …",
  "Discard the audit …": "Audit verwerfen …",
  "Show the result?": "Ergebnis zeigen?",
  "The labels of the audited images are frozen from then on: labels that change after the result was seen would decide it. Correct what you want to correct before.":
    "Die Labels der auditierten Bilder sind von da an eingefroren: Labels, die sich nach dem Ergebnis ändern, würden es entscheiden. Korrigieren Sie vorher.",
  "Freeze the labels and show the result": "Labels einfrieren und Ergebnis zeigen",
  "Discard the audit?": "Audit verwerfen?",
  "Its labels stay, and its images can be reviewed with their regions. They are not used in a later audit, which begins after them in the random order.":
    "Seine Labels bleiben, und seine Bilder können mit ihren Regionen geprüft werden. Ein späteres Audit verwendet sie nicht; es beginnt hinter ihnen in der Zufallsreihenfolge.",
  "Discard the audit": "Audit verwerfen",
  "Earlier audits": "Frühere Audits",
  "Result of {}": "Ergebnis von {}",
  Inside: "Innen",
  Outside: "Außen",
  "At least, of the other {}": "Mindestens, von den anderen {}",
  "All statements together": "Alle Aussagen zusammen",

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

  // More of exports
  "One row per point, with subject, source and annotator; for spreadsheets, R and Python.":
    "Eine Zeile je Punkt, mit Person, Herkunft und wer ihn setzte; für Tabellen, R und Python.",
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

  // More of the sample, images and landmarks
  "Use the images that are labeled?": "Die gelabelten Bilder verwenden?",
  "Use them": "Verwenden",
  "Use the {} labeled already …": "Die schon gelabelten {} verwenden …",
  "Regions carry the guarantee when {} images are labeled; you may stop at any of these looks.":
    "Regionen haben die Garantie, wenn {} Bilder gelabelt sind; bei jedem dieser Blicke dürfen Sie aufhören.",
  "The guarantee begins when all of them are labeled. Until regions are seen, their number can be changed at no cost; afterwards drawing more costs the guarantee.":
    "Die Garantie beginnt, wenn alle gelabelt sind. Bis Regionen gesehen werden, kann die Zahl kostenlos geändert werden; danach kostet mehr zu ziehen die Garantie.",
  "The guarantee is for the": "Die Garantie gilt für die",
  "that are in the project now. Images added later get regions, too, on trust.":
    ", die jetzt im Projekt sind. Später hinzugefügte bekommen auch Regionen, auf Vertrauen.",
  "There are no landmarks yet. Name them first, if you can.":
    "Es gibt noch keine Landmarken. Benennen Sie sie möglichst zuerst.",
  "These images were not drawn at random. The guarantee then assumes that they are as good as a random choice of all images; the badge turns amber and says so.":
    "Diese Bilder wurden nicht zufällig gezogen. Die Garantie nimmt dann an, dass sie so gut wie eine Zufallsauswahl sind; das Abzeichen wird gelb und sagt es.",
  "There was no file in that.": "Darin war keine Datei.",
  "Wait until the files before are stored.": "Warten Sie, bis die vorigen Dateien gespeichert sind.",
  "All {}, as an image each": "Alle {}, je ein Bild",
  "to label{}": "zu labeln{}",
  "to review{}": "zu prüfen{}",
  "No image is like that.": "Kein Bild ist so.",
  "Delete {}": "{} löschen",
  "Subject of {}": "Person von {}",
  "Delete the image": "Bild löschen",
  'Delete "{}"?': "„{}“ löschen?",
  "Its {} and their history go with it.": "Seine {} und ihr Verlauf gehen mit.",
  "It has no points yet.": "Es hat noch keine Punkte.",
  "It belongs to the sample. A sample from which images were taken by choice is no longer random: without this one there is no guarantee any more, for good.":
    "Es gehört zur Stichprobe. Eine Stichprobe, aus der Bilder gewählt entfernt wurden, ist nicht mehr zufällig: Ohne dieses gibt es dauerhaft keine Garantie mehr.",
  "These images could not be read:": "Diese Bilder konnten nicht gelesen werden:",
  "Which images to show": "Welche Bilder gezeigt werden",
  "The guarantee is for the number of images fixed now: whether to label more must not depend on how regions look. To decide by their look, plan now when you will look, such as at 20 and 40 images. You may stop at any of these looks and keep the guarantee. The price is larger regions, as the allowed misses are divided among the looks.":
    "Die Garantie gilt für die jetzt festgelegte Zahl von Bildern: Ob Sie mehr labeln, darf nicht davon abhängen, wie Regionen aussehen. Um danach zu entscheiden, planen Sie jetzt, wann Sie hinsehen, etwa bei 20 und 40 Bildern. Bei jedem dieser Blicke dürfen Sie aufhören und behalten die Garantie. Der Preis sind größere Regionen, da die erlaubten Fehler auf die Blicke verteilt werden.",
  "Look when so many are labeled": "Hinsehen, wenn so viele gelabelt sind",
  "The last number is the size of the sample.": "Die letzte Zahl ist die Größe der Stichprobe.",
  "Draw more …": "Mehr ziehen …",
  "New size of the sample": "Neue Größe der Stichprobe",
  "The next ones of the same random order.": "Die nächsten derselben Zufallsreihenfolge.",
  "Extend without guarantee": "Ohne Garantie erweitern",
  Extend: "Erweitern",
  "Planned looks: {}. You may stop at any of them.":
    "Geplante Blicke: {}. Bei jedem dürfen Sie aufhören.",
  "Subjects from a table": "Personen aus einer Tabelle",
  "not an image (JPEG, PNG, TIFF, WebP, BMP and DICOM are)":
    "kein Bild (JPEG, PNG, TIFF, WebP, BMP und DICOM sind welche)",
  "the file is empty": "die Datei ist leer",
  "no page was chosen": "keine Seite wurde gewählt",
  "stopped before it was sent": "vor dem Senden angehalten",
  "Paste a list of landmarks": "Eine Liste von Landmarken einfügen",
  "One name a line": "Ein Name je Zeile",
  "No landmarks yet. Add them one by one, paste a list, or read them from a file.":
    "Noch keine Landmarken. Fügen Sie sie einzeln hinzu, als Liste oder aus einer Datei.",
  "Two landmarks are called \"{}\".": "Zwei Landmarken heißen „{}“.",
  "Points would be lost": "Punkte gingen verloren",
  "Keep the points": "Punkte behalten",
  "Keep the landmarks": "Landmarken behalten",
  "Save without a guarantee": "Ohne Garantie speichern",
  "The guarantee would be lost": "Die Garantie ginge verloren",
  "Color of {}": "Farbe von {}",
  "Name of landmark {}": "Name der Landmarke {}",
  "Other side of {}": "Andere Seite von {}",
  "Move {} up": "{} nach oben",
  "Move {} down": "{} nach unten",
  "Remove {}": "{} entfernen",
  "length from {} to {}": "Länge von {} bis {}",
  "angle at {}, from {} to {}": "Winkel an {}, von {} bis {}",
  "angle between {} and {}": "Winkel zwischen {} und {}",
  Corner: "Ecke",
  "It needs a name.": "Es braucht einen Namen.",
  "Another measure has this name.": "Ein anderes Maß hat diesen Namen.",
  "Measures need landmarks.": "Maße brauchen Landmarken.",

  // More of the review
  "All landmarks of this image are decided. Enter goes to the next image.":
    "Alle Landmarken dieses Bildes sind entschieden. Enter geht zum nächsten Bild.",
  "How to look at the regions": "Wie die Regionen gezeigt werden",
  "labels are too few for this: every region is the whole image.":
    "Labels sind dafür zu wenige: Jede Region ist das ganze Bild.",
  "At {} (alpha {}) or less, regions are smaller.":
    "Bei {} (alpha {}) oder weniger sind Regionen kleiner.",
  "The guarantee holds for regions at alpha": "Die Garantie gilt für Regionen bei alpha",
  ", which was fixed beforehand.": ", das vorher festgelegt wurde.",
  "No guarantee for this image:": "Keine Garantie für dieses Bild:",
  "accept the selected proposal; when all are decided, next image":
    "gewählten Vorschlag annehmen; wenn alle entschieden sind, nächstes Bild",
  "accept all proposals of the image, and go on to the next":
    "alle Vorschläge des Bildes annehmen und zum nächsten gehen",
  "next image of the queue": "nächstes Bild der Liste",
  "previous image of the queue": "voriges Bild der Liste",
  "next image to review": "nächstes Bild zum Prüfen",
  "more certain, larger regions": "sicherer, größere Regionen",
  "less certain, smaller regions": "weniger sicher, kleinere Regionen",
  "back to the project's target": "zurück zum Ziel des Projekts",
  "all regions or only the selected one": "alle Regionen oder nur die gewählte",
  "color by conformity or by landmark": "Farbe nach Konformität oder Landmarke",
  "Looking for the image to review …": "Das Bild zum Prüfen wird gesucht …",
  "Image not found.": "Bild nicht gefunden.",
  "Regions need a sample of labeled images.":
    "Regionen brauchen eine Stichprobe gelabelter Bilder.",
  "All images are in the sample: there is nothing left to review.":
    "Alle Bilder sind in der Stichprobe: Es bleibt nichts zu prüfen.",
  "No image of the sample is labeled yet.": "Noch ist kein Bild der Stichprobe gelabelt.",
  "Label the first one": "Das erste labeln",
  "Label it": "Labeln",
  "Images to review": "Bilder zum Prüfen",
  "Next image to review (Enter)": "Nächstes Bild zum Prüfen (Enter)",
  "Accept the selected proposal (Enter)": "Gewählten Vorschlag annehmen (Enter)",
  "Accept all proposals (Shift+Enter)": "Alle Vorschläge annehmen (Umschalt+Enter)",
  "Click the image to place it by hand.": "Klicken Sie ins Bild, um sie von Hand zu setzen.",
  "Score of this labeled image; smaller is more similar":
    "Score dieses gelabelten Bildes; kleiner heißt ähnlicher",

  // More of the settings
  "a random image of a new subject": "ein zufälliges Bild einer neuen Person",
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

  // More of the manual
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
  "Check the labeled points, try a smaller working size or the score geometry in Settings, or label more images.":
    "Prüfen Sie die gelabelten Punkte, versuchen Sie in den Einstellungen eine kleinere Arbeitsgröße oder den Score geometry, oder labeln Sie mehr Bilder.",
  '"Guarantee in doubt".': "„Garantie zweifelhaft“.",
  "The labeled images do not look like a random order: something changed on the way, such as the device.":
    "Die gelabelten Bilder sehen nicht nach einer zufälligen Reihenfolge aus: Unterwegs hat sich etwas geändert, etwa das Gerät.",
  '"Offline".': "„Offline“.",
  "The server does not answer. Your clicks are kept in this browser and sent when it is back.":
    "Der Server antwortet nicht. Ihre Klicks bleiben in diesem Browser und werden gesendet, wenn er wieder da ist.",
};
