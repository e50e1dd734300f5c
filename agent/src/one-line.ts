/** A text as one line: what controls a terminal, and line breaks, are U+FFFD. */
export function oneLine(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, '\uFFFD')
}
