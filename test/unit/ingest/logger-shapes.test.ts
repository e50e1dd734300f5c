import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from '@jest/globals'
import type { JsonObject } from '../../../src/domain/json.js'
import { suitePath } from '../../support/suite-path.js'
import { parse, sent, timeOf } from './parsed-logs.js'

const SHAPES = suitePath('doors/shapes')

const linesOf = (file: string): readonly Record<string, unknown>[] =>
  readFileSync(`${SHAPES}/${file}`, 'utf8')
    .split('\n')
    .filter(line => line !== '')
    .map(sent)

/** What each logger's first record states about itself; a part is null where the shape lacks it. */
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

  it.each(Object.entries(FIRST))('%s is recognized', (file, [time, service, host, isTraced]) => {
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
      'OpenTelemetry next to an outcome',
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
  ])('of %s are recognized', (_name, raw, expected) => {
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
