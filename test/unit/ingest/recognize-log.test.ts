import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { flatten } from '../../../src/domain/flatten.js'
import { formatNs, parseRfc3339Ns } from '../../../src/domain/timestamp.js'
import { parseLog } from '../../../src/ingest/parse-log.js'
import { LOG_MEMBERS, LOG_ROWS } from '../../../src/ingest/recognize-log/log-members.js'
import { DEFAULT_LOG_OPTIONS } from '../../../src/ingest/recognize-log/log-options.js'
import { refusal } from './items.js'
import { check, parse, sent, timeOf } from './parsed-logs.js'

describe('names that loggers share with others', () => {
  it.each(['F', 'ok', 'success', 'd1'])('are not level: status %s', status => {
    expect(parse({ message: 'm', status })).toMatchObject({ level: null, fields: { status } })
  })

  it('are not stack trace: the stack of a deployment', () => {
    expect(parse({ message: 'm', stack: 'blue' }).fields).toEqual({ stack: 'blue' })
    expect(parse({ message: 'm', stack: 'Error: x\n    at f (a.js:1:2)' }).fields).toEqual({
      'exception.stacktrace': 'Error: x\n    at f (a.js:1:2)'
    })
  })

  it('are not exception for one that the record has under the names of OpenTelemetry', () => {
    const raw = { message: 'm', 'exception.type': 'Own', err: { type: 'E', message: 'x', stack: 'E: x\n at f' } }
    expect(parse(raw).fields).toMatchObject({ 'exception.type': ['Own', 'E'] })
  })
})

describe('JSON in the line of a container', () => {
  const line = '{"level":30,"time":1795401131000,"pid":1,"name":"inner","hostname":"pod","msg":"order paid","order":4711}\n'

  it('is the record, and what wraps it knows service and host best', () => {
    const log = parse({ log: line, stream: 'stdout', time: '2026-11-23T03:00:00Z', container_name: '/checkout', pid: 2 })
    expect(log).toMatchObject({ message: 'order paid', level: 'info', service: 'checkout', host: 'pod' })
    expect(timeOf(log)).toBe('2026-11-23T02:32:11.000000000Z')
    expect(log.fields).toEqual({ stream: 'stdout', time: '2026-11-23T03:00:00Z', pid: [2, 1], name: 'inner', order: 4711 })
  })

  it('is a text with parse_message=false, in a message of ours, and without a message of its own', () => {
    expect(parse({ log: line }, { parse_message: 'false' }).message).toBe(line)
    expect(parse({ message: line }).message).toBe(line)
    expect(parse({ message: line }, { parse_message: 'true' }).message).toBe('order paid')
    expect(parse({ log: '{"a":1}' })).toMatchObject({ message: '{"a":1}', fields: {} })
  })

  it.each<[string, string]>([
    ['deep', `{"msg":"x","a":${'['.repeat(17)}${']'.repeat(17)}}`],
    ['long', `{"msg":"x","a":"${'a'.repeat(65_536)}"}`],
    ['wide', `{"msg":"x","a":[${'1,'.repeat(4_000)}1]}`],
    ['broken', '{"msg":"x"']
  ])('that is too %s is a text', (_name, log) => {
    expect(parse({ log })).toMatchObject({ message: log, fields: {} })
  })
})

describe('a message of journald in bytes', () => {
  const bytes = (text: string, encoding: BufferEncoding = 'utf8'): readonly number[] => [...Buffer.from(text, encoding)]

  it.each<[string, readonly number[], string]>([
    ['UTF-8', bytes('\u001b[31mfällig €'), '\u001b[31mfällig €'],
    ['Latin-1', bytes('fällig', 'latin1'), 'fällig']
  ])('is read as %s', (_name, MESSAGE, message) => {
    const log = parse({ MESSAGE, PRIORITY: '3', __REALTIME_TIMESTAMP: '1795401131869070' })
    expect(log).toMatchObject({ message, level: 'error', fields: {} })
  })

  it.each<[string, unknown]>([
    ['no bytes', [256]],
    ['fractions', [1.5]],
    ['strings', ['a']],
    ['empty', []]
  ])('is not read from %s', (_name, MESSAGE) => {
    expect(refusal(parseLog({ MESSAGE }, check()))).toBe('missing_field message')
    expect(parse({ MESSAGE, msg: 'm' }).message).toBe('m')
  })
})

