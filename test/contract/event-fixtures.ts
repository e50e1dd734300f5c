import type { ApmError } from '../../src/domain/records/error.js'
import { VITALS, type RumEvent, type VitalName } from '../../src/domain/records/rum.js'
import type { Stores } from '../../src/ports/stores.js'
import type { NamespaceId } from '../../src/domain/ids.js'
import { BASE_NS, newIngestId } from './fresh-ids.js'

/** No vital at all. */
export const NO_VITALS = Object.fromEntries(Object.keys(VITALS).map(name => [name, null])) as Record<VitalName, number | null>

/** A page view of which a case names only what it is about; times count in nanoseconds from `BASE_NS`. */
export type RumSketch = Partial<Omit<RumEvent, 'vitals' | 'index'>> & { at?: number; vitals?: Partial<Record<VitalName, number>> }

/** The whole event of a sketch. */
export function toRum({ at = 0, vitals = {}, ...given }: RumSketch, index: number): RumEvent {
  return {
    index,
    timestampNs: BASE_NS + BigInt(at),
    pageUrl: 'https://shop.example/',
    pageGroup: 'https://shop.example/',
    pageTitle: null,
    sessionId: null,
    deviceType: null,
    browser: null,
    os: null,
    country: null,
    connectionType: null,
    viewportWidth: null,
    viewportHeight: null,
    traceId: null,
    release: null,
    tags: {},
    ...given,
    vitals: { ...NO_VITALS, ...vitals }
  }
}

/** An error, likewise. */
export type ErrorSketch = Partial<Omit<ApmError, 'index'>> & { at?: number }

/** The whole error of a sketch. */
export function toError({ at = 0, ...given }: ErrorSketch, index: number): ApmError {
  return {
    index,
    timestampNs: BASE_NS + BigInt(at),
    service: 'shop',
    message: 'it broke',
    type: 'Error',
    stack: null,
    traceId: null,
    spanId: null,
    host: null,
    tags: {},
    fingerprint: 'f1',
    ...given
  }
}

/** Stores page views, and waits until they are found. */
export async function storeRum({ events }: Stores, ns: NamespaceId, sketches: readonly RumSketch[], ingestId = newIngestId()) {
  const result = await events.appendRum(ns, { ingestId, items: sketches.map(toRum) })
  await events.settle(ns)
  return result
}
