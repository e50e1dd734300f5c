import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { flatten } from '../../../src/domain/flatten.js'
import type { JsonObject } from '../../../src/domain/json.js'
import type { LogRecord } from '../../../src/domain/log-record.js'
import { formatNs, parseRfc3339Ns } from '../../../src/domain/timestamp.js'
import { parseJson } from '../../../src/wire/json/lossless-json.js'
import { parseLog } from '../../../src/ingest/parse-log.js'
import { LOG_MEMBERS, LOG_ROWS } from '../../../src/ingest/recognise-log/log-members.js'
import { DEFAULT_LOG_OPTIONS } from '../../../src/ingest/recognise-log/log-options.js'
import { type LogOverrides, parseLogOverrides } from '../../../src/ingest/recognise-log/log-overrides.js'
import { readTimeText } from '../../../src/ingest/recognise-log/read-time-text.js'
import { pathBeside } from '../../support/path-beside.js'
import { accepted, itemCheckAt, refusal } from './items.js'

const NOW_NS = parseRfc3339Ns('2026-11-23T12:00:00Z')!
const check = (overrides: LogOverrides = {}) => itemCheckAt(NOW_NS, parseLogOverrides(overrides))
const parse = (raw: unknown, overrides: LogOverrides = {}): LogRecord => accepted<LogRecord>(parseLog(raw, check(overrides)))
const sent = (json: string): Record<string, unknown> => parseJson(Buffer.from(json)) as Record<string, unknown>
const timeOf = (log: LogRecord): string => formatNs(log.timestampNs)

const SHAPES = pathBeside('doors/shapes')
const linesOf = (file: string): readonly Record<string, unknown>[] =>
  readFileSync(`${SHAPES}/${file}`, 'utf8')
    .split('\n')
    .filter(line => line !== '')
    .map(sent)

/** What each logger's first record says of itself; a part is null where the shape has none. */
const FIRST: Readonly<
  Record<string, readonly [time: string | null, service: string | null, host: string | null, traced: boolean]>
> = {
  'bunyan.ndjson': ['2026-11-23T02:46:20.004000000Z', 'checkout', 'vm', false],
  'ecs-pino.ndjson': ['2026-11-23T02:46:20.003000000Z', 'checkout', 'vm', true],
  'ecs-python.ndjson': ['2026-11-23T02:46:20.901000000Z', null, null, false],
  'log4j2-ecs.ndjson': ['2026-11-23T02:32:11.869000000Z', 'checkout', null, true],
  'log4j2-logstash.ndjson': ['2026-11-23T02:32:11.869000000Z', null, 'vm', true],
  'logback-logstash.ndjson': ['2026-11-23T02:32:12.288592864Z', 'checkout', null, true],
  'pino-labels.ndjson': ['2026-11-23T02:46:19.728000000Z', 'checkout', null, true],
  'pino.ndjson': ['2026-11-23T02:46:19.726000000Z', 'checkout', 'vm', true],
  'python-json-logger-renamed.ndjson': ['2026-11-23T02:46:20.899581000Z', null, null, false],
  'slog.ndjson': ['2026-11-23T02:32:01.460242815Z', 'checkout', null, false],
  'winston-logstash.ndjson': ['2026-11-23T02:46:20.016000000Z', 'checkout', null, true],
  'winston-notime.ndjson': [null, 'checkout', null, true],
  'winston.ndjson': ['2026-11-23T02:46:20.011000000Z', 'checkout', null, true],
  'zap.ndjson': ['2026-11-23T02:32:01.467011000Z', null, null, true]
}

