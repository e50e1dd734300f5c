import type { ControlChange } from '../../src/ports/control-changes.js'

/** Collects what a store reports. */
export interface ControlNews {
  readonly all: readonly ControlChange[]
  /** To be called with each change. */
  readonly hear: (change: ControlChange) => void
  /** Resolves with the first change from place `from` on that fits, reported already or yet to come. */
  next(fits: (change: ControlChange) => boolean, from?: number): Promise<ControlChange>
}

/** News of which none has been heard yet. */
export function collectNews(): ControlNews {
  const all: ControlChange[] = []
  const waiting = new Set<() => void>()
  return {
    all,
    hear: change => {
      all.push(change)
      for (const look of waiting) look()
    },
    next: (fits, from = 0) =>
      new Promise(resolve => {
        const look = (): void => {
          const found = all.slice(from).find(fits)
          if (!found) return
          waiting.delete(look)
          resolve(found)
        }
        waiting.add(look)
        look()
      })
  }
}
