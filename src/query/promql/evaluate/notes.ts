import type { QueryPosition } from '../syntax/ast.js'
import { lineAndColumn } from '../syntax/syntax-error.js'

/** As many of each kind as Prometheus shows (`AsStrings` in web/api/v1/api.go): one may be about every metric there is. */
const MAX_SHOWN = 10

/** Annotations of the result of a query; each sentence once. */
export class Notes {
  readonly #query: string
  readonly #warnings = new Set<string>()
  readonly #infos = new Set<string>()

  constructor(query: string) {
    this.#query = query
  }

  /** A warning about the part of the query at `position`. */
  warn(sentence: string, position: QueryPosition): void {
    this.#warnings.add(`PromQL warning: ${sentence} (${lineAndColumn(this.#query, position.start)})`)
  }

  /** As `warn`, for what may well be intended. */
  inform(sentence: string, position: QueryPosition): void {
    this.#infos.add(`PromQL info: ${sentence} (${lineAndColumn(this.#query, position.start)})`)
  }

  get warnings(): readonly string[] {
    return shown(this.#warnings, 'warning')
  }

  get infos(): readonly string[] {
    return shown(this.#infos, 'info')
  }
}

function shown(sentences: ReadonlySet<string>, kind: string): readonly string[] {
  const first = [...sentences].slice(0, MAX_SHOWN)
  const omitted = sentences.size - first.length
  return omitted === 0 ? first : [...first, `${omitted} more ${kind} annotations omitted`]
}
