function field(text) {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/// The text of a CSV file; quotes only the fields that need it.
export function csv(header, rows) {
  return [header, ...rows].map(row => row.map(field).join(',') + '\n').join('');
}
