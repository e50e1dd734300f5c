import { describe, expect, it } from '@jest/globals'
import type { MetricPoint } from '../../../src/domain/metric-point.js'
import { parseJson } from '../../../src/wire/json/lossless-json.js'
import { MAX_IGNORED_MEMBERS } from '../../../src/ingest/metric-notes.js'
import { parseApmMetric } from '../../../src/ingest/parse-apm-metric.js'
import { parseMetric } from '../../../src/ingest/parse-metric.js'
import { accepted, itemCheck, NOW_NS, refusal } from './items.js'

const parse = (raw: unknown): MetricPoint => accepted<MetricPoint>(parseMetric(raw, itemCheck()))
const refused = (raw: unknown): string => refusal(parseMetric(raw, itemCheck()))
const parseApm = (raw: unknown): MetricPoint => accepted<MetricPoint>(parseApmMetric(raw, itemCheck()))
const refusedApm = (raw: unknown): string => refusal(parseApmMetric(raw, itemCheck()))
const sent = (json: string): unknown => parseJson(Buffer.from(json))
const labels = (count: number): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`l${i}`, 'v']))
const TS = '1795174800123456789'

describe('a metric point', () => {
  it('is normalized with its labels in order', () => {
    const raw = { name: 'system.cpu', value: 0.5, type: 'counter', timestamp_ns: TS, labels: { host: 'b', cpu: '0', Zone: 'x' } }
    expect(parse(raw)).toEqual({
      index: 7,
      name: 'system.cpu',
      type: 'counter',
      value: 0.5,
      timestampNs: 1795174800123456789n,
      labels: [
        { name: 'Zone', value: 'x' },
        { name: 'cpu', value: '0' },
        { name: 'host', value: 'b' }
      ]
    })
  })

  it('is taken without the members that mean nothing here, which are noted once each', () => {
    const check = itemCheck()
    for (let i = 0; i < 2; i++) parseMetric({ name: 'm', value: 1, timestamp: TS, tags: { a: 'b' }, service: 's' }, check)
    parseMetric({ value: 1, refused: 1 }, check)
    check.begin(3)
    parseApmMetric({ name: 'm', value: 1, service: 's', tags: {}, labels: {} }, check)
    expect([...check.notes.ignoredMembers]).toEqual(['tags', 'service', 'labels'])
    check.begin(4)
    parseMetric({ name: 'm', value: 1, ...Object.fromEntries(Object.entries(labels(50))) }, check)
    expect(check.notes.ignoredMembers.size).toBe(MAX_IGNORED_MEMBERS)
  })

  it('at a time in another unit than nanoseconds is refused with the time that it was read as', () => {
    const item = parseMetric({ name: 'm', value: 1, timestamp_ns: 1_795_174_800 }, itemCheck())
    expect(item).toMatchObject({ detail: expect.stringContaining('it was parsed as 1970-01-01T00:00:01.795174800Z') })
  })

  it('is a gauge without labels at the time of arrival when nothing else was sent', () => {
    expect(parse({ name: 'm', value: 1 })).toMatchObject({ type: 'gauge', labels: [], timestampNs: NOW_NS })
  })

  it('keeps every digit of timestamp_ns, as a number and as a string', () => {
    expect(parse(sent(`{"name":"m","value":1,"timestamp_ns":${TS}}`)).timestampNs).toBe(BigInt(TS))
    expect(parse({ name: 'm', value: 1, timestamp_ns: TS }).timestampNs).toBe(BigInt(TS))
  })

  it('takes a timestamp as logs do when timestamp_ns is absent', () => {
    expect(parse({ name: 'm', value: 1, timestamp: '2026-11-20T11:40:00Z' }).timestampNs).toBe(1795174800000000000n)
  })

  it.each<[unknown, number]>([
    ['NaN', Number.NaN],
    ['+Inf', Number.POSITIVE_INFINITY],
    ['-Inf', Number.NEGATIVE_INFINITY],
    [-0.5, -0.5],
    [0, 0]
  ])('takes the value %p', (value, number) => {
    expect(parse({ name: 'm', value }).value).toBe(number)
  })

  it('takes a value beyond 2^53 as the nearest double', () => {
    expect(parse(sent('{"name":"m","value":12345678901234567890}')).value).toBe(Number('12345678901234567890'))
  })

  it.each<[string, unknown, string]>([
    ['no name', { value: 1 }, 'missing_field name'],
    ['an empty name', { name: '', value: 1 }, 'missing_field name'],
    ['no value', { name: 'm' }, 'missing_field value'],
    ['a null value', { name: 'm', value: null }, 'missing_field value'],
    ['a text for a value', { name: 'm', value: '1.5' }, 'invalid_field value'],
    ['an unknown type', { name: 'm', value: 1, type: 'histogram' }, 'invalid_field type'],
    ['labels in an array', { name: 'm', value: 1, labels: ['a'] }, 'invalid_field labels'],
    ['a label that is not a string', { name: 'm', value: 1, labels: { code: 200 } }, 'invalid_field labels.code'],
    ['a label without a name', { name: 'm', value: 1, labels: { '': 'x' } }, 'invalid_field labels'],
    ['the reserved label', { name: 'm', value: 1, labels: { __name__: 'x' } }, 'invalid_field labels'],
    ['the label of overflow', { name: 'm', value: 1, labels: { __overflow__: 'x' } }, 'invalid_field labels.__overflow__'],
    ['a time in RFC 3339', { name: 'm', value: 1, timestamp_ns: '2026-11-20T11:40:00Z' }, 'invalid_field timestamp_ns'],
    ['a time that is not an integer', { name: 'm', value: 1, timestamp_ns: 1.5 }, 'invalid_field timestamp_ns'],
    ['a time with an exponent', { name: 'm', value: 1, timestamp_ns: 1.7e18 }, 'invalid_field timestamp_ns'],
    ['seconds for nanoseconds', { name: 'm', value: 1, timestamp_ns: 1795174800 }, 'timestamp_too_old timestamp_ns'],
    ['another namespace', { name: 'm', value: 1, namespace: 'other' }, 'invalid_field namespace'],
    ['a name of 257 bytes', { name: 'm'.repeat(257), value: 1 }, 'record_too_large name']
  ])('is refused with %s', (_name, raw, why) => {
    expect(refused(raw)).toBe(why)
  })
})

