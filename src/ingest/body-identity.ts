import type { IngestId, NamespaceId } from '../domain/ids.js'
import { ulidOf } from '../domain/ulid.js'
import { hashBody } from './hash-body.js'
import type { FairScheduler } from './fair-scheduler.js'

/** A request that is known by what it holds. */
export interface BodyIdentity {
  readonly namespace: NamespaceId
  readonly signal: string
  /** The decompressed body. */
  readonly body: Buffer
  /** When the body states that it was made, Unix milliseconds. */
  readonly sentMs: number
}

/** Stores know ingest ids of the last 48 hours; times in ids are at most half as old. */
const PERIOD_MS = 24 * 3_600_000

/**
 * How far ahead the time of an id may be: enough for clocks that are a little fast, whose repeats would come on both sides of
 * the fold, and less than what search stores begin a new index ahead (docs/adr/0010), less the time in which gateways hear of it.
 */
export const MAX_AHEAD_MS = 30_000

/** The time that is whole periods away from `sentMs` and at most `aheadMs` after `nowMs`, but less than a period older than that. */
export function foldedTimeMs(sentMs: number, nowMs: number, aheadMs: number): number {
  const newestMs = nowMs + aheadMs
  return sentMs + Math.floor((newestMs - sentMs) / PERIOD_MS) * PERIOD_MS
}

/** Earliest time in an id that is made of a body or batch from `nowMs` on, whatever times these state. */
export function oldestIdTimeMs(nowMs: number): number {
  return nowMs + MAX_AHEAD_MS - PERIOD_MS
}

/**
 * The ingest id of a request that carries no key, out of its namespace, signal and body: a repeat has the same one on every
 * gateway and after every crash, so that stores keep it once (docs/adr/0019). Its time is the body's own, not the arrival's,
 * since a repeat arrives later; it is moved by whole days when it is not of the day that ends `MAX_AHEAD_MS` from now.
 */
export async function bodyIngestId(
  { namespace, signal, body, sentMs }: BodyIdentity,
  place: { readonly nowMs: number; readonly scheduler: FairScheduler }
): Promise<IngestId> {
  const digest = await hashBody([`${namespace} ${signal} `], body, place.scheduler)
  return ulidOf(foldedTimeMs(sentMs, place.nowMs, MAX_AHEAD_MS), digest)
}
