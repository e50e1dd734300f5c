import { describe, expect, it } from '@jest/globals'
import type { FileSource, LineFormat } from '../../agent/src/config/config.js'
import { parseConfig } from '../../agent/src/config/load-config.js'
import { batchBody } from '../../agent/src/deliver/batch-body.js'
import { eachItem } from '../../agent/src/parse/each-item.js'
import { parseCri } from '../../agent/src/parse/cri.js'
import { parseLogfmt } from '../../agent/src/parse/logfmt.js'
import { itemsOfLines } from './items-of-lines.js'

const SEALED_MS = Date.UTC(2026, 0, 2)

function itemsOf(format: LineFormat, contents: readonly string[], source: Partial<FileSource> = {}) {
  const file = {
    path: '/a',
    service: null,
    startAt: 'end',
    exclude: [],
    level: null,
    tags: {},
    multiline: null,
    ...source,
    format
  } as const
  const lines = contents.map(text => ({ text, bytes: text.length + 1, isTruncated: false, isPartial: false }))
  return itemsOfLines(lines, file, SEALED_MS)
}

interface Body {
  readonly stream: Readonly<Record<string, unknown>>
  readonly defaults: Readonly<Record<string, unknown>>
  readonly logs: readonly object[]
}

/** The body of a batch of one line, which ends at `to`. */
function bodyOf(
  format: LineFormat,
  {
    to,
    isPartial,
    path = '/a',
    service = null,
    tags = {}
  }: { readonly to: number; readonly isPartial: boolean } & Partial<FileSource>
): Body {
  const none = { bytes: 0, sum: '' }
  const place = { dev: 1, ino: 1, bornMs: 1, offset: 0, nextLine: 1, nextSeq: 1, sealedAtMs: 0, endedAtMs: null }
  const record = { id: 's', pattern: '/a', path, head: none, anchor: none, pin: null, ...place }
  const pin = { seq: 1, from: 0, to, firstLine: 1, lines: 1, sealedAtMs: SEALED_MS, sum: '', gap: null, end: null }
  const lines = [{ text: 'a', bytes: to, isTruncated: false, isPartial }]
  const options = { path: '/a', service, exclude: [], level: null, tags, multiline: null }
  const source = { ...options, startAt: 'end', format } as const
  const body = batchBody({ record, pin, lines, source, anchor: none }, parseConfig('agent:\n  api_key: k\n'), 'h')
  return JSON.parse(body.toString()) as Body
}

describe('a line of logfmt', () => {
  it('is read as Go loggers write it', () => {
    expect(parseLogfmt('time=2026-01-01T00:00:00.5Z level=WARN msg="card \\"visa\\" refused" order=7 took=1.5s retry')).toEqual({
      message: 'card "visa" refused',
      timestamp: '2026-01-01T00:00:00.5Z',
      level: 'WARN',
      fields: { order: 7, took: '1.5s', retry: true }
    })
  })

  it('is the message itself where it names none, and keeps what is not usable', () => {
    expect(parseLogfmt('ts=1700000000 level=17 status=500 path=/a?b=c id=007 msg=""')).toEqual({
      message: 'ts=1700000000 level=17 status=500 path=/a?b=c id=007 msg=""',
      fields: { ts: 1_700_000_000, level: 17, status: 500, path: '/a?b=c', id: '007', msg: '' }
    })
  })

  it('has the ids of a trace', () => {
    const [trace, span] = ['4bf92f3577b34da6a3ce929d0e0e4736', '00f067aa0ba902b7']
    expect(parseLogfmt(`msg=a traceID=${trace} span_id=${span}`)).toEqual({ message: 'a', traceId: trace, spanId: span })
  })

  it.each(['', 'plain words', 'a="open', 'a=b"c', '=b', '"a"=b'])('is not %j', line => {
    expect(parseLogfmt(line)).toBeNull()
  })
})

describe('a line of a container runtime', () => {
  it('has its time and its output, and is marked where it is a part', () => {
    expect(parseCri('2026-01-01T00:00:00.123456789Z stdout F hello  world')).toEqual({
      message: 'hello  world',
      timestamp: '2026-01-01T00:00:00.123456789Z',
      fields: { stream: 'stdout' }
    })
    expect(parseCri('2026-01-01T00:00:00+02:00 stderr P half')).toMatchObject({ fields: { stream: 'stderr', _partial: true } })
  })

  it.each(['hello', '2026-01-01T00:00:00Z stdlog F a', '2026-13-01T00:00:00Z stdout F a'])('is not %j', line => {
    expect(parseCri(line)).toBeNull()
  })
})

describe('a blank line of a container', () => {
  it('is not a record', () => {
    const time = '2026-01-01T00:00:00Z'
    const values = [`${time} stdout F `, `${time} stdout F a`, `${time} stderr P `, `${time} stderr F b`]
    const lines = values.map(text => ({ text, bytes: text.length + 1, isTruncated: false, isPartial: false }))
    const options = { path: '/a', service: null, exclude: [], level: null, tags: {}, multiline: null }
    const messages = (format: 'cri' | 'docker') =>
      itemsOfLines(lines, { ...options, startAt: 'end', format }, SEALED_MS).map(({ message }) => message)
    expect([messages('cri'), messages('docker')]).toEqual([
      ['a', 'b'],
      ['a', 'b']
    ])
  })
})

