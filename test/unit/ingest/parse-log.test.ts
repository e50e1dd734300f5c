import { describe, expect, it } from '@jest/globals'
import type { LogRecord } from '../../../src/domain/records/log.js'
import { parseJson } from '../../../src/wire/json/lossless-json.js'
import { parseLog } from '../../../src/ingest/parse-log.js'
import { accepted, itemCheck, NOW_NS, OLDEST_NS, refusal } from './items.js'

const parse = (raw: unknown): LogRecord => accepted<LogRecord>(parseLog(raw, itemCheck()))
const refused = (raw: unknown): string => refusal(parseLog(raw, itemCheck()))
const sent = (json: string): unknown => parseJson(Buffer.from(json))

const nested = (depth: number): unknown => (depth === 0 ? 1 : { a: nested(depth - 1) })
const manyFields = (count: number): object => Object.fromEntries(Array.from({ length: count }, (_, i) => [`f${i}`, i]))

describe('a log', () => {
  it('is normalized with every field of the interface', () => {
    const raw = {
      message: 'paid',
      namespace: 'prod',
      timestamp: '2026-11-20T11:40:00.123456789Z',
      level: 'WARNING',
      service: 'checkout',
      host: 'web-1',
      environment: 'production',
      source: 'app',
      trace_id: '4BF92F3577B34DA6A3CE929D0E0E4736',
      span_id: '00F067AA0BA902B7',
      log_fields: { user: { id: 7 } },
      tags: { region: 'eu' }
    }
    expect(parse(raw)).toEqual({
      index: 7,
      timestampNs: 1795174800123456789n,
      isServerTime: false,
      message: 'paid',
      isTruncated: false,
      level: 'warn',
      levelText: 'WARNING',
      severityNumber: 13,
      service: 'checkout',
      host: 'web-1',
      environment: 'production',
      patternId: null,
      source: 'app',
      traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
      spanId: '00f067aa0ba902b7',
      fields: { user: { id: 7 } },
      tags: { region: 'eu' }
    })
  })

  it('may name its namespace by name or id', () => {
    for (const namespace of ['prod', 'checknamespace1', '', null]) expect(parse({ message: 'x', namespace }).message).toBe('x')
  })

  it('has null, empty objects and the time of arrival where nothing was sent', () => {
    const record = parse({ message: 'x', service: null, host: '', level: null, timestamp: null, log_fields: null, tags: null })
    expect(record).toMatchObject({
      service: null,
      host: null,
      level: null,
      severityNumber: 0,
      isServerTime: true,
      timestampNs: NOW_NS
    })
    expect(Object.keys(record.fields)).toEqual([])
    expect(Object.keys(record.tags)).toEqual([])
  })
})

describe('a log that is not a log', () => {
  it.each<[string, unknown, string]>([
    ['no message', {}, 'missing_field message'],
    ['an empty message', { message: '' }, 'missing_field message'],
    ['a null message', { message: null }, 'missing_field message'],
    ['a message that is not a string', { message: 5 }, 'invalid_field message'],
    ['an array', [], 'invalid_field'],
    ['a text', 'hello', 'invalid_field'],
    ['null', null, 'invalid_field'],
    ['a host that is not a string', { message: 'x', host: 5 }, 'invalid_field host'],
    ['a message that is an object without one', { message: { text: 'x' } }, 'invalid_field message'],
    ['another name that is not a string', { msg: 5 }, 'missing_field message'],
    ['a service that is a list', { message: 'x', service: ['a'] }, 'invalid_field service'],
    ['a level that is not a string', { message: 'x', level: {} }, 'invalid_field level'],
    ['log_fields that are not an object', { message: 'x', log_fields: [1] }, 'invalid_field log_fields'],
    ['tags that are not an object', { message: 'x', tags: 'a,b' }, 'invalid_field tags'],
    ['another namespace', { message: 'x', namespace: 'other' }, 'invalid_field namespace'],
    ['a namespace that is not a string', { message: 'x', namespace: 5 }, 'invalid_field namespace'],
    ['31 February', { message: 'x', timestamp: '2026-02-31T00:00:00Z' }, 'invalid_field timestamp'],
    ['a time with an exponent', { message: 'x', timestamp: 1.7e18 }, 'invalid_field timestamp'],
    ['a boolean time', { message: 'x', timestamp: true }, 'invalid_field timestamp'],
    ['invalid nanoseconds', { message: 'x', timestamp_ns: 'yesterday' }, 'invalid_field timestamp_ns'],
    ['seconds as nanoseconds', { message: 'x', timestamp_ns: 1_795_174_800 }, 'timestamp_too_old timestamp_ns']
  ])('is refused with %s', (_name, raw, why) => {
    expect(refused(raw)).toBe(why)
  })
})

