import type { Position } from '../syntax/ast.js'
import { lineAndColumn } from '../syntax/line-and-column.js'

/** What somebody should know about the answer to a query; each sentence once. */
export class Notes {
  readonly #query: string
  readonly #warnings = new Set<string>()
  readonly #infos = new Set<string>()

  constructor(query: string) {
    this.#query = query
  }

  /** A warning about the part of the query at `position`. */
  warn(sentence: string, position: Position): void {
    this.#warnings.add(`PromQL warning: ${sentence} (${lineAndColumn(this.#query, position.start)})`)
  }

  /** As `warn`, for what may well be intended. */
  inform(sentence: string, position: Position): void {
    this.#infos.add(`PromQL info: ${sentence} (${lineAndColumn(this.#query, position.start)})`)
  }

  get warnings(): readonly string[] {
    return [...this.#warnings]
  }

  get infos(): readonly string[] {
    return [...this.#infos]
  }
}
