/** A place where a failure is dropped without a reason. */
export interface SwallowedFailure {
  /** From 1. */
  readonly line: number
  readonly text: string
}

/** Handlers that do not look at the failure: of a promise, of an emitter, and `catch` without a binding. */
const IGNORING = [
  /\.catch\(\s*\(\)\s*=>/g,
  /\.on(?:ce)?\('error',\s*\(\)\s*=>/g,
  /\.then\(\s*(?:\([^()]*\)|\w+)(?:\s*=>[^;]{0,200}?)?,\s*\(\)\s*=>/g,
  /\bcatch\s*\{/g
]
/** A rejection that becomes another error is not lost. */
const RETHROWS = /^[^}]{0,400}?\bthrow\b/
const COMMENT = /^\s*(?:\/\/|\*\/|\*\s|\/\*)|\/\/ /

/** Whether the lines of a match, the one above it or the first one in its block say why. */
function isExplained(lines: readonly string[], first: number, last: number): boolean {
  return lines.slice(Math.max(0, first - 1), last + 2).some(line => COMMENT.test(line))
}

/** Every place of a source file that drops a failure and does not say why, in a comment there or in the line above. */
export function swallowedFailures(source: string): SwallowedFailure[] {
  const lines = source.split('\n')
  const found = new Map<number, SwallowedFailure>()
  for (const pattern of IGNORING) {
    for (const match of source.matchAll(pattern)) {
      const end = match.index + match[0].length
      const lineAt = (offset: number): number => source.slice(0, offset).split('\n').length - 1
      const [first, last] = [lineAt(match.index), lineAt(end)]
      if (RETHROWS.test(source.slice(end)) || isExplained(lines, first, last)) continue
      found.set(last, { line: last + 1, text: lines[last]!.trim() })
    }
  }
  return [...found.values()].toSorted((a, b) => a.line - b.line)
}