describe('the time and level of a log', () => {
  it.each<[string, unknown, bigint]>([
    ['seconds', 1795174800, 1795174800000000000n],
    ['seconds with a fraction', 1795174800.5, 1795174800500000000n],
    ['milliseconds', 1795174800123, 1795174800123000000n],
    ['microseconds', 1795174800123456, 1795174800123456000n],
    ['nanoseconds as digits', '1795174800123456789', 1795174800123456789n],
    ['an offset', '2026-11-20T13:40:00+02:00', 1795174800000000000n]
  ])('takes a time in %s', (_name, timestamp, ns) => {
    expect(parse({ message: 'x', timestamp }).timestampNs).toBe(ns)
  })

  it('keeps the nanoseconds of a JSON number', () => {
    expect(parse(sent('{"message":"x","timestamp":1795174800123456789}')).timestampNs).toBe(1795174800123456789n)
  })

  it('takes timestamp_ns as its time when it has no timestamp, and as a field next to one', () => {
    const text = '{"message":"x","timestamp_ns":1795174800123456789}'
    expect(parse(sent(text))).toMatchObject({ timestampNs: 1795174800123456789n, isServerTime: false, fields: {} })
    expect(parse({ message: 'x', timestamp: null, timestamp_ns: '1795174800123456789' }).timestampNs).toBe(1795174800123456789n)
    expect(parse({ message: 'x', timestamp_ns: null })).toMatchObject({ timestampNs: NOW_NS, isServerTime: true })
    const both = parse({ message: 'x', timestamp: '2026-11-20T11:40:00Z', timestamp_ns: 'kept' })
    expect(both).toMatchObject({ timestampNs: 1795174800000000000n, fields: { timestamp_ns: 'kept' } })
  })

  it('is taken at the ends of the age window and refused one nanosecond beyond', () => {
    const hourAheadNs = NOW_NS + 3_600_000_000_000n
    expect(parse({ message: 'x', timestamp: String(OLDEST_NS) }).timestampNs).toBe(OLDEST_NS)
    expect(parse({ message: 'x', timestamp: String(hourAheadNs) }).timestampNs).toBe(hourAheadNs)
    expect(refused({ message: 'x', timestamp: String(OLDEST_NS - 1n) })).toBe('timestamp_too_old timestamp')
    expect(refused({ message: 'x', timestamp: String(hourAheadNs + 1n) })).toBe('timestamp_in_future timestamp')
  })

  it.each<[unknown, string | null, number]>([
    ['ERROR', 'error', 17],
    ['critical', 'error', 18],
    ['panic', 'fatal', 21],
    ['3', 'error', 17],
    [30, 'info', 9],
    [50, 'error', 17],
    ['shout', 'shout', 0]
  ])('maps the level %p', (level, name, number) => {
    expect(parse({ message: 'x', level })).toMatchObject({ level: name, severityNumber: number, levelText: String(level) })
  })
})

describe('the fields of a log', () => {
  it('reads log as the message when that is absent, else keeps it as a field', () => {
    expect(parse({ log: 'from docker' })).toMatchObject({ message: 'from docker', fields: {} })
    expect(parse({ log: 'a', message: 'b' })).toMatchObject({ message: 'b', fields: { log: 'a' } })
  })

  it('folds unknown members into log_fields and loses no value of the same name', () => {
    expect(parse({ message: 'x', a: 1, stream: 'stdout', log_fields: { a: 2, b: [3] }, b: 4 }).fields).toEqual({
      a: [2, 1],
      b: [3, 4],
      stream: 'stdout'
    })
  })

  it('keeps __proto__ and constructor as data', () => {
    const record = parse(sent('{"message":"x","__proto__":{"polluted":1},"constructor":2,"log_fields":{"__proto__":3}}'))
    expect(Object.entries(record.fields)).toEqual([
      ['__proto__', [3, { polluted: 1 }]],
      ['constructor', 2]
    ])
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
  })

  it('keeps integers beyond 2^53 in log_fields as their digits', () => {
    expect(parse(sent('{"message":"x","log_fields":{"id":9223372036854775807,"n":[18446744073709551615]}}')).fields).toEqual({
      id: '9223372036854775807',
      n: ['18446744073709551615']
    })
  })

  it('keeps ids that are not hex as sent', () => {
    expect(parse({ message: 'x', trace_id: 'Trace-A', span_id: 'AB-CD' })).toMatchObject({ traceId: 'Trace-A', spanId: 'AB-CD' })
  })
})