describe('the labels of a point', () => {
  it('takes 20 labels and refuses 21', () => {
    expect(parse({ name: 'm', value: 1, labels: labels(20) }).labels).toHaveLength(20)
    expect(refused({ name: 'm', value: 1, labels: labels(21) })).toBe('label_limit labels')
  })

  it('takes a label name of 128 bytes and a value of 1 KiB and refuses one byte more', () => {
    parse({ name: 'm', value: 1, labels: { ['n'.repeat(128)]: 'v'.repeat(1024) } })
    expect(refused({ name: 'm', value: 1, labels: { ['n'.repeat(129)]: 'v' } })).toBe('label_limit labels')
    expect(refused({ name: 'm', value: 1, labels: { n: 'v'.repeat(1025) } })).toBe('label_limit labels.n')
    const together = (chars: number) =>
      Object.fromEntries(Array.from({ length: 16 }, (_, i) => [`n${i + 10}`, 'v'.repeat(chars / 16 - 3)]))
    expect(parse({ name: 'm', value: 1, labels: together(15_360) }).labels).toHaveLength(16)
    expect(refused({ name: 'm', value: 1, labels: { ...together(15_360), n10: 'v'.repeat(958) } })).toBe('label_limit labels')
  })

  it('has the same identity with an empty label as without it', () => {
    expect(parse({ name: 'm', value: 1, labels: { a: '' } }).labels).toEqual([])
  })
})

describe('an APM metric', () => {
  it('is a point with the labels service and tags', () => {
    expect(
      parseApm({ service: 'api', name: 'latency', value: 3, tags: { route: '/pay', code: 200, ok: true, none: null } })
    ).toMatchObject({
      name: 'latency',
      type: 'gauge',
      value: 3,
      labels: [
        { name: 'code', value: '200' },
        { name: 'ok', value: 'true' },
        { name: 'route', value: '/pay' },
        { name: 'service', value: 'api' }
      ]
    })
  })

  it.each<[string, unknown, string]>([
    ['no service', { name: 'm', value: 1 }, 'missing_field service'],
    ['no name', { service: 's', value: 1 }, 'missing_field name'],
    ['no value', { service: 's', name: 'm' }, 'missing_field value'],
    ['a nested tag', { service: 's', name: 'm', value: 1, tags: { a: {} } }, 'invalid_field tags.a'],
    ['two services', { service: 's', name: 'm', value: 1, tags: { service: 't' } }, 'invalid_field tags.service'],
    ['20 tags next to the service', { service: 's', name: 'm', value: 1, tags: labels(20) }, 'label_limit labels'],
    ['a long service', { service: 's'.repeat(1025), name: 'm', value: 1 }, 'label_limit labels.service']
  ])('is refused with %s', (_name, raw, why) => {
    expect(refusedApm(raw)).toBe(why)
  })
})
