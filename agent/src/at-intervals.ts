import { setTimeout as wait } from 'node:timers/promises'
import type { Clock } from './clock.js'

export interface Intervals {
  readonly intervalMs: number
  readonly clock: Pick<Clock, 'elapsedMs'>
  readonly signal: AbortSignal
  /** From 0 to 1. */
  readonly random?: () => number
  readonly sleep?: (ms: number, signal: AbortSignal) => Promise<unknown>
}

/** Waits, until the signal at most. */
export function sleepMs(ms: number, signal: AbortSignal): Promise<unknown> {
  // It rejects at the signal only.
  return wait(ms, undefined, { signal }).catch(() => undefined)
}

/**
 * Runs a task at once and then at intervals until the signal. The first interval is between a half and the whole: agents that
 * start together do not send together for good.
 */
export async function atIntervals(
  { intervalMs, clock, signal, random = Math.random, sleep = sleepMs }: Intervals,
  task: () => Promise<void>
): Promise<void> {
  let nextMs = intervalMs * (0.5 + random() / 2)
  while (!signal.aborted) {
    const startedMs = clock.elapsedMs()
    await task()
    await sleep(Math.max(0, startedMs + nextMs - clock.elapsedMs()), signal)
    nextMs = intervalMs
  }
}