describe('the captured shapes of loggers', () => {
  it('are all in the table', () => {
    expect(readdirSync(SHAPES).sort()).toEqual(Object.keys(FIRST).sort())
  })

  it.each(Object.entries(FIRST))('%s is recognised', (file, [time, service, host, isTraced]) => {
    const logs = linesOf(file).map(line => parse(line))
    expect(logs.map(({ message }) => message.split(' ').slice(0, 2).join(' ')).slice(0, 3)).toEqual([
      'order paid',
      'slow answer',
      'payment failed'
    ])
    expect(logs.map(({ level }) => level).slice(0, 3)).toEqual(['info', 'warn', 'error'])
    expect(logs.map(({ isServerTime }) => isServerTime)).toEqual(logs.map(() => time === null))
    expect([time === null ? null : timeOf(logs[0]!), logs[0]!.service, logs[0]!.host]).toEqual([time, service, host])
    expect(logs[0]!.traceId).toBe(isTraced ? '4bf92f3577b34da6a3ce929d0e0e4736' : null)
  })

  it('have their stack traces under the names of OpenTelemetry', () => {
    const failed = (file: string): JsonObject => parse(linesOf(file)[2]).fields
    expect(failed('pino.ndjson')).toMatchObject({
      err: { code: 'E_CARD' },
      'exception.type': 'TypeError',
      'exception.message': 'card declined: Überlauf €',
      'exception.stacktrace': expect.stringMatching(/^TypeError: card declined/)
    })
    expect(failed('log4j2-logstash.ndjson')).toMatchObject({ 'exception.type': 'java.lang.IllegalStateException' })
    for (const file of ['logback-logstash.ndjson', 'zap.ndjson', 'winston.ndjson', 'python-json-logger-renamed.ndjson'])
      expect(failed(file)['exception.stacktrace']).toMatch(/\n/)
  })
})

