import { expect, it } from '@jest/globals'
import { atIntervals } from '../../agent/src/at-intervals.js'

/** Starts of a task that takes 100 ms, 2 seconds the third time. */
async function startsOf(random: number): Promise<readonly number[]> {
  let nowMs = 0
  const stop = new AbortController()
  const starts: number[] = []
  const sleep = async (ms: number): Promise<void> => {
    nowMs += ms
  }
  const clock = { elapsedMs: () => nowMs }
  await atIntervals({ intervalMs: 1_000, clock, signal: stop.signal, random: () => random, sleep }, async () => {
    starts.push(nowMs)
    nowMs += starts.length === 3 ? 2_000 : 100
    if (starts.length === 5) stop.abort()
  })
  return starts
}

it('runs a task at once, then at intervals of which the first is random', async () => {
  await expect(startsOf(0)).resolves.toEqual([0, 500, 1_500, 3_500, 4_500])
  await expect(startsOf(1)).resolves.toEqual([0, 1_000, 2_000, 4_000, 5_000])
})

it('ends with the signal', async () => {
  const stop = new AbortController()
  let runs = 0
  const running = atIntervals({ intervalMs: 86_400_000, clock: { elapsedMs: () => 0 }, signal: stop.signal }, async () => {
    runs++
    setImmediate(() => stop.abort())
  })
  await expect(running).resolves.toBeUndefined()
  expect(runs).toBe(1)
})
