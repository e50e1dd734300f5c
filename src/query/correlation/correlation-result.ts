import type { Label } from '../../domain/metric-point.js'
import type { TimeRange } from '../../domain/time-range.js'
import type { ResultFacts, Grid } from '../result.js'
import type { WindowChange } from './compare-windows.js'
import type { PointForm } from './series-points.js'

/** Attributes that tie one end of a correlation to the other, the strongest first. */
export type AttributeBasis = 'container' | 'service' | 'host'

/** What ties one end of a correlation to the other, the strongest first. */
export type LinkBasis = 'trace_id' | 'span_id' | AttributeBasis

/**
 * How far a link can be trusted: `certain` (the same id), `high` (the same container or pod), `medium` (the same service in
 * the same minutes), `low` (the same host only, or a small part of the anchor).
 */
export type Confidence = 'certain' | 'high' | 'medium' | 'low'

/** What ties an anchor to one other end. */
export interface Link<Basis extends LinkBasis = LinkBasis> {
  readonly basis: Basis
  readonly value: string
  readonly confidence: Confidence
}

/** A link by an attribute. */
export type AttributeLink = Link<AttributeBasis>

/** Why there is nothing at the other end. */
export type MissingReason = 'expired' | 'not_arrived' | 'never_seen' | 'sampled_out' | 'no_origin'

/** A signal that has nothing for the anchor, and why. */
export interface MissingEnd {
  readonly signal: 'logs' | 'traces' | 'metrics' | 'rum' | 'errors'
  readonly reason: MissingReason
  /** One sentence. */
  readonly detail: string
}

/** Where a query looks from: exactly one of a log, a trace, a moment of a service or host, or logs that match. */
export interface AnchorQuery {
  readonly logId?: string | undefined
  readonly traceId?: string | undefined
  readonly service?: string | undefined
  readonly host?: string | undefined
  /** A time as for window bounds; default: now. */
  readonly at?: unknown
  /** Search language. */
  readonly query?: string | undefined
  readonly start?: unknown
  readonly end?: unknown
}

/** What an anchor turned out to be. */
export interface Anchor extends TimeRange {
  readonly kind: 'log' | 'trace' | 'moment' | 'query'
  /** False: nothing of the kind is stored. */
  readonly found: boolean
  /** By what the other signals are looked for, strongest first. */
  readonly links: readonly AttributeLink[]
  readonly traceId: string | null
  /** Logs that it represents. */
  readonly logs: number
  /** Whether a span of its trace is stored; null where that was not looked at. */
  readonly isTraceStored: boolean | null
  /** A log of it states that its trace was not sampled. */
  readonly isUnsampled: boolean
}

/** An anchor, and which series are compared. */
export interface MetricCorrelationQuery {
  readonly anchor: AnchorQuery
  /** Seconds; default 300. */
  readonly windowS?: number | undefined
  /** Names, or beginnings of names with a `*` behind; absent: all. */
  readonly metrics?: readonly string[] | undefined
  /** Series in the result; default 10. */
  readonly top?: number | undefined
}

/** A series that moved. */
export interface MovedSeries {
  readonly metric: string
  readonly labels: readonly Label[]
  readonly form: PointForm
  readonly link: AttributeLink
  readonly values: readonly (number | null)[]
  readonly change: WindowChange
  /** `p` corrected for the number of series that were tested. */
  readonly q: number
  readonly reason: string
}

/** A series that has samples on one side only, which no test can weigh. */
export interface OneSidedSeries {
  readonly metric: string
  readonly labels: readonly Label[]
  readonly link: AttributeLink
  readonly points: number
}

/** Series that moved with the anchor, and what was compared. */
export interface MetricCorrelationResult extends ResultFacts {
  readonly anchor: Anchor
  readonly baseline: TimeRange
  /** Grid of all points, baseline and window together. */
  readonly grid: Grid
  readonly links: readonly (AttributeLink & { readonly series: number })[]
  /** Surest first. */
  readonly series: readonly MovedSeries[]
  /** Series that were compared, and how many of them moved. */
  readonly tested: number
  readonly moved: number
  readonly top: number
  /** `nothing_to_test`: no series with enough points on both sides. */
  readonly verdict: 'moved' | 'nothing_moved' | 'nothing_to_test'
  readonly appeared: readonly OneSidedSeries[]
  readonly vanished: readonly OneSidedSeries[]
  readonly missing: readonly MissingEnd[]
}

/** By what logs, traces and exceptions of an anchor are found: the same trace is surest; else the same service, else the same host. */
export function viaOf({ traceId, links }: Pick<Anchor, 'traceId' | 'links'>): Link | null {
  if (traceId !== null) return { basis: 'trace_id', value: traceId, confidence: 'certain' }
  return links.find(({ basis }) => basis === 'service') ?? links.find(({ basis }) => basis === 'host') ?? null
}
