import { setTimeout as wait } from 'node:timers/promises'

/** What comes first: the value, or the end of a time. Rejects when the signal comes first. @param ms null: forever. */
export async function soonerOf<Value>(value: Promise<Value>, ms: number | null, signal: AbortSignal): Promise<Value | 'late'> {
  const done = new AbortController()
  const either = AbortSignal.any([signal, done.signal])
  const late = wait(ms ?? 2 ** 31 - 1, 'late' as const, { signal: either })
  late.catch(() => undefined)
  try {
    return await Promise.race([value, late])
  } finally {
    done.abort()
  }
}