describe('the limits of a log', () => {
  it('keeps a message of 256 KiB and cuts a longer one between characters', () => {
    const limit = 256 * 1024
    expect(parse({ message: 'a'.repeat(limit) })).toMatchObject({ isTruncated: false })
    const cut = parse({ message: 'a'.repeat(limit + 1) })
    expect([cut.isTruncated, cut.message.length]).toEqual([true, limit])
    const wide = parse({ message: `a${'\u{1f600}'.repeat(limit / 4)}` })
    expect(wide.isTruncated).toBe(true)
    expect(Buffer.byteLength(wide.message)).toBe(limit - 3)
    expect(wide.message.endsWith('\u{1f600}')).toBe(true)
  })

  it('takes 256 fields and refuses 257, unknown members counted', () => {
    expect(Object.keys(parse({ message: 'x', log_fields: manyFields(256) }).fields)).toHaveLength(256)
    expect(refused({ message: 'x', log_fields: manyFields(257) })).toBe('record_too_large log_fields')
    expect(refused({ message: 'x', log_fields: manyFields(256), more: 1 })).toBe('record_too_large log_fields')
    expect(refused({ message: 'x', tags: manyFields(257) })).toBe('record_too_large tags')
  })

  it('takes 8 levels and refuses 9', () => {
    expect(parse({ message: 'x', log_fields: nested(8) }).fields).toEqual(nested(8))
    expect(refused({ message: 'x', log_fields: nested(9) })).toMatch(/^record_too_large log_fields/)
    expect(refused({ message: 'x', log_fields: { a: [[[[[[[[1]]]]]]]] } })).toMatch(/^record_too_large log_fields/)
  })

  it('takes a name of 128 bytes and refuses 129', () => {
    expect(parse({ message: 'x', log_fields: { ['é'.repeat(64)]: 1 } }).fields).toEqual({ ['é'.repeat(64)]: 1 })
    expect(refused({ message: 'x', log_fields: { ['é'.repeat(64) + 'a']: 1 } })).toBe('record_too_large log_fields')
  })

  it('takes a value of 31 KiB and refuses one byte more, arrays as a whole', () => {
    const limit = 31 * 1024
    parse({ message: 'x', log_fields: { a: 'b'.repeat(limit) } })
    expect(refused({ message: 'x', log_fields: { a: 'b'.repeat(limit + 1) } })).toBe('record_too_large log_fields.a')
    expect(refused({ message: 'x', service: 'b'.repeat(limit + 1) })).toBe('record_too_large service')
    parse({ message: 'x', log_fields: { a: Array.from({ length: limit / 8 }, () => 1) } })
    expect(refused({ message: 'x', log_fields: { a: Array.from({ length: limit / 8 + 1 }, () => 1) } })).toBe(
      'record_too_large log_fields.a'
    )
  })

  it('is refused, not fatal, at 200,000 levels and 200,000 keys', () => {
    expect(refused(sent(`{"message":"x","log_fields":{"a":${'['.repeat(200_000)}${']'.repeat(200_000)}}}`))).toMatch(
      /^record_too_large/
    )
    expect(refused(sent(`{"message":"x","a":${'{"a":'.repeat(200_000)}1${'}'.repeat(200_000)}}`))).toMatch(/^record_too_large/)
    expect(refused({ message: 'x', ...manyFields(200_000) })).toBe('record_too_large log_fields')
  })

  it('echoes no long name in its refusal', () => {
    const item = parseLog(
      { message: 'x', log_fields: { ok: { ['k'.repeat(120)]: { ['l'.repeat(120)]: { m: 'x'.repeat(40_000) } } } } },
      itemCheck()
    )
    expect(Buffer.byteLength((item as { field: string }).field)).toBeLessThanOrEqual(256)
  })
})
