import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { SPAN_KINDS, SPAN_STATUSES } from '../../src/domain/span.js'
import { formatNs } from '../../src/domain/timestamp.js'
import { decodeJsonSpans } from '../../src/otlp/json/spans.js'
import type { OtlpSpan } from '../../src/otlp/model.js'
import { loadOtlpTypes } from '../differential/otlp-protos.js'
import { referenceSpans } from '../differential/otlp-reference.js'
import { freePort } from '../servers/ports.js'
import { describeBeside, namesBeside, pathBeside } from '../support/beside.js'
import { OtlpGrpcClient } from '../support/otlp-grpc.js'
import { type RunningService, startService } from '../support/running-service.js'

// Traces as the real SDK sent them, where they stand beside the repository: what is read back is compared, member by member,
// with what protobufjs reads in the same bytes.

const CAPTURES = 'otlp/captures/'
const types = loadOtlpTypes()
const names = namesBeside(CAPTURES).filter(name => /trace.*\.bin$/.test(name))

let service: RunningService
let grpc: OtlpGrpcClient
let session: { readonly authorization: string }
beforeAll(async () => {
  service = await startService({ flags: ['--otlp-grpc-port', String(await freePort())] })
  session = await service.login()
  grpc = new OtlpGrpcClient(service.app.otlpGrpcUrl!)
  // The requests carry the times at which they were made.
  const json = { retention: { traces: 'forever' } }
  await service.api(`/api/v1/namespaces/${service.first.namespaceId}`, { method: 'PATCH', headers: session, json })
})
afterAll(async () => {
  grpc.close()
  await service.close()
})

function spansIn(name: string, bytes: Buffer): readonly OtlpSpan[] {
  const body = name.includes('gzip') ? gunzipSync(bytes) : bytes
  if (!name.includes('json')) return referenceSpans(types!.traces.decode(body) as never)
  for (const steps = decodeJsonSpans(body, 1_000); ;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}

async function send(name: string, bytes: Buffer): Promise<void> {
  const key = { 'x-api-key': service.first.ingestKey }
  if (name.includes('grpc')) {
    const { code, reply } = await grpc.export('traces', bytes, key)
    expect([code, reply.length]).toEqual([0, 0])
  } else {
    const type = name.includes('json') ? 'application/json' : 'application/x-protobuf'
    const encoding = name.includes('gzip') ? 'gzip' : 'identity'
    const headers = { ...key, 'content-type': type, 'content-encoding': encoding }
    const reply = await fetch(`${service.url}/v1/traces`, { method: 'POST', headers, body: bytes })
    expect([reply.status, ['', '{}']]).toEqual([200, expect.arrayContaining([await reply.text()])])
  }
  await service.settle()
}

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

/** The members that the sender knew, as the API shows them. */
function shown(span: OtlpSpan): object {
  return {
    span_id: span.spanId,
    parent_span_id: span.parentSpanId || null,
    operation: span.name,
    kind: SPAN_KINDS[span.kind],
    status: SPAN_STATUSES[span.statusCode],
    status_message: span.statusMessage || null,
    start: formatNs(span.startTimeNs),
    duration_ns: Number(span.endTimeNs - span.startTimeNs),
    attributes: plain(span.attributes),
    scope: { name: span.scope.name, version: span.scope.version },
    events: span.events.map(({ name, timeNs, attributes }) => ({
      name,
      timestamp: formatNs(timeNs),
      attributes: plain(attributes)
    })),
    links: span.links.map(link => ({
      trace_id: link.traceId,
      span_id: link.spanId,
      trace_state: link.traceState,
      attributes: plain(link.attributes)
    })),
    trace_state: span.traceState,
    flags: span.flags,
    dropped: { attributes: span.droppedAttributes, events: span.droppedEvents, links: span.droppedLinks }
  }
}

describeBeside(CAPTURES, 'the captured traces of the OpenTelemetry SDK', () => {
  it('are six', () => {
    expect(names).toHaveLength(6)
  })

  it.each(names)('%s is read back with everything that it said', async name => {
    const bytes = readFileSync(pathBeside(CAPTURES) + name)
    const sent = spansIn(name, bytes)
    expect(sent).toHaveLength(10)
    await send(name, bytes)
    for (const span of sent) {
      const answer = await service.api(`/api/v1/traces/${span.traceId}`, { headers: session })
      const found = (answer.json['spans'] as Record<string, unknown>[]).find(one => one['span_id'] === span.spanId)
      expect(found).toMatchObject(shown(span))
      expect(found!['attributes']).toEqual(plain(span.attributes))
      expect(found!['resource']).toMatchObject(plain(span.scope.resource.attributes) as object)
    }
  })
})
