// A pasted table `image,subject`.

/** What a pasted table says, and which of its lines say nothing. */
export interface SubjectTable {
  readonly subjects: Map<string, string | null>;
  readonly problems: string[];
}

/** The cells of one line, separated by tab, semicolon or comma; quoted as spreadsheets do. */
export function splitCells(line: string): string[] {
  const separator = line.includes("\t") ? "\t" : line.includes(";") ? ";" : ",";
  const cells: string[] = [];
  let cell = "";
  let quoted = false;
  for (let i = 0; i < line.length; ++i) {
    const letter = line[i] as string;
    if (quoted && letter === '"' && line[i + 1] === '"') {
      cell += '"';
      ++i;
    } else if (letter === '"') {
      quoted = !quoted;
    } else if (letter === separator && !quoted) {
      cells.push(cell.trim());
      cell = "";
    } else {
      cell += letter;
    }
  }
  cells.push(cell.trim());
  return cells;
}

function isHeader(cells: string[]): boolean {
  const first = cells[0]?.toLowerCase();
  return (first === "image" || first === "file" || first === "name") && cells.length >= 2;
}

/** Reads lines `image,subject`; an empty subject takes the subject away. */
export function parseSubjects(text: string, known: ReadonlySet<string>): SubjectTable {
  const subjects = new Map<string, string | null>();
  const problems: string[] = [];
  const lines = text.replace(/^\uFEFF/, "").split(/\r?\n/);
  lines.forEach((line, index) => {
    if (line.trim() === "") return;
    const cells = splitCells(line);
    if (index === 0 && isHeader(cells)) return;
    const [image = "", subject] = cells;
    if (subject === undefined) problems.push(`line ${index + 1}: no subject after "${image}"`);
    else if (!known.has(image)) problems.push(`line ${index + 1}: no image "${image}" here`);
    else subjects.set(image, subject === "" ? null : subject);
  });
  return { subjects, problems };
}
