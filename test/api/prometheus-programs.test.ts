import { writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { describeWithProgram, outputOf, type RunningProgram, startProgram } from '../support/programs.js'
import { prometheusData } from '../support/prometheus-api.js'
import { type RunningService, startService } from '../support/running-service.js'
import { openTempFolder } from '../support/temp-folder.js'
import { openWriteRelay, type RelayedWrite, type WriteRelay } from '../support/write-relay.js'

// Programs of other projects against the service: promtool queries, Prometheus and vmagent send.

const MAX_RETRY_MS = 60_000
const TRACE = '5bf92f3577b34da6a3ce929d0e0e4736'

let service: RunningService
let exporter: Server
let session: { readonly authorization: string }
beforeAll(async () => {
  service = await startService()
  session = await service.login()
  exporter = createServer((_request, response) => {
    const text = [
      '# HELP shop_orders Orders taken.',
      '# TYPE shop_orders counter',
      `shop_orders_total{till="1"} 5 # {trace_id="${TRACE}"} 2 ${Date.now() / 1000}`,
      '# EOF\n'
    ]
    response.setHeader('content-type', 'application/openmetrics-text; version=1.0.0; charset=utf-8').end(text.join('\n'))
  })
  await new Promise<void>(resolve => exporter.listen(0, '127.0.0.1', resolve))
})
afterAll(async () => {
  await service?.close()
  exporter?.closeAllConnections()
  exporter?.close()
})

const requested = (endpoint: string, params: Record<string, string>) => prometheusData(service, session, endpoint, params)

/** Scrapes the service itself and the exporter each second; `extra` is at the top level of the file. */
function scrapeConfig(extra: readonly string[] = []): string {
  const job = (name: string, address: string): readonly string[] => [
    `  - job_name: ${name}`,
    `    static_configs: [{ targets: ['${address}'] }]`
  ]
  const { port } = exporter.address() as AddressInfo
  return [
    'global: { scrape_interval: 1s }',
    'scrape_configs:',
    ...job('service', new URL(service.url).host),
    ...job('exporter', `127.0.0.1:${port}`),
    ...extra,
    ''
  ].join('\n')
}

async function oneSampleOf(query: string): Promise<unknown> {
  const { result } = (await requested('query', { query })) as { result: readonly { value: readonly [number, string] }[] }
  return result.map(({ value }) => value[1])
}

/**
 * Around the cases of a block a program runs that scrapes, and writes to the service through a relay; `argsFor` writes its
 * configuration into a folder. Returns the first write that is as expected; rejects when the program ends by itself.
 */
function writesOf(
  path: string,
  argsFor: (folder: string, url: string) => Promise<readonly string[]>
): (isRequested: Parameters<WriteRelay['first']>[0]) => Promise<RelayedWrite> {
  let folder: Awaited<ReturnType<typeof openTempFolder>>
  let relay: WriteRelay
  let running: RunningProgram
  beforeAll(async () => {
    folder = await openTempFolder()
    relay = await openWriteRelay(`${service.url}/api/v1/write`)
    running = startProgram(path, await argsFor(folder.path, relay.url))
  }, MAX_RETRY_MS)
  afterAll(async () => {
    await running?.stop()
    await relay?.close()
    await folder?.remove()
  })
  return isRequested => Promise.race([relay.first(isRequested), running.failed])
}

describeWithProgram('promtool', 'promtool', path => {
  let server: string
  beforeAll(async () => {
    const made = await service.api('/api/v1/keys', {
      method: 'POST',
      headers: session,
      json: { name: 'promtool', kind: 'query' }
    })
    const url = new URL('/api/v1/prometheus', service.url)
    url.username = 'promtool'
    url.password = String(made.json['key'] ?? made.json['secret'])
    server = url.href
    const lines = [3, 2, 1].map(ago => `tool_seen{job="x"} ${4 - ago} ${Date.now() - ago * 1000}\n`)
    const sent = await service.api('/api/v1/import/prometheus', {
      method: 'POST',
      headers: { 'x-api-key': service.first.ingestKey, 'content-type': 'text/plain' },
      body: lines.join('')
    })
    expect(sent.status).toBe(200)
  })

  it('queries one time', async () => {
    expect(await outputOf(path, ['query', 'instant', server, 'tool_seen'])).toMatch(/^tool_seen\{job="x"\} => 3 @\[\d+/)
  })

  it('queries a range', async () => {
    const output = await outputOf(path, ['query', 'range', '--step=1s', server, 'max_over_time(tool_seen[1h])'])
    expect(output).toMatch(/^\{job="x"\} =>\n(?:\d+ @\[[\d.]+\]\n)+/)
  })

  it('lists series and values of labels', async () => {
    expect(await outputOf(path, ['query', 'series', server, '--match=tool_seen'])).toBe('{__name__="tool_seen", job="x"}\n')
    expect(await outputOf(path, ['query', 'labels', server, 'job'])).toContain('x\n')
  })

  it('reports what was wrong with a query', async () => {
    await expect(outputOf(path, ['query', 'instant', server, 'sum('])).rejects.toThrow(/bad_data/)
  })
})

describeWithProgram('prometheus', 'Prometheus', path => {
  const firstWrite = writesOf(path, async (folder, url) => {
    const config = join(folder, 'prometheus.yml')
    const remote = [
      'remote_write:',
      `  - url: ${url}`,
      '    send_exemplars: true',
      `    authorization: { credentials: ${service.first.ingestKey} }`,
      '    queue_config: { batch_send_deadline: 1s }',
      '    metadata_config: { send: true, send_interval: 1s }'
    ]
    await writeFile(config, scrapeConfig(remote))
    return [
      `--config.file=${config}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      '--web.listen-address=127.0.0.1:0',
      '--enable-feature=exemplar-storage'
    ]
  })

  it(
    'writes what it scrapes: samples, exemplars, type and help',
    async () => {
      const samplesOf = (name: string) => firstWrite(({ samples, has }) => samples > 0 && has(name))
      expect(await samplesOf('shop_orders_total')).toMatchObject({ status: 204, text: '' })
      expect(await samplesOf('alidade_build_info')).toMatchObject({ status: 204, text: '' })
      expect(await firstWrite(({ exemplars, has }) => exemplars > 0 && has(TRACE))).toMatchObject({ status: 204 })
      expect(await firstWrite(({ isMetadata, has }) => isMetadata && has('Orders taken.'))).toMatchObject({ status: 204 })
      expect(await oneSampleOf('shop_orders_total{job="exporter",till="1"}')).toEqual(['5'])
      expect(await oneSampleOf('count(alidade_build_info{job="service"})')).toEqual(['1'])
      interface Exemplars {
        readonly seriesLabels: object
        readonly exemplars: readonly object[]
      }
      const series = (await requested('query_exemplars', { query: 'shop_orders_total' })) as readonly Exemplars[]
      expect(series.map(({ seriesLabels }) => seriesLabels)).toMatchObject([{ till: '1' }])
      // Each scrape writes the exemplar at its own time.
      expect(series[0]!.exemplars.length).toBeGreaterThan(0)
      for (const exemplar of series[0]!.exemplars) expect(exemplar).toMatchObject({ labels: { trace_id: TRACE }, value: '2' })
      const facts = { type: 'counter', help: 'Orders taken.', unit: '' }
      expect(Object.values((await requested('metadata', {})) as object)).toContainEqual([facts])
    },
    MAX_RETRY_MS
  )
})

describeWithProgram('vmagent', 'vmagent', path => {
  const firstWrite = writesOf(path, async (folder, url) => {
    const config = join(folder, 'scrape.yml')
    await writeFile(config, scrapeConfig())
    return [
      `-promscrape.config=${config}`,
      `-remoteWrite.url=${url}`,
      `-remoteWrite.bearerToken=${service.first.ingestKey}`,
      `-remoteWrite.tmpDataPath=${join(folder, 'queue')}`,
      '-remoteWrite.label=via=vmagent',
      '-httpListenAddr=127.0.0.1:0'
    ]
  })

  it(
    'writes what it scrapes',
    async () => {
      expect(await firstWrite(({ samples }) => samples > 0)).toMatchObject({ status: 204, text: '' })
      expect(await oneSampleOf('count(up{via="vmagent"}) > 0')).toHaveLength(1)
    },
    MAX_RETRY_MS
  )
})
