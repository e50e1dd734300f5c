import type { LogStream } from '../../domain/log-stream.js'

/** Whether lines of a stream still come. */
export const STREAM_STATES = ['open', 'idle', 'stale', 'ended'] as const
export type StreamState = (typeof STREAM_STATES)[number]

/** A stream is idle when it wrote nothing for so long, and stale after a day: its file is quiet, or its sender is gone. */
export const IDLE_AFTER_MS = 5 * 60_000
export const STALE_AFTER_MS = 24 * 3_600_000

export function streamState({ end, lastAtMs }: Pick<LogStream, 'end' | 'lastAtMs'>, nowMs: number): StreamState {
  if (end !== null) return 'ended'
  const quietMs = nowMs - lastAtMs
  if (quietMs < IDLE_AFTER_MS) return 'open'
  return quietMs < STALE_AFTER_MS ? 'idle' : 'stale'
}
