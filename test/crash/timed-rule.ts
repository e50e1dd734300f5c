import { gridOf, nextStep, type StepGrid } from '../../src/alerting/schedule/step-times.js'

/** Interval of the rules, the shortest that there is. */
export const STEP_MS = 10_000
/** A rule is present for half of this time, then absent. */
export const PERIOD_MS = 40_000

/** A change of state that has to happen. */
export interface TimedChange {
  readonly to: 'firing' | 'resolved'
  readonly atMs: number
}

/** Whether the condition of the rules is met at a time: it depends on the time alone, so that their history is known. */
function isPresentAt(atMs: number): boolean {
  return atMs % PERIOD_MS < PERIOD_MS / 2
}

/** A rule of an alert site, whose history is known. */
export class TimedRule {
  readonly id: string
  readonly name: string
  readonly #sinceMs: number
  readonly #grid: StepGrid

  /** @param sinceMs when it was stored: its first step is the next one */
  constructor(id: string, name: string, sinceMs: number) {
    this.id = id
    this.name = name
    this.#sinceMs = sinceMs
    this.#grid = gridOf(id, STEP_MS)
  }

  /** Each change up to a time, at its very step. */
  changes(toMs: number): readonly TimedChange[] {
    const changes: TimedChange[] = []
    let wasPresent = false
    for (let atMs = nextStep(this.#sinceMs, this.#grid); atMs <= toMs; atMs += STEP_MS) {
      const isPresent = isPresentAt(atMs)
      if (isPresent !== wasPresent) changes.push({ to: isPresent ? 'firing' : 'resolved', atMs })
      wasPresent = isPresent
    }
    return changes
  }

  /** When its state changed last up to a time; null when it never did. */
  lastChangeMs(toMs: number): number | null {
    return this.changes(toMs).at(-1)?.atMs ?? null
  }
}
