import { PromqlBadQuery } from '../promql-error.js'

/** The position of a character of a query, both from 1, columns in bytes: `1:5`. */
export function lineAndColumn(query: string, at: number): string {
  const before = query.slice(0, at).split('\n')
  return `${before.length}:${Buffer.byteLength(before.at(-1)!) + 1}`
}

/** A query that cannot be read. The message has Prometheus's form: `1:5: parse error: ...`. */
export class PromqlSyntaxError extends PromqlBadQuery {
  /** Index of the character at fault; null where no character is. */
  readonly at: number | null

  constructor(query: string, at: number | null, detail: string) {
    super(`${at === null ? 'unknown position' : lineAndColumn(query, at)}: parse error: ${detail}`)
    this.at = at
  }
}
