import { PromqlBadQuery } from '../promql-error.js'
import { lineAndColumn } from './line-and-column.js'

/** A query that cannot be read. The message has Prometheus's form: `1:5: parse error: ...`. */
export class PromqlSyntaxError extends PromqlBadQuery {
  /** Index of the character at fault; null where no character is. */
  readonly at: number | null

  constructor(query: string, at: number | null, detail: string) {
    super(`${at === null ? 'unknown position' : lineAndColumn(query, at)}: parse error: ${detail}`)
    this.at = at
  }
}