describe('every record', () => {
  const names = [
    ...new Set(LOG_ROWS.flatMap(row => LOG_MEMBERS[row])),
    'order',
    'a',
    'message.other',
    'host.other',
    'tags.other',
    '__proto__',
    'constructor',
    'log_fields',
    'pid'
  ]
  const scalar = fc.oneof(
    fc.constantFrom('info', 'x', '2026-11-23T02:00:00Z', '4bf92f3577b34da6a3ce929d0e0e4736', '{"msg":"y","z":1}', ''),
    fc.integer(),
    fc.boolean(),
    fc.constant(null)
  )
  const nest = (path: string, value: unknown, isNested: boolean): [string, unknown] => {
    const parts = path.split('.')
    if (!isNested || parts.length === 1) return [path, value]
    return [parts[0]!, parts.slice(1).reduceRight((inner, part) => ({ [part]: inner }), value)]
  }
  const member = fc
    .tuple(fc.constantFrom(...names.filter(name => name !== 'log_fields')), scalar, fc.boolean())
    .map(([path, value, isNested]) => nest(path, value, isNested))
  const record = fc.array(member, { maxLength: 12 }).map(members => Object.fromEntries(members) as Record<string, unknown>)
  /** Scalars of a value that carry something, as strings. */
  const leaves = (value: unknown): readonly string[] => {
    if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(leaves)
    return value === null || value === undefined || value === ''
      ? []
      : [typeof value === 'string' ? value : JSON.stringify(value)]
  }
  const TIME = '2026-11-23T02:00:00Z'

  it('loses nothing: a member is a part of the log or one of its fields', () => {
    fc.assert(
      fc.property(record, raw => {
        const { log: _, namespace: __, ...sentAs } = { message: 'm', ...raw } as Record<string, unknown>
        const log = parseLog(sentAs, check())
        if ('code' in log) return
        const parts = [log.message, log.levelText, log.service, log.host, log.environment, log.source, log.traceId, log.spanId]
        const kept = [...parts.flatMap(leaves), ...leaves(flatten(log.fields)), ...leaves(log.tags)]
        if (timeOf(log) === formatNs(parseRfc3339Ns(TIME)!)) kept.push(TIME)
        // A number may be the time in any of the units.
        kept.push(...[1n, 1_000n, 1_000_000n, 1_000_000_000n].map(unit => String(log.timestampNs / unit)))
        // Datadog writes ids in decimal digits.
        for (const id of [log.traceId, log.spanId]) if (/^[0-9a-f]+$/.test(id ?? '')) kept.push(String(BigInt(`0x${id}`)))
        expect(leaves(sentAs).filter(leaf => !kept.includes(leaf))).toEqual([])
      }),
      { numRuns: 2_000 }
    )
  })

  it('keeps the names of this interface before all others', () => {
    const ours = {
      message: 'ours',
      timestamp: '2026-11-23T01:00:00Z',
      level: 'warn',
      service: 'ours',
      host: 'ours',
      source: 'ours',
      trace_id: 'aa',
      span_id: 'bb'
    }
    fc.assert(
      fc.property(record, raw => {
        const log = parseLog({ ...raw, ...ours, log_fields: null, tags: null, timestamp_ns: null }, check())
        if ('code' in log) return
        expect(log).toMatchObject({
          message: 'ours',
          level: 'warn',
          service: 'ours',
          host: 'ours',
          source: 'ours',
          traceId: 'aa',
          spanId: 'bb'
        })
        expect(timeOf(log)).toBe('2026-11-23T01:00:00.000000000Z')
      })
    )
  })

  it('pollutes nothing', () => {
    const log = parse(
      sent(
        '{"msg":"x","__proto__":{"msg":"y","polluted":1},"constructor":{"name":"z"},"err":{"__proto__":{"stack":"s"},"stack":"t"}}'
      )
    )
    expect(Object.keys(log.fields)).toEqual(['__proto__', 'constructor', 'err', 'exception.stacktrace'])
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
    expect(parse({ msg: 'x' }, { service_field: 'constructor.name', host_field: '__proto__' })).toMatchObject({
      service: null,
      host: null
    })
  })
})

it('recognizes records alone that have a name to recognize', () => {
  expect(DEFAULT_LOG_OPTIONS.looksAtAll).toBe(false)
  expect(parse({ message: 'm', err: 'declined', name: 'x' }).fields).toEqual({ err: 'declined', name: 'x' })
})
