/** The longest file. A longer one has more than one concept. */
export const MAX_LINES = 300

/** Lines of a source, without the end of the last one. */
export function lineCount(source: string): number {
  return source.replace(/\n$/, '').split('\n').length
}
