import { decodeWriteRequest as decodeV1 } from '../../../src/remote-write/decode.js'
import { decodeWriteRequestV2 as decodeV2 } from '../../../src/remote-write/decode-v2.js'
import type { KnownSeries } from '../../../src/remote-write/known-series.js'
import type { WriteRequest } from '../../../src/remote-write/samples.js'

const MAX_RECORDS = 100_000

function through(steps: Generator<void, WriteRequest>): WriteRequest {
  let step = steps.next()
  while (!step.done) step = steps.next()
  return step.value
}

/** A request of version 1.0 without turns for other work. */
export function decodeWriteRequest(body: Buffer, known: KnownSeries, maxRecords = MAX_RECORDS): WriteRequest {
  return through(decodeV1(body, known, maxRecords))
}

/** A request of version 2.0 without turns for other work. */
export function decodeWriteRequestV2(body: Buffer, known: KnownSeries, maxRecords = MAX_RECORDS): WriteRequest {
  return through(decodeV2(body, known, maxRecords))
}
