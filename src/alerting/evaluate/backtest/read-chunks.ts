import type { ConditionResult } from '../../../domain/alerts/alert-state.js'
import type { Namespace } from '../../../domain/namespace.js'
import type { Timers } from '../../../ports/timers.js'
import type { ConditionReader, ReadRule } from '../condition-reader.js'

/** Evaluations of one read. */
const CHUNK_STEPS = 2_000

/** What is read, and for how long at most. */
export interface LongRead {
  readonly ns: Namespace
  readonly rule: ReadRule
  /** In rising order, of one distance. */
  readonly times: readonly number[]
  readonly timeoutMs: number
  readonly signal: AbortSignal
}

/** Results of a condition at some of the times. */
export interface ReadChunk {
  readonly times: readonly number[]
  readonly results: readonly ConditionResult[]
}

/**
 * Reads a condition at many times, chunk by chunk; `take` gets each and returns whether to go on. Resolves with why it ended:
 * what was taken until then is whole. Rejects with the reason of the signal when it is aborted.
 */
export async function readChunks(
  { reader, timers }: { readonly reader: ConditionReader; readonly timers: Timers },
  { ns, rule, times, timeoutMs, signal }: LongRead,
  take: (chunk: ReadChunk, signal: AbortSignal) => Promise<boolean>
): Promise<'done' | 'stopped' | 'time_over'> {
  const timeout = new AbortController()
  const cancel = timers.after(timeoutMs, () => timeout.abort(new Error('the time limit of the read is over')))
  const either = AbortSignal.any([signal, timeout.signal])
  try {
    for (let at = 0; at < times.length; at += CHUNK_STEPS) {
      const chunk = times.slice(at, at + CHUNK_STEPS)
      const results = await reader.read(ns, rule, chunk, either)
      if (!(await take({ times: chunk, results }, either))) return 'stopped'
    }
    return 'done'
  } catch (error) {
    signal.throwIfAborted()
    if (!timeout.signal.aborted) throw error
    return 'time_over'
  } finally {
    cancel()
  }
}
