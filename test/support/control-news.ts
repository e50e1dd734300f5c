import type { ControlChange, ControlChanges } from '../../src/ports/control-changes.js'

/** Collects what a store tells. */
export interface ControlNews {
  readonly all: readonly ControlChange[]
  /** Resolves with the first change, told already or yet to come, that fits. */
  next(fits: (change: ControlChange) => boolean): Promise<ControlChange>
}

/** Listens from now on. */
export function collectNews(changes: ControlChanges | null): ControlNews {
  const all: ControlChange[] = []
  const waiting = new Set<() => void>()
  changes?.subscribe(change => {
    all.push(change)
    for (const look of waiting) look()
  })
  return {
    all,
    next: fits =>
      new Promise(resolve => {
        const look = (): void => {
          const found = all.find(fits)
          if (!found) return
          waiting.delete(look)
          resolve(found)
        }
        waiting.add(look)
        look()
      })
  }
}