describe('records of other doors', () => {
  it.each<[string, object, object]>([
    [
      'nested ECS',
      {
        '@timestamp': '2026-11-20T10:00:00.123456789Z',
        message: 'm',
        log: { level: 'INFO', logger: 'pay' },
        service: { name: 's', version: '1' },
        host: { name: 'h', ip: ['::1'] }
      },
      {
        level: 'info',
        service: 's',
        host: 'h',
        fields: { log: { logger: 'pay' }, service: { version: '1' }, host: { ip: ['::1'] } }
      }
    ],
    [
      'syslog-ng',
      { MESSAGE: 'm', PRIORITY: 'err', PROGRAM: 'p', HOST: 'h' },
      { message: 'm', level: 'error', service: 'p', host: 'h' }
    ],
    [
      'journald',
      { MESSAGE: 'm', PRIORITY: '4', _SYSTEMD_UNIT: 'ssh.service', _HOSTNAME: 'h', __REALTIME_TIMESTAMP: '1795401131869070' },
      { level: 'warn', service: 'ssh', host: 'h', timestampNs: 1_795_401_131_869_070_000n }
    ],
    ['GELF', { short_message: 'm', level: 3, host: 'h', timestamp: 1795402027.474 }, { message: 'm', level: 'error', host: 'h' }],
    [
      'Kubernetes',
      { log: 'm\n', kubernetes: { container_name: 'c', host: 'n', labels: { 'app.kubernetes.io/name': 'shop' } } },
      { message: 'm\n', service: 'shop', host: 'n', fields: { kubernetes: { container_name: 'c' } } }
    ],
    ['Docker', { message: 'm', container_name: '/checkout' }, { service: 'checkout' }],
    [
      'Datadog',
      {
        message: 'm',
        status: 'info',
        ddsource: 'nodejs',
        'dd.trace_id': '13846290381928320310',
        'dd.span_id': '67667974448284343'
      },
      { level: 'info', source: 'nodejs', traceId: 'c027e7bdd7becd36', spanId: '00f067aa0ba902b7', fields: {} }
    ],
    ['a message in a message', { message: { message: 'm', a: 1 } }, { message: 'm', fields: { message: { a: 1 } } }],
    [
      'CLEF',
      { '@t': '2026-11-20T10:00:00Z', '@mt': 'Order {OrderId} of {@User:j} {{paid}} {Gone}', OrderId: 5, User: { id: 7 } },
      { message: 'Order 5 of {"id":7} {paid} {Gone}', level: 'info' }
    ],
    [
      'CLEF with a level',
      { '@t': '2026-11-20T10:00:00Z', '@m': 'm', '@l': 'Warning', '@x': 'boom\n at x' },
      { level: 'warn', fields: { 'exception.stacktrace': 'boom\n at x' } }
    ],
    [
      'Google Cloud',
      {
        textPayload: 'm',
        severity: 'CRITICAL',
        'logging.googleapis.com/trace': 'projects/p/traces/06796866738c859f2f19b7cfb3214824'
      },
      { level: 'error', severityNumber: 18, traceId: '06796866738c859f2f19b7cfb3214824' }
    ],
    [
      'loguru',
      { record: { message: 'm', level: { name: 'SUCCESS', no: 25 }, time: { timestamp: 1795401131.5 } } },
      { message: 'm', severityNumber: 9, timestampNs: 1_795_401_131_500_000_000n }
    ],
    ['Python', { message: 'm', levelno: 30, asctime: '2026-11-23 02:46:20,896' }, { level: 'warn', levelText: '30' }],
    ['logback', { message: 'm', level_value: 40000 }, { level: 'error', levelText: '40000' }],
    [
      'OpenTelemetry',
      { body: 'm', severityNumber: 17, traceId: '4BF92F3577B34DA6A3CE929D0E0E4736' },
      { message: 'm', severityNumber: 17, traceId: '4bf92f3577b34da6a3ce929d0e0e4736' }
    ],
    [
      'log4j2',
      {
        message: 'm',
        instant: { epochSecond: 1795401131, nanoOfSecond: 869070387 },
        thrown: { name: 'E', message: 'x', extendedStackTrace: 's\n' }
      },
      {
        timestampNs: 1_795_401_131_869_070_387n,
        fields: { 'exception.type': 'E', 'exception.message': 'x', 'exception.stacktrace': 's\n' }
      }
    ],
    [
      'two halves of a time',
      { message: 'm', timestampSeconds: 1795401131, timestampNanos: 7 },
      { timestampNs: 1_795_401_131_000_000_007n, fields: {} }
    ],
    [
      'W3C',
      { message: 'm', traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01' },
      { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7', fields: { traceparent: expect.any(String) } }
    ],
    [
      'Monolog',
      { message: 'm', level: 400, level_name: 'ERROR', channel: 'app', datetime: '2026-11-23T02:46:20.896123+00:00' },
      { level: 'error', levelText: 'ERROR', fields: { level: 400, channel: 'app' } }
    ],
    [
      'Monolog with a time of ours',
      { message: 'm', level: 250, level_name: 'NOTICE', timestamp: '2026-11-23T02:46:20Z' },
      { level: 'info', severityNumber: 10, fields: { level: 250 } }
    ],
    [
      'OpenTelemetry beside an outcome',
      { body: 'm', severity_number: 18, status: 'warn' },
      { severityNumber: 18, fields: { status: 'warn' } }
    ],
    ['numbers without a name', { message: 'm', level: 400, msg: 'n' }, { level: '400', severityNumber: 0, fields: { msg: 'n' } }],
    [
      'tracing of Rust',
      { timestamp: '2026-11-23T02:46:20Z', level: 'INFO', fields: { message: 'm', order: 7 }, target: 'shop' },
      { message: 'm', level: 'info', fields: { fields: { order: 7 }, target: 'shop' } }
    ],
    [
      'the JSON console of .NET',
      {
        Timestamp: '2026-11-23T02:46:20.896Z',
        EventId: 7,
        LogLevel: 'Warning',
        Category: 'Shop.Pay',
        Message: 'm',
        State: { Message: 'm' }
      },
      {
        message: 'm',
        level: 'warn',
        timestampNs: 1_795_401_980_896_000_000n,
        fields: { EventId: 7, Category: 'Shop.Pay', State: { Message: 'm' } }
      }
    ],
    [
      'slog between its levels',
      { msg: 'm', level: 'ERROR+4', time: '2026-11-23T02:46:20Z' },
      { level: 'fatal', severityNumber: 21, levelText: 'ERROR+4' }
    ],
    [
      'a list of tags',
      { message: 'm', tags: ['a', 'b'], log_fields: { tags: 'c' } },
      { tags: {}, fields: { tags: ['c', 'a', 'b'] } }
    ]
  ])('of %s are recognised', (_name, raw, expected) => {
    expect(parse(raw)).toMatchObject(expected)
  })

  it('keep what only looks like a part', () => {
    const raw = {
      message: 'm',
      name: 'logger.of.python',
      status: 200,
      time: 35,
      event: 'login',
      traceId: 'request-5',
      span_id: null,
      source: { ip: '::1' }
    }
    expect(parse(raw)).toMatchObject({ service: null, level: null, isServerTime: true, traceId: null, source: null })
    const { message: _, span_id: __, ...others } = raw
    expect(parse(raw).fields).toEqual(others)
    expect(parse({ message: 'm', otelTraceID: '0', otelSpanID: '0000000000000000' })).toMatchObject({
      traceId: null,
      spanId: null
    })
  })
})

describe('names that loggers share with others', () => {
  it.each(['F', 'ok', 'success', 'd1'])('are no level: status %s', status => {
    expect(parse({ message: 'm', status })).toMatchObject({ level: null, fields: { status } })
  })

  it('are no stack trace: the stack of a deployment', () => {
    expect(parse({ message: 'm', stack: 'blue' }).fields).toEqual({ stack: 'blue' })
    expect(parse({ message: 'm', stack: 'Error: x\n    at f (a.js:1:2)' }).fields).toEqual({
      'exception.stacktrace': 'Error: x\n    at f (a.js:1:2)'
    })
  })

  it('are no exception for one that the record has under the names of OpenTelemetry', () => {
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

describe('the time of a record', () => {
  it.each<[string, string]>([
    ['2026-11-23T02:32:11.869Z', '2026-11-23T02:32:11.869000000Z'],
    ['2026-11-23T02:32:11.869+0100', '2026-11-23T01:32:11.869000000Z'],
    ['2026-11-23T02:32:11+01', '2026-11-23T01:32:11.000000000Z'],
    ['2026-11-23 02:46:20,896', '2026-11-23T02:46:20.896000000Z'],
    ['2026-11-23 02:46:20.1234567891', '2026-11-23T02:46:20.123456789Z'],
    ['2026-11-23T02:46:20', '2026-11-23T02:46:20.000000000Z'],
    ['2026-11-23 02:46:20 +0200', '2026-11-23T00:46:20.000000000Z'],
    ['2026/11/23 02:46:20', '2026-11-23T02:46:20.000000000Z'],
    ['2026-11-23 02:46:20 UTC', '2026-11-23T02:46:20.000000000Z'],
    ['23/Nov/2026:02:29:20 +0000', '2026-11-23T02:29:20.000000000Z'],
    ['23/Nov/2026:02:29:20 -0130', '2026-11-23T03:59:20.000000000Z'],
    ['Mon, 23 Nov 2026 02:29:20 +0000', '2026-11-23T02:29:20.000000000Z'],
    ['9 Nov 2026 12:29:20 GMT', '2026-11-09T12:29:20.000000000Z'],
    ['1795401131.869070387', '2026-11-23T02:32:11.869070387Z'],
    ['1795401131869', '2026-11-23T02:32:11.869000000Z']
  ])('is read from %s', (text, expected) => {
    expect(formatNs(readTimeText(text, {})!.ns)).toBe(expected)
    expect(timeOf(parse({ message: 'm', '@timestamp': text }))).toBe(expected)
    expect(timeOf(parse({ message: 'm', timestamp: text }))).toBe(expected)
  })

  it.each([
    '',
    'yesterday',
    '2026-11-23',
    '2026-02-31 00:00:00',
    '23/Foo/2026:02:29:20 +0000',
    '2026-11-23 02:46:20 CET',
    '2026-11-23 02:46',
    '12:30:00',
    '2026-11-23T02:46:20+99:00',
    '2026-11-23 02:46:20,'
  ])('is none in %s: a field, and invalid as our own name', text => {
    expect(parse({ message: 'm', '@timestamp': text, a: 1 })).toMatchObject({
      isServerTime: true,
      timestampNs: NOW_NS,
      fields: { '@timestamp': text }
    })
    if (text !== '') expect(refusal(parseLog({ message: 'm', timestamp: text }, check()))).toBe('invalid_field timestamp')
  })

  it('keeps nanoseconds that a double has no room for', () => {
    expect(parse(sent('{"message":"m","timestamp":1795401131.869070387}')).timestampNs).toBe(1_795_401_131_869_070_387n)
    expect(parse(sent('{"message":"m","@timestamp" : 1795401131.869070387,"ratio":1795401131.8690703}')).fields).toEqual({
      ratio: 1795401131.8690703
    })
    expect(parse(sent('{"message":"m","ts":1795401131869070387}')).timestampNs).toBe(1_795_401_131_869_070_387n)
  })

  it('is refused where a time of ours is, under the name that it has', () => {
    expect(refusal(parseLog({ message: 'm', time: '2020-01-01T00:00:00Z' }, check()))).toBe('timestamp_too_old time')
    expect(refusal(parseLog({ message: 'm', '@timestamp': '2027-01-01T00:00:00Z' }, check()))).toBe(
      'timestamp_in_future @timestamp'
    )
  })

  it('takes the first member that is one', () => {
    const log = parse({ message: 'm', time: '12ms', ts: 'soon', date: '2026-11-23T02:00:00Z' })
    expect([timeOf(log), log.fields]).toEqual(['2026-11-23T02:00:00.000000000Z', { time: '12ms', ts: 'soon' }])
  })
})

describe('what a response reports', () => {
  const reported = (logs: readonly unknown[], overrides: LogOverrides = {}) => {
    const of = check(overrides)
    const parsed = logs.map((raw, index) => {
      of.begin(index)
      return accepted<LogRecord>(parseLog(raw, of))
    })
    return { read: of.logs.reply(parsed), warnings: of.logs.warnings(of.context.logs), shown: of.logs.shownOf(0) }
  }
  const OURS = { message: 'm', timestamp: '2026-11-23T02:00:00Z', level: 'info' }

  it('is nothing for the names of this interface', () => {
    expect(reported([OURS, { message: 'm' }, { message: 'm', order: 5 }])).toEqual({ read: null, warnings: [], shown: null })
  })

  it('is how many records had which name, ours too', () => {
    const pino = { level: 30, time: 1795401131000, msg: 'm', pid: 1, name: 's' }
    const { read, warnings, shown } = reported([pino, OURS, { ...pino, time: undefined }])
    expect(read).toEqual({
      message: { msg: 2, message: 1 },
      time: { time: 1, arrival: 1, timestamp: 1 },
      level: { level: 3 },
      service: { name: 2 }
    })
    expect(warnings).toEqual([])
    expect(shown).toEqual({ message: 'msg', time: 'time', level: 'level', service: 'name' })
  })

  it('is that a time was not read, or which member may be one', () => {
    expect(reported([{ message: 'm', '@timestamp': 'soon' }]).warnings).toEqual([
      expect.stringMatching(/^1 records have no readable time .* "@timestamp"/)
    ])
    const { read, warnings } = reported([{ message: 'm', created_at: '2026-11-23T02:00:00Z' }])
    expect([read, warnings]).toEqual([
      { message: { message: 1 }, time: { arrival: 1 } },
      [expect.stringMatching(/time_field=created_at/)]
    ])
  })

  it('is that UTC was assumed', () => {
    expect(reported([{ message: 'm', timestamp: '2026-11-23 02:00:00' }]).warnings).toEqual([
      expect.stringMatching(/^1 records .* UTC.*timezone/)
    ])
    expect(reported([{ message: 'm', timestamp: '2026-11-23 02:00:00' }], { timezone: '+01:00' }).warnings).toEqual([])
  })

  it('is that a date was not taken for the time, which it cannot be', () => {
    const birth = { message: 'm', date: '1980-05-01T00:00:00Z' }
    const due = { message: 'm', datetime: '2099-01-01T00:00:00Z', created_at: '2026-11-23T02:00:00Z' }
    const { read, warnings } = reported([birth, due])
    expect([read, warnings]).toEqual([
      { message: { message: 2 }, time: { arrival: 2 } },
      [expect.stringMatching(/^2 records got the time of arrival: .*"date", "datetime".* accepted window.*time_field=date\)$/)]
    ])
    expect(reported([{ ...birth, ts: '2026-11-23T02:00:00Z' }])).toMatchObject({ read: { time: { ts: 1 } }, warnings: [] })
  })

  it('is that no record has the member that an override names', () => {
    expect(reported([OURS], { level_field: 'sev' }).warnings).toEqual(['no record has the member "sev" that level_field names'])
  })
})

describe('a date that is none of the event', () => {
  it.each<[string, object]>([
    ['a birth date', { date: '1980-05-01T00:00:00Z' }],
    ['a due date', { datetime: '2099-01-01T00:00:00Z' }],
    ['a flight', { eventTime: 4_070_908_800 }],
    ['one in an embedded record', { log: '{"msg":"m","date":"1980-05-01T00:00:00Z"}' }]
  ])('is a field: %s', (_name, raw) => {
    const log = parse({ message: 'm', ...raw })
    expect(log).toMatchObject({ isServerTime: true, timestampNs: NOW_NS })
    expect(JSON.stringify(log.fields)).toMatch(/1980|2099|4070908800/)
  })

  it('gives way to the next member that is a time', () => {
    const raw = { message: 'm', date: '1980-05-01T00:00:00Z', asctime: '2026-11-23 02:46:20,896' }
    expect(timeOf(parse(raw))).toBe('2026-11-23T02:46:20.896000000Z')
    expect(parse(raw).fields).toEqual({ date: '1980-05-01T00:00:00Z' })
  })

  it('is the time within the window, and refuses the record where the request says that it is the time', () => {
    expect(timeOf(parse({ message: 'm', date: '2026-11-23T02:00:00Z' }))).toBe('2026-11-23T02:00:00.000000000Z')
    const late = { message: 'm', date: '1980-05-01T00:00:00Z' }
    expect(refusal(parseLog(late, check({ time_field: 'date' })))).toBe('timestamp_too_old date')
  })

  it.each(['@timestamp', 'time', 'ts'])('is the time at %s, which refuses the record', name => {
    expect(refusal(parseLog({ message: 'm', [name]: '1980-05-01T00:00:00Z' }, check()))).toBe(`timestamp_too_old ${name}`)
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
    ['texts', ['a']],
    ['empty', []]
  ])('is none of %s', (_name, MESSAGE) => {
    expect(refusal(parseLog({ MESSAGE }, check()))).toBe('missing_field message')
    expect(parse({ MESSAGE, msg: 'm' }).message).toBe('m')
  })
})

describe('overrides', () => {
  it.each<[LogOverrides, object, object]>([
    [{ message_field: 'text' }, { text: 'm', message: 'other' }, { message: 'm', fields: { message: 'other' } }],
    [{ message_field: 'a.b,c' }, { c: 'm', a: { x: 1 } }, { message: 'm', fields: { a: { x: 1 } } }],
    [{ message_field: 'absent' }, { message: 'm' }, { message: 'm' }],
    [{ time_field: 'at', time_unit: 'ms' }, { message: 'm', at: 1795401131000 }, { timestampNs: 1_795_401_131_000_000_000n }],
    [
      { time_field: 'timestamp' },
      { message: 'm', date: '1999-01-01T00:00:00Z' },
      { isServerTime: true, fields: { date: '1999-01-01T00:00:00Z' } }
    ],
    [
      { timezone: 'Europe/Berlin' },
      { message: 'm', time: '2026-11-23 02:46:20' },
      { timestampNs: parseRfc3339Ns('2026-11-23T01:46:20Z')! }
    ],
    [
      { timezone: '-05:00' },
      { message: 'm', time: '2026-11-23 02:46:20' },
      { timestampNs: parseRfc3339Ns('2026-11-23T07:46:20Z')! }
    ],
    [{ level_field: 'sev' }, { message: 'm', sev: 'E', level: 'info' }, { level: 'error', fields: { level: 'info' } }],
    [{ service_field: 'a.b' }, { message: 'm', 'a.b': 's' }, { service: 's' }],
    [{ host_field: 'node' }, { message: 'm', node: 'n' }, { host: 'n' }],
    [{ trace_field: 'ctx.t' }, { message: 'm', ctx: { t: 'AB' } }, { traceId: 'ab' }],
    [{ service: 's', host: 'h' }, { message: 'm' }, { service: 's', host: 'h' }],
    [{ service: 's' }, { message: 'm', app: 'own' }, { service: 'own' }],
    [{ tags: 'env=prod, team = pay' }, { message: 'm', tags: { env: 'own' } }, { tags: { env: 'own', team: 'pay' } }],
    [
      { tag_fields: 'region,a.b' },
      { message: 'm', region: 'eu', a: { b: 1, c: 2 } },
      { tags: { region: 'eu', 'a.b': 1 }, fields: { a: { c: 2 } } }
    ],
    [{ ignore_fields: 'secret,a.b' }, { message: 'm', secret: 1, a: { b: 1, c: 2 } }, { fields: { a: { c: 2 } } }]
  ])('%j', (overrides, raw, expected) => {
    const log = parse(raw, overrides)
    expect(log).toMatchObject(expected)
    if ('fields' in expected) expect(log.fields).toEqual(expected.fields)
  })

  it.each<[LogOverrides, string]>([
    [{ time_unit: 'm' }, 'time_unit'],
    [{ timezone: 'Mars/Olympus' }, 'timezone'],
    [{ timezone: '+25:00' }, 'timezone'],
    [{ parse_message: 'yes' }, 'parse_message'],
    [{ tags: 'env' }, 'tags'],
    [{ tags: Array.from({ length: 21 }, (_, i) => `t${i}=1`).join(',') }, 'tags'],
    [{ message_field: Array.from({ length: 9 }, (_, i) => `m${i}`).join(',') }, 'message_field'],
    [{ message_field: 'a.b.c.d.e.f.g' }, 'message_field'],
    [{ ignore_fields: 'a'.repeat(129) }, 'ignore_fields'],
    [{ service: 's'.repeat(1025) }, 'service']
  ])('%j are refused by name', (overrides, field) => {
    let refused: unknown
    try {
      parseLogOverrides(overrides)
    } catch (error) {
      refused = error
    }
    expect(refused).toMatchObject({ code: 'invalid_field', field })
  })

  it('know when clocks change', () => {
    const at = (text: string): string => timeOf(parse({ message: 'm', time: text }, { timezone: 'America/New_York' }))
    expect(at('2026-11-23 02:46:20')).toBe('2026-11-23T07:46:20.000000000Z')
    const { zone } = parseLogOverrides({ timezone: 'Europe/Berlin' }).time
    expect(
      [Date.UTC(2026, 6, 1), Date.UTC(2026, 9, 25, 1, 59), Date.UTC(2026, 9, 25, 3), Date.UTC(2026, 2, 29, 3)].map(ms =>
        zone!(ms / 1000)
      )
    ).toEqual([7200, 7200, 3600, 7200])
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
  /** Scalars of a value that carry something, as texts. */
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
        const parts = [log.message, log.levelText, log.service, log.host, log.source, log.traceId, log.spanId]
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

it('recognises records alone that have a name to recognise', () => {
  expect(DEFAULT_LOG_OPTIONS.looksAtAll).toBe(false)
  expect(parse({ message: 'm', err: 'declined', name: 'x' }).fields).toEqual({ err: 'declined', name: 'x' })
})
