import { percentile } from '../load/latencies.js'

/** What one side took. */
export interface Timed {
  readonly medianMs: number
  /** What the last run found. */
  readonly found: number
}

const WARM_UP_ROUNDS = 3
const ROUNDS = 7

async function timed(run: () => Promise<number>): Promise<{ readonly ms: number; readonly found: number }> {
  const startedMs = performance.now()
  const found = await run()
  return { ms: performance.now() - startedMs, found }
}

/** Runs both alternately, each first in every other round, so that what changes on the machine affects both alike. */
export async function timeAlternately(
  first: () => Promise<number>,
  second: () => Promise<number>
): Promise<{ readonly first: Timed; readonly second: Timed }> {
  const sides = [first, second].map(run => ({ run, times: [] as number[], found: Number.NaN }))
  for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
    for (const side of round % 2 === 0 ? sides : sides.toReversed()) {
      const { ms, found } = await timed(side.run)
      side.found = found
      if (round >= 0) side.times.push(ms)
    }
  }
  const [own, other] = sides.map(({ times, found }) => ({
    medianMs: percentile(
      times.sort((a, b) => a - b),
      0.5
    ),
    found
  }))
  return { first: own!, second: other! }
}
