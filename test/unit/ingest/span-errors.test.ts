import { describe, expect, it } from '@jest/globals'
import type { SpanEvent } from '../../../src/domain/span.js'
import { fingerprint } from '../../../src/ingest/fingerprint.js'
import { errorsOf } from '../../../src/ingest/span-errors.js'
import { BASE_NS } from '../../contract/fresh-ids.js'
import { spanIdOf, toSpan } from '../../contract/trace-fixtures.js'

function event(attributes: SpanEvent['attributes'], at = 500n, name = 'exception'): SpanEvent {
  return { name, timestampNs: BASE_NS + at, attributes }
}

const CARD = {
  'exception.type': 'CardError',
  'exception.message': 'card 17 declined',
  'exception.stacktrace': 'at pay (pay.js:1:2)'
}

describe('errorsOf', () => {
  it('makes one error of each exception, in the group of errors that services send themselves', () => {
    const resource = { 'service.version': '1.2', 'deployment.environment': 'prod' }
    const span = toSpan(
      { service: 'pay', host: 'h1', name: 'POST', events: [event(CARD), event(CARD)], resource, trace: 1, id: 2 },
      0
    )
    const errors = errorsOf([toSpan({}, 0), span])
    expect(errors.map(({ index }) => index)).toEqual([0, 1])
    expect(errors[0]).toEqual({
      ...{ index: 0, service: 'pay', type: 'CardError', message: 'card 17 declined', stack: 'at pay (pay.js:1:2)', host: 'h1' },
      ...{ timestampNs: BASE_NS + 500n, traceId: span.traceId, spanId: span.spanId },
      tags: { source: 'span', span_name: 'POST', release: '1.2', environment: 'prod' },
      fingerprint: fingerprint({ service: 'pay', type: 'CardError', message: 'card 99 declined', stack: 'at pay (pay.js:9:9)' })
    })
  })

  const nested = (id: number, parent: number | undefined, sketch: Parameters<typeof toSpan>[0] = {}) =>
    toSpan({ service: 'pay', name: `span ${id}`, events: [event(CARD)], trace: 1, id, ...(parent && { parent }), ...sketch }, 0)
  const namesOf = (spans: Parameters<typeof errorsOf>[0]) => errorsOf(spans).map(({ tags }) => tags['span_name'])

  it('counts an exception that unwinds through nested spans once, on the innermost, in any order', () => {
    const chain = [nested(1, undefined), nested(2, 1), nested(3, 2, { events: [] }), nested(4, 3)]
    expect(namesOf(chain)).toEqual(['span 4'])
    expect(namesOf(chain.toReversed())).toEqual(['span 4'])
    expect(namesOf([chain[2]!, chain[0]!, chain[3]!, chain[1]!])).toEqual(['span 4'])
  })

  it('keeps retries in siblings, other traces, services, messages and stacks apart', () => {
    expect(namesOf([nested(1, undefined), nested(2, 1), nested(3, 1)])).toEqual(['span 2', 'span 3'])
    expect(namesOf([nested(1, undefined), nested(2, 1, { trace: 2 })])).toEqual(['span 1', 'span 2'])
    expect(namesOf([nested(1, undefined), nested(2, 1, { service: 'other' })])).toEqual(['span 1', 'span 2'])
    for (const [name, value] of Object.entries({ 'exception.message': 'x', 'exception.stacktrace': 'y', 'exception.type': 'z' }))
      expect(namesOf([nested(1, undefined), nested(2, 1, { events: [event({ ...CARD, [name]: value })] })])).toHaveLength(2)
    // Spans that are each other's ancestors have no innermost one.
    expect(namesOf([nested(1, 2), nested(2, 1)])).toHaveLength(2)
  })

  it('names the nearest ancestor outside of the request', () => {
    const outerOf = (spans: Parameters<typeof errorsOf>[0]) => errorsOf(spans).map(({ tags }) => tags['outer_span_id'])
    expect(outerOf([nested(2, 1), nested(3, 2)])).toEqual([spanIdOf(1)])
    expect(outerOf([nested(1, undefined)])).toEqual([undefined])
  })

  it('takes what there is', () => {
    const of = (attributes: SpanEvent['attributes']) => errorsOf([toSpan({ events: [event(attributes)] }, 0)])[0]
    expect(of({ 'exception.type': 'E' })).toMatchObject({ type: 'E', message: 'E', stack: null, service: 'unknown_service' })
    expect(of({ 'exception.message': 'm' })).toMatchObject({ type: 'Error', message: 'm' })
    expect(of({})).toBeUndefined()
    expect(of({ 'exception.message': 5 })).toBeUndefined()
  })

  it('leaves other events alone, and times outside of the span', () => {
    const events = [event(CARD, 0n, 'log'), event(CARD, -5n), event(CARD, 9_999n)]
    const times = errorsOf([toSpan({ took: 1_000, events }, 0)]).map(({ timestampNs }) => timestampNs - BASE_NS)
    expect(times).toEqual([0n, 1_000n])
  })
})
