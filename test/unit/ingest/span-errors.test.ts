import { describe, expect, it } from '@jest/globals'
import type { SpanEvent } from '../../../src/domain/span.js'
import { fingerprint } from '../../../src/ingest/fingerprint.js'
import { errorsOf } from '../../../src/ingest/span-errors.js'
import { BASE_NS } from '../../contract/fresh-ids.js'
import { toSpan } from '../../contract/trace-fixtures.js'

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
