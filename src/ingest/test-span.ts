import type { Namespace } from '../domain/namespace.js'
import type { Principal } from '../domain/principal.js'
import type { Clock } from '../ports/clock.js'
import type { AcceptRecords, IngestRequest } from './ingest-request.js'

/** The service that test spans name. */
export const TEST_SERVICE = 'alidade-test'

/** What became of a test span. */
export interface SentTestSpan {
  readonly traceId: string
  readonly spanId: string
  /** Whether its trace was read back. */
  readonly isReadable: boolean
  readonly tookMs: number
}

/** Dependencies of `TestSpans`. */
export interface TestSpansDeps {
  /** Takes OTLP traces in the name of a signed-in member. */
  readonly useCase: AcceptRecords
  /** Whether a trace can be read. */
  readonly isReadable: (namespace: Namespace, traceId: string, signal: AbortSignal) => Promise<boolean>
  readonly clock: Clock
  readonly randomBytes: (count: number) => Buffer
}

const TRACE_BYTES = 16
const SPAN_BYTES = 8
const LASTS_NS = 1_000_000n
const NOTHING_TO_SAY = { namespaceResolved: () => undefined, rateTaken: () => undefined }

function bodyOf(traceId: string, spanId: string, nowNs: bigint): Buffer {
  const text = (key: string, stringValue: string): object => ({ key, value: { stringValue } })
  const span = {
    ...{ traceId, spanId, name: 'test span', kind: 1 },
    startTimeUnixNano: String(nowNs - LASTS_NS),
    endTimeUnixNano: String(nowNs),
    attributes: [text('alidade.test', 'sent to test the ingest of spans')]
  }
  const resource = { attributes: [text('service.name', TEST_SERVICE)] }
  return Buffer.from(
    JSON.stringify({ resourceSpans: [{ resource, scopeSpans: [{ scope: { name: 'alidade' }, spans: [span] }] }] })
  )
}

/**
 * Sends a span the way that those of senders go (decoded, checked, limited, stored) and reads it back. It is not a request of a
 * sender: the status of OTLP does not count it.
 */
export class TestSpans {
  readonly #deps: TestSpansDeps

  constructor(deps: TestSpansDeps) {
    this.#deps = deps
  }

  /** Throws what a write throws: `role_required` below member, `rate_limited`, `store_unavailable`. */
  async send(principal: Principal, namespace: Namespace, signal: AbortSignal): Promise<SentTestSpan> {
    const { useCase, isReadable, clock, randomBytes } = this.#deps
    const startedMs = clock.monotonicMs()
    const [traceId, spanId] = [TRACE_BYTES, SPAN_BYTES].map(count => randomBytes(count).toString('hex')) as [string, string]
    const request: IngestRequest = {
      principal,
      body: bodyOf(traceId, spanId, clock.nowNs()),
      form: 'json',
      route: 'traces',
      isDryRun: false,
      ack: 'searchable',
      headerNamespaceId: namespace.id
    }
    await useCase.accept(request, NOTHING_TO_SAY)
    const found = await isReadable(namespace, traceId, signal)
    return { traceId, spanId, isReadable: found, tookMs: clock.monotonicMs() - startedMs }
  }
}
