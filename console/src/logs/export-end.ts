/** What an exported file states at its end. */
export interface ExportEnd {
  readonly isComplete: boolean
  readonly rows: number
  readonly warnings: readonly string[]
}

const FACTS = /complete"?[:=](true|false)[, ]"?rows"?[:=](\d+)/g
const WARNINGS = /warnings"?[:=](\["(?:[^"\\]|\\.)*"(?:,"(?:[^"\\]|\\.)*")*\])/

/** Reads the end of a file in any format; null if it has none, and is not whole. */
export function exportEnd(tail: string): ExportEnd | null {
  const last = [...tail.matchAll(FACTS)].at(-1)
  if (!last) return null
  const warnings = WARNINGS.exec(tail.slice(last.index))?.[1]
  return {
    isComplete: last[1] === 'true',
    rows: Number(last[2]),
    warnings: warnings === undefined ? [] : (JSON.parse(warnings) as readonly string[])
  }
}
