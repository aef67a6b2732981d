// The guarantee and audits.

export const guaranteeWords: Readonly<Record<string, string>> = {
  // Guarantee
  "{} on average": "{} im Mittel",
  "{} on average over samples": "{} im Mittel über Stichproben",
  "{} on average over samples, on trust": "{} im Mittel über Stichproben, auf Vertrauen",
  "A region contains its landmark at least {} of the time, on average over samples.{}":
    "Eine Region enthält ihre Landmarke in mindestens {} der Fälle, im Mittel über Stichproben.{}",
  "With the one sample that was drawn, the share may be lower or higher. An audit measures it for this project.":
    "Mit der einen gezogenen Stichprobe kann der Anteil kleiner oder größer sein. Ein Audit misst ihn für dieses Projekt.",
  "No guarantee": "Keine Garantie",
  "no guarantee": "keine Garantie",
  "No guarantee yet": "Noch keine Garantie",
  "No guarantee:": "Keine Garantie:",
  "Guarantee in doubt": "Garantie zweifelhaft",
  "{} to go": "noch {}",
  "In numbers": "In Zahlen",
  "Sample labeled": "Stichprobe gelabelt",
  Details: "Details",
  Assumptions: "Annahmen",
  "Each landmark by itself": "Jede Landmarke für sich",
  "All landmarks of an image at once": "Alle Landmarken eines Bildes zugleich",
  "How many labels a target needs": "Wie viele Labels ein Ziel braucht",
  "✓ reached": "✓ erreicht",
  "What review found so far": "Was die Prüfung bisher ergab",

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
  "Try a smaller working size, in": "Eine kleinere Arbeitsgröße versuchen, in den",
  ". The page says beforehand what that costs.": ". Die Seite sagt vorher, was das kostet.",
  "Make a new project with the score geometry.":
    "Ein neues Projekt mit dem Score geometry anlegen.",
  "images in the order of the draw": "Bilder in der Reihenfolge der Ziehung",
  "How well proposals conform, by color": "Wie gut Vorschläge passen, nach Farbe",

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
  "The next {} of the random order cannot be audited: regions or proposals of {} were shown or exported before. An audit comes before the review.":
    "Die nächsten {} der zufälligen Reihenfolge können nicht auditiert werden: Regionen oder Vorschläge von {} wurden schon gezeigt oder exportiert. Ein Audit kommt vor dem Prüfen.",
  "How many regions of this project are right; before the review":
    "Wie viele Regionen dieses Projekts stimmen; vor dem Prüfen",
  "Evidence against a random order after {} images; highest {}, alarm at 100.":
    "Hinweise gegen eine zufällige Reihenfolge nach {} Bildern; höchstens {}, Alarm bei 100.",
  "The sample was drawn at random by this project and labeled without sight of regions; points of the sample were not changed because of results, and its size was not chosen by what its images show.":
    "Die Stichprobe wurde von diesem Projekt zufällig gezogen und ohne Sicht auf Regionen gelabelt; Punkte der Stichprobe wurden nicht wegen Ergebnissen geändert, und ihre Größe wurde nicht danach gewählt, was ihre Bilder zeigen.",

  // For whom it holds
  "It holds for {}.": "Das gilt für {}.",
  "This is on trust: it depends on a condition that the studio cannot check. {}":
    "Das ist auf Vertrauen: Es hängt von einer Bedingung ab, die das Studio nicht prüfen kann. {}",
  "It holds for {}. {}": "Das gilt für {}. {}",
  "a landmark that is present, in {}": "eine vorhandene Landmarke in {}",
  "all landmarks that are present and have regions, at once, in {}":
    "alle vorhandenen Landmarken mit Region zugleich in {}",
  "an image drawn at random from the rest of the pool as it was on {}":
    "einem zufälligen Bild aus dem Rest der Bilder vom {}",
  "a random image of a subject drawn at random from the rest of the pool as it was on {}":
    "einem zufälligen Bild eines Individuums, zufällig aus dem Rest der Bilder vom {} gezogen",
  "an image drawn at random from those of the pool as it was on {} whose subjects have no labeled image":
    "einem zufälligen Bild aus den Bildern vom {}, deren Individuum kein gelabeltes Bild hat",
  "a landmark that is present, in a random image of a new subject":
    "eine vorhandene Landmarke in einem zufälligen Bild eines neuen Individuums",
  "a random image of this project whose subject has no labeled image":
    "einem zufälligen Bild dieses Projekts, dessen Individuum kein gelabeltes Bild hat",
  "an image that comes as the labeled ones did": "einem Bild, das so entsteht wie die gelabelten",
  "an image that was added after the sample was drawn":
    "einem Bild, das nach der Ziehung hinzukam",
};
