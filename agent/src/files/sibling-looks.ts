import type { Source } from './source.js'

/** Siblings of a path to look at, which were written after a time. */
export interface SiblingLook {
  readonly path: string
  readonly source: Source
  /** Unix milliseconds. */
  readonly sinceMs: number
}

/** Looks at the siblings of paths that are due or will be. */
export class SiblingLooks {
  readonly #looks = new Map<string, SiblingLook & { readonly dueMs: number }>()

  /** @param dueMs of a clock that does not jump. A look that is pending stays due when it was. */
  schedule(look: SiblingLook, dueMs: number): void {
    const pending = this.#looks.get(look.path)
    const sinceMs = Math.min(look.sinceMs, pending?.sinceMs ?? look.sinceMs)
    this.#looks.set(look.path, { ...look, source: pending?.source ?? look.source, sinceMs, dueMs: pending?.dueMs ?? dueMs })
  }

  /** Removes and returns the looks that are due. */
  takeDue(nowMs: number): readonly SiblingLook[] {
    const due = [...this.#looks.values()].filter(({ dueMs }) => dueMs <= nowMs)
    for (const { path } of due) this.#looks.delete(path)
    return due
  }

  /** What was written before is known, of all paths of a source; `otherwise` when nothing is pending. */
  knownUntilMs(source: Source, otherwise: number): number {
    let until = otherwise
    for (const look of this.#looks.values()) if (look.source === source) until = Math.min(until, look.sinceMs)
    return until
  }
}
