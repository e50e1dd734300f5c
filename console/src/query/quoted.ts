/** A value as the search language reads it: in quotes unless it is a plain word. */
export function quoted(value: string): string {
  const isPlain = /^[\p{L}\p{N}_./@-]+$/u.test(value) && !value.startsWith('-')
  return isPlain ? value : `"${value.replaceAll(/["\\]/g, String.raw`\$&`)}"`
}
