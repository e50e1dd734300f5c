import type { Anchor, Link } from './correlation-result.js'

/** By what logs, traces and exceptions of an anchor are found: the same trace is surest; else the same service, else the same host. */
export function viaOf({ traceId, links }: Pick<Anchor, 'traceId' | 'links'>): Link | null {
  if (traceId !== null) return { basis: 'trace_id', value: traceId, confidence: 'certain' }
  return links.find(({ basis }) => basis === 'service') ?? links.find(({ basis }) => basis === 'host') ?? null
}