describe('the records of lines', () => {
  it('have the time of reading where a line has none, and keep their order', () => {
    expect(itemsOf('logfmt', ['msg=a', '', 'free text'])).toEqual([
      { message: 'a', timestamp: '2026-01-02T00:00:00.000000000Z', log_fields: { _read_time: true } },
      { message: 'free text', timestamp: '2026-01-02T00:00:00.000000002Z', log_fields: { _read_time: true } }
    ])
  })

  it('have no time of their own where the service reads it from JSON', () => {
    expect(itemsOf('json', ['{"msg":"a"}', 'no JSON'])).toEqual([
      { message: '{"msg":"a"}' },
      { message: 'no JSON', timestamp: '2026-01-02T00:00:00.000000001Z', log_fields: { _read_time: true } }
    ])
  })

  it('have the program of syslog as service, or as field where the configuration names a service', () => {
    const line = '2026-01-01T00:00:00Z web-1 sshd[7]: closed'
    expect(itemsOf('syslog', [line])).toMatchObject([{ service: 'sshd', host: 'web-1', log_fields: { pid: '7' } }])
    const [item] = itemsOf('syslog', [line], { service: 'system' })
    expect([item!.service, item!.log_fields]).toEqual([undefined, { app: 'sshd', pid: '7' }])
  })
})

describe('plain lines', () => {
  it('have the time of reading, which is stated once for the batch', () => {
    expect(itemsOf('plain', ['a', '', 'b'])).toEqual([
      { message: 'a', timestamp: '2026-01-02T00:00:00.000000000Z' },
      { message: 'b', timestamp: '2026-01-02T00:00:00.000000002Z' }
    ])
    const defaultsOf = (format: LineFormat): unknown => {
      const { defaults, logs } = bodyOf(format, { to: 2, isPartial: true })
      return [defaults['log_fields'], logs]
    }
    const item = { message: 'a', timestamp: '2026-01-02T00:00:00.000000000Z' }
    expect(defaultsOf('plain')).toEqual([{ _read_time: true }, [{ ...item, log_fields: { _partial: true } }]])
    expect(defaultsOf('json')).toEqual([undefined, [{ ...item, log_fields: { _read_time: true, _partial: true } }]])
  })

  it('are sent also after a skipped rest of gigabytes', () => {
    const { stream, logs } = bodyOf('plain', { to: 8 * 1024 ** 3, isPartial: false })
    expect(stream['to']).toBe(8_589_934_592)
    expect(logs).toHaveLength(1)
  })
})

it('states how many lines are not of the format of their file', () => {
  const contents = ['<13>1 2026-01-01T00:00:00Z web app - - - started', 'a=b', 'words', '']
  const unparsed = (format: LineFormat): number => {
    const lines = contents.map(text => ({ text, bytes: text.length + 1, isTruncated: false, isPartial: false }))
    const source = {
      path: '/a',
      service: null,
      startAt: 'end',
      exclude: [],
      level: null,
      tags: {},
      multiline: null,
      format
    } as const
    return eachItem(lines, source, SEALED_MS, () => undefined)
  }
  expect((['plain', 'syslog', 'logfmt', 'cri', 'json'] as const).map(unparsed)).toEqual([0, 2, 2, 3, 3])
})

describe('a file of a container of Kubernetes', () => {
  const ofFile = (path: string, source: Partial<FileSource> = {}, format: LineFormat = 'cri') =>
    bodyOf(format, { to: 2, isPartial: false, path, ...source }).defaults
  const TAGS = {
    'k8s.namespace.name': 'shop',
    'k8s.pod.name': 'web-7d4b9c-x2x',
    'k8s.container.name': 'nginx'
  }

  it('has the names that are in its path', () => {
    const path = '/var/log/pods/shop_web-7d4b9c-x2x_0f3a-11/nginx/3.log'
    expect(ofFile(path)).toMatchObject({
      service: 'nginx',
      tags: { ...TAGS, 'k8s.pod.uid': '0f3a-11', 'k8s.container.restart_count': '3', 'log.file.path': path }
    })
    expect(ofFile(`/host${path}.20260101-000000`)).toMatchObject({ service: 'nginx', tags: TAGS })
    const link = `/var/log/containers/web-7d4b9c-x2x_shop_nginx-${'0a'.repeat(32)}.log`
    expect(ofFile(link)).toMatchObject({ service: 'nginx', tags: { ...TAGS, container: '0a0a0a0a0a0a' } })
  })

  it('keeps what the configuration has', () => {
    const source = { service: 'front', tags: { 'k8s.container.name': 'mine' } }
    const path = '/var/log/pods/shop_web_0f/nginx/3.log'
    expect(ofFile(path, source)).toMatchObject({
      service: 'front',
      tags: { 'k8s.container.name': 'mine', 'k8s.pod.name': 'web' }
    })
  })

  it('has none in another path or format', () => {
    const path = '/var/log/pods/shop_web_0f/nginx/3.log'
    for (const defaults of [ofFile('/var/log/a_b_c/nginx/3.log'), ofFile('/srv/pods/a.log'), ofFile(path, {}, 'plain')]) {
      expect(defaults).not.toHaveProperty('service')
      expect(Object.keys(defaults['tags'] as object)).toEqual(['log.file.path'])
    }
  })
})
