import { describe, expect, it } from '@jest/globals'
import { isGatewayError } from '../../../../src/domain/errors.js'
import { SERVICE_EVENTS_KEPT_MS } from '../../../../src/domain/service-event.js'
import { SERVICE_EVENT_LIMITS } from '../../../../src/ingest/service-events/event-limits.js'
import { parseServiceEvent, type SentServiceEvent } from '../../../../src/ingest/service-events/parse-service-event.js'

const NOW_MS = Date.parse('2026-11-20T12:00:00Z')
const DEPLOY = { type: 'deploy' }

const parse = (body: unknown): SentServiceEvent => parseServiceEvent(body, NOW_MS, SERVICE_EVENT_LIMITS)

function faultOf(body: unknown): readonly [string, string | undefined] {
  try {
    parse(body)
  } catch (error) {
    if (isGatewayError(error)) return [error.code, error.field]
    throw error
  }
  throw new Error('it was accepted')
}

describe('an event', () => {
  it('needs a type, and happens now', () => {
    expect(parse(DEPLOY)).toEqual({
      ...{ id: null, type: 'deploy', atMs: NOW_MS, service: null, version: null, environment: null, title: null, url: null },
      attributes: []
    })
  })

  it('has strings, a link and attributes; other members are ignored', () => {
    const named = { service: 'api', version: '1.4.2', environment: 'production', title: 'a\0b', url: 'https://ci.example.com/1' }
    const attributes = JSON.parse('{"b": "2", "__proto__": "x", "empty": ""}') as object
    expect(parse({ ...DEPLOY, ...named, id: 'run-1', attributes, branch: 'main' })).toEqual({
      ...{ ...named, id: 'run-1', type: 'deploy', atMs: NOW_MS, title: 'ab' },
      attributes: [
        { name: '__proto__', value: 'x' },
        { name: 'b', value: '2' }
      ]
    })
  })

  it('has a time of any common form, within bounds', () => {
    const at = (timestamp: unknown): number => parse({ ...DEPLOY, timestamp }).atMs
    expect(at('2026-11-20T11:00:00+01:00')).toBe(NOW_MS - 2 * 3_600_000)
    expect([at(NOW_MS / 1_000), at(NOW_MS), at(`${NOW_MS}000000`)]).toEqual([NOW_MS, NOW_MS, NOW_MS])
    expect(at(new Date(NOW_MS - SERVICE_EVENTS_KEPT_MS).toISOString())).toBe(NOW_MS - SERVICE_EVENTS_KEPT_MS)
    expect(at(new Date(NOW_MS + SERVICE_EVENT_LIMITS.futureMs).toISOString())).toBe(NOW_MS + SERVICE_EVENT_LIMITS.futureMs)
    const timed = (ms: number): unknown => faultOf({ ...DEPLOY, timestamp: new Date(ms).toISOString() })
    expect(timed(NOW_MS - SERVICE_EVENTS_KEPT_MS - 1)).toEqual(['timestamp_too_old', 'timestamp'])
    expect(timed(NOW_MS + SERVICE_EVENT_LIMITS.futureMs + 1)).toEqual(['timestamp_in_future', 'timestamp'])
    expect([faultOf({ ...DEPLOY, timestamp: 'soon' }), faultOf({ ...DEPLOY, timestamp: {} })]).toEqual([
      ['invalid_field', 'timestamp'],
      ['invalid_field', 'timestamp']
    ])
  })

  const attributesOf = (count: number): object => Object.fromEntries(Array.from({ length: count }, (_, at) => [`a${at}`, 'x']))

  it.each<[string, unknown, readonly [string, string | undefined]]>([
    ['a body that is an array', [], ['invalid_field', undefined]],
    ['no type', {}, ['missing_field', 'type']],
    ['a type with a dot', { type: 'log.gap' }, ['invalid_field', 'type']],
    ['an id of the service', { ...DEPLOY, id: 'log.gap:stream-1:29393939' }, ['invalid_field', 'id']],
    ['a long type', { type: 'd'.repeat(65) }, ['invalid_field', 'type']],
    ['a long id', { ...DEPLOY, id: 'i'.repeat(129) }, ['invalid_field', 'id']],
    ['a long service', { ...DEPLOY, service: 's'.repeat(256) }, ['invalid_field', 'service']],
    ['a link that is a script', { ...DEPLOY, url: 'javascript:alert(1)' }, ['invalid_field', 'url']],
    ['too many attributes', { ...DEPLOY, attributes: attributesOf(33) }, ['invalid_field', 'attributes']],
    ['an attribute that is a number', { ...DEPLOY, attributes: { a: 1 } }, ['invalid_field', 'attributes.a']],
    ['an attribute without a name', { ...DEPLOY, attributes: { '': 'x' } }, ['invalid_field', 'attributes']]
  ])('is refused with %s', (_, body, fault) => {
    expect(faultOf(body)).toEqual(fault)
  })

  it('is accepted at each bound', () => {
    const body = { type: 'd'.repeat(64), id: 'i'.repeat(128), service: 's'.repeat(255), attributes: attributesOf(32) }
    expect(parse(body).attributes).toHaveLength(32)
  })
})
