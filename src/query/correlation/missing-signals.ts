import { type Namespace, retentionStartNs } from '../../domain/namespace.js'
import type { TimeRange } from '../../domain/time-range.js'
import { formatNs } from '../../domain/timestamp.js'
import { type Anchor, type MissingEnd, viaOf } from './correlation-result.js'
import { labelsOfBasis } from './origins.js'

/** Agents send what they measured within this time. */
export const ARRIVAL_NS = 120_000_000_000n

/** Where an end was looked for in vain. */
export interface LookedAt {
  readonly ns: Namespace
  readonly anchor: Anchor
  readonly window: TimeRange
  readonly nowNs: bigint
}

type Ended = Pick<LookedAt, 'ns' | 'nowNs'> & { readonly endNs: bigint }

/** Past the retention, or too young to have come; null when time is not a reason. */
function reasonOfTime(signal: 'logs' | 'traces' | 'metrics', { ns, endNs, nowNs }: Ended): MissingEnd | null {
  const oldestNs = retentionStartNs(ns.retention, signal, nowNs)
  if (endNs <= oldestNs)
    return { signal, reason: 'expired', detail: `${signal} before ${formatNs(oldestNs)} are past this namespace's retention` }
  if (nowNs - endNs < ARRIVAL_NS) {
    const detail = `the window ended recently: ${signal} of it may not have arrived yet`
    return { signal, reason: 'not_arrived', detail }
  }
  return null
}

function noOrigin(signal: MissingEnd['signal'], { found, kind }: Anchor, names: string): MissingEnd {
  const detail = found
    ? `the ${kind} names no ${names} by which ${signal} could be found`
    : `nothing is stored for this ${kind}: it has no ${names} to search for`
  return { signal, reason: 'no_origin', detail }
}

/** Why no series was found. */
export function missingMetrics({ ns, anchor, window, nowNs }: LookedAt): MissingEnd {
  const signal = 'metrics'
  const { links } = anchor
  if (links.length === 0) return noOrigin(signal, anchor, 'service, host or container')
  const labels = links.map(link => `${labelsOfBasis(link.basis).join(' or ')} = ${link.value}`).join('; ')
  const detail = `no series with ${labels} has samples in the window or the baseline`
  return reasonOfTime(signal, { ns, nowNs, endNs: window.endNs }) ?? { signal, reason: 'never_seen', detail }
}

/** Why no log was found. */
export function missingLogs({ ns, anchor, window, nowNs }: LookedAt): MissingEnd {
  const signal = 'logs'
  const via = viaOf(anchor)
  if (via === null) return noOrigin(signal, anchor, 'trace, service or host')
  if (via.basis === 'trace_id' && !anchor.found) return unknownTrace(signal)
  const endNs = via.basis === 'trace_id' ? anchor.endNs : window.endNs
  const detail = `no log ${via.basis === 'trace_id' ? 'names this trace' : `of ${via.basis} ${via.value} has a start in the window`}`
  return reasonOfTime(signal, { ns, nowNs, endNs }) ?? { signal, reason: 'never_seen', detail }
}

/** Why no trace was found. */
export function missingTraces({ ns, anchor, window, nowNs }: LookedAt): MissingEnd {
  const signal = 'traces'
  const via = viaOf(anchor)
  if (via === null || via.basis === 'host') return noOrigin(signal, anchor, 'trace or service')
  if (via.basis === 'service') {
    const detail = `no span of service ${via.value} has a start in the window`
    return reasonOfTime(signal, { ns, nowNs, endNs: window.endNs }) ?? { signal, reason: 'never_seen', detail }
  }
  if (anchor.isUnsampled) {
    const detail = 'the trace flags of a log of this trace mark it as not sampled: its spans were not sent'
    return { signal, reason: 'sampled_out', detail }
  }
  if (!anchor.found) return unknownTrace(signal)
  const detail = 'no span of this trace is stored, though logs name it'
  return reasonOfTime(signal, { ns, nowNs, endNs: anchor.endNs }) ?? { signal, reason: 'never_seen', detail }
}

/** Without a time, retention and arrival cannot be checked. */
function unknownTrace(signal: 'logs' | 'traces'): MissingEnd {
  const detail = 'neither spans nor logs of this trace are stored: its time is unknown, so it may have expired as well'
  return { signal, reason: 'never_seen', detail }
}
