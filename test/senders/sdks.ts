import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Gateway, ReadSpan } from './gateway.js'
import { runSender } from './run-sender.js'

const EXAMPLE = fileURLToPath(new URL('../../examples/express-opentelemetry/', import.meta.url))
const PYTHON_SCRIPT = fileURLToPath(new URL('every_type.py', import.meta.url))
const REGISTER = ['--require', '@opentelemetry/auto-instrumentations-node/register']

/** One way of an SDK to send. */
export interface Way {
  readonly sdk: 'js' | 'python'
  readonly protocol: 'http/protobuf' | 'http/json' | 'grpc'
  readonly compression: 'none' | 'gzip'
}

/** All that the two SDKs have; Python has no JSON. */
export const WAYS: readonly Way[] = (['js', 'python'] as const).flatMap(sdk =>
  (['http/protobuf', 'http/json', 'grpc'] as const)
    .filter(protocol => sdk === 'js' || protocol !== 'http/json')
    .flatMap(protocol => (['none', 'gzip'] as const).map(compression => ({ sdk, protocol, compression })))
)

/** Only these state where and how to send. */
export function environment(
  gateway: Gateway,
  service: string,
  { protocol, compression }: Omit<Way, 'sdk'>
): Record<string, string> {
  return {
    OTEL_SERVICE_NAME: service,
    OTEL_EXPORTER_OTLP_ENDPOINT: protocol === 'grpc' ? `http://127.0.0.1:${gateway.grpcPort}` : gateway.httpUrl,
    OTEL_EXPORTER_OTLP_HEADERS: `x-api-key=${gateway.ingestKey}`,
    OTEL_EXPORTER_OTLP_PROTOCOL: protocol,
    // Python's exporter over gRPC knows no "none".
    ...(compression === 'none' ? {} : { OTEL_EXPORTER_OTLP_COMPRESSION: compression }),
    OTEL_TRACES_EXPORTER: 'otlp',
    OTEL_METRICS_EXPORTER: 'otlp',
    OTEL_LOGS_EXPORTER: 'otlp',
    OTEL_PYTHON_LOGGING_AUTO_INSTRUMENTATION_ENABLED: 'true'
  }
}

function attributesOf(marker: string, sdk: Way['sdk']): Record<string, unknown> {
  const whole = sdk === 'js' ? Number.MAX_SAFE_INTEGER : '9007199254740993'
  return { marker, text: 'ÉCLAIR 🍰', yes: true, whole, half: 0.5, strings: ['a', 'b'], wholes: [1, 2, 3], empty: '' }
}

function checkSpans(spans: readonly ReadSpan[], marker: string, { sdk }: Way, linked: string): void {
  const named = (name: string): ReadSpan => {
    const found = spans.filter(span => span.operation === name)
    assert.equal(found.length, 1, `${found.length} spans ${name}`)
    return found[0]!
  }
  const parent = named('parent')
  assert.deepEqual([parent.kind, parent.scope], ['server', { name: 'every-type', version: '1.2.3' }])
  const own = Object.fromEntries(Object.entries(parent.attributes).filter(([name]) => !name.startsWith('thread.')))
  assert.deepEqual(own, attributesOf(marker, sdk))
  assert.deepEqual(
    parent.links.map(({ trace_id: id, attributes }) => [id, attributes]),
    [[linked, { why: 'retry' }]]
  )
  const child = named('child')
  assert.deepEqual([child.kind, child.status], ['client', 'error'])
  assert.deepEqual(child.events.find(event => event.name === 'cache.miss')?.attributes, { key: 'cart:1', size: 3 })
  const exception = child.events.find(event => event.name === 'exception')
  assert.deepEqual(
    [exception?.attributes['exception.type'], exception?.attributes['exception.message']],
    ['TypeError', 'it broke']
  )
}

async function checkLog(gateway: Gateway, marker: string, way: Way): Promise<void> {
  const [log, ...more] = await gateway.logs({ filters: [{ field: 'log_fields.marker', op: 'eq', value: marker }] })
  assert.deepEqual([log?.['level'], more.length], ['error', 0], `${more.length + 1} logs of ${marker}`)
  assert.match(String(log!['trace_id']), /^[0-9a-f]{32}$/)
  if (way.sdk === 'python') return assert.equal(log!['message'], 'order 7 broke')
  assert.deepEqual(log!['log_fields'], {
    ...attributesOf(marker, 'js'),
    nested: { deep: { er: 1 } },
    body: { order: 7, lines: ['a', { b: 2 }] }
  })
}

/** Sends a value of every type in one way and reads all of it back. Throws what differs. */
export async function checkWay(gateway: Gateway, way: Way, python: string | null): Promise<void> {
  const marker = `${way.sdk}-${way.protocol}-${way.compression}`.replace('/', '-')
  const env = environment(gateway, marker, way)
  const printed =
    way.sdk === 'js'
      ? await runSender(process.execPath, [...REGISTER, 'every-type.js', marker], { cwd: EXAMPLE, env })
      : await runSender(`${python}/bin/opentelemetry-instrument`, [`${python}/bin/python`, PYTHON_SCRIPT, marker], { env })
  const linked = printed.trim().split('\n').at(-1)!
  const traces = await gateway.traces(marker)
  assert.equal(traces.size, 2, `${traces.size} traces instead of 2`)
  const parentTrace = [...traces.keys()].find(id => id !== linked)!
  checkSpans(await gateway.spans(parentTrace), marker, way, linked)
  await checkLog(gateway, marker, way)
  assert.equal((await gateway.metric('every_type_bytes_total', 'marker')).get(marker), 3)
  assert.equal((await gateway.metric('every_duration_seconds_count', 'marker')).get(marker), 1)
}

/** Requests to the Express example, each of which must be one trace with a log line next to its span. */
export async function checkExample(gateway: Gateway, requests: number, port: number): Promise<void> {
  const way = { protocol: 'http/protobuf', compression: 'gzip' } as const
  const env = { ...environment(gateway, 'shop', way), PORT: String(port) }
  const shop = spawn(process.execPath, [...REGISTER, 'server.js'], {
    cwd: EXAMPLE,
    env: { ...process.env, ...env },
    stdio: 'ignore'
  })
  const url = `http://127.0.0.1:${port}`
  while (
    !(await fetch(`${url}/price/apple`).then(
      reply => reply.ok,
      () => false
    ))
  )
    await sleep(100)
  for (let i = 0; i < requests; i++) await (await fetch(`${url}/cart/${i}?item=${i % 5 === 0 ? 'plum' : 'pear'}`)).arrayBuffer()
  // What is left is flushed when the process is signaled to end.
  const ended = once(shop, 'close')
  shop.kill('SIGTERM')
  await ended
  const traces = await gateway.traces('shop')
  const logs = await gateway.logs({ service: 'shop', query: '"cart priced"' })
  const linked = logs.filter(log => traces.has(String(log['trace_id'])))
  process.stdout.write(
    `  express: ${traces.size} traces, ${[...traces.values()].reduce((a, b) => a + b, 0)} spans, ${linked.length} of ${logs.length} logs in them\n`
  )
  assert.ok(traces.size >= requests, `${traces.size} traces of ${requests} requests`)
  assert.deepEqual([logs.length, linked.length], [requests - requests / 5, requests - requests / 5])
}
