import { expect, it } from '@jest/globals'
import { Backoff } from '../../agent/src/backoff.js'

let nowMs = 0
const clock = { nowMs: () => nowMs, elapsedMs: () => nowMs }

/** Waits after attempts that last so long, milliseconds. */
function waits(backoff: Backoff, ...lastMs: readonly number[]): readonly number[] {
  return lastMs.map(ms => {
    backoff.begin()
    nowMs += ms
    return backoff.end()
  })
}

it('doubles up to a minute while attempts fail at once', () => {
  expect(waits(new Backoff(clock, 1_000), ...Array<number>(9).fill(59_999))).toEqual([
    ...[1_000, 2_000, 4_000, 8_000, 16_000, 32_000],
    ...[60_000, 60_000, 60_000]
  ])
})

it('begins again after an attempt that lasted a minute', () => {
  expect(waits(new Backoff(clock, 1_000), 0, 0, 60_000, 0)).toEqual([1_000, 2_000, 1_000, 2_000])
})

it('ends with the signal', async () => {
  const stop = new AbortController()
  const backoff = new Backoff(clock, 60_000)
  backoff.begin()
  const waited = backoff.wait(stop.signal)
  stop.abort()
  await expect(waited).resolves.toBeUndefined()
})
