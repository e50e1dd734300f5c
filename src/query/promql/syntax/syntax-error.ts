import { PromqlBadQuery } from '../promql-error.js'

/** A query that cannot be read. The message has Prometheus's form: `1:5: parse error: ...`. */
export class PromqlSyntaxError extends PromqlBadQuery {
  constructor(query: string, at: number, detail: string) {
    const before = query.slice(0, at).split('\n')
    super(`${before.length}:${before.at(-1)!.length + 1}: parse error: ${detail}`)
  }
}
