import { randomBytes } from 'node:crypto'
import type { IngestId, NamespaceId } from '../../src/domain/ids.js'
import type { TimeRange } from '../../src/domain/time-range.js'
import { createUlidSource } from '../../src/domain/ulid.js'

/** Events are in the hour before the run, so that stores behind an age window take them too. */
export const BASE_NS = BigInt(Math.floor(Date.now() / 1000) - 3600) * 1_000_000_000n

/** A range around everything that the suites write. */
export const EVERY_TIME: TimeRange = { startNs: BASE_NS - 86_400_000_000_000n, endNs: BASE_NS + 5_400_000_000_000n }

const nextUlid = createUlidSource(
  () => Date.now(),
  size => randomBytes(size)
)

/** A new ingest id, later than all before. */
export function newIngestId(): IngestId {
  return nextUlid()
}

/** A new ingest id as of another time, Unix milliseconds. */
export function ingestIdAt(ms: number): IngestId {
  return createUlidSource(
    () => ms,
    size => randomBytes(size)
  )()
}

let namespaces = 0

/** An id that no test has used; `suffix` makes ids of which one begins with the other. */
export function newNamespace(suffix = ''): NamespaceId {
  return `nscontract${randomBytes(4).toString('hex')}${++namespaces}x${suffix}` as NamespaceId
}

/** A signal that never aborts. */
export const NEVER = new AbortController().signal
