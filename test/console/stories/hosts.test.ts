import { beforeAll, expect, it } from '@jest/globals'
import { type HostPoint, hostPoints, rising } from '../../support/host-points.js'
import { exportOf, newTraceId } from '../../support/otlp-spans.js'
import { describeStory } from '../support/describe-story.js'
import type { Person } from '../support/story.js'

const MINUTE_MS = 60_000
const SAMPLES = 40
const HOSTILE = '<img src=x onerror=alert(1)>'

/** A gauge of the last ten minutes. */
function wave(name: string, middle: number, labels: Readonly<Record<string, string>> = {}): readonly HostPoint[] {
  return Array.from({ length: SAMPLES }, (_, i) => ({
    ...{ name, labels, ageMs: (SAMPLES - 1 - i) * 15_000 },
    value: Number((middle + 6 * Math.sin(i / 4)).toFixed(2))
  }))
}

function pointsOf(cpu: number, disk: number): readonly HostPoint[] {
  return [
    ...wave('system.cpu.usage_percent', cpu),
    ...wave('system.memory.usage_percent', 62),
    ...wave('system.disk.usage_percent', disk, { mountpoint: '/', device: 'sda1' }),
    ...wave('system.disk.usage_percent', 31, { mountpoint: '/data', device: 'sdb1' }),
    ...rising('system.network.io', 240_000, { direction: 'receive', device: 'eth0' }),
    ...rising('system.network.io', 90_000, { direction: 'transmit', device: 'eth0' }),
    ...rising('container.cpu.time', 0.4, { container: 'db', image: 'postgres:17' }),
    { name: 'container.memory.usage', value: 4e8, labels: { container: 'db', image: 'postgres:17' } },
    { name: 'process.cpu.utilization', value: 0.2, labels: { process: 'node', user: 'app' } }
  ]
}

describeStory('from a busy host to its logs and services', story => {
  let ada: Person

  beforeAll(async () => {
    const { first } = story.service()
    ada = await story.arrive()
    await ada.page.goto(`/n/${first.namespace}/hosts`)
    await ada.signIn(first.email, first.password!)
  })

  it('reports how to send a host when the list is empty', async () => {
    await ada.page.getByRole('heading', { level: 1, name: 'Infrastructure' }).waitFor()
    await ada.page.getByRole('heading', { name: 'Nothing yet: no host has sent anything' }).waitFor()
    await ada.page
      .getByRole('region', { name: 'Collector' })
      .getByText(/hostmetrics/)
      .waitFor()
    await ada.picture('hosts-empty')
    await expect(ada.inspect()).resolves.toEqual([])
  })

  it('lists hosts with their usage when they arrive', async () => {
    const service = story.service()
    const headers = { 'x-api-key': service.first.ingestKey }
    const send = (path: string, json: object) => service.api(path, { method: 'POST', headers, json })
    const metrics = [
      ...hostPoints('node-5', pointsOf(81, 94)),
      ...hostPoints('node-6', pointsOf(24, 41)),
      ...hostPoints('node-9', [{ name: 'system.cpu.usage_percent', value: 3, ageMs: 3 * 24 * 60 * MINUTE_MS }])
    ]
    await send('/api/v1/ingest/batch', { metrics })
    const resource = { 'host.name': 'node-5', 'host.arch': 'amd64', 'os.description': 'Debian GNU/Linux 13' }
    const spans = Array.from({ length: 20 }, (_, i) => ({
      ...{ trace: newTraceId(), startMs: Date.now() - (i + 1) * 10_000, service: 'payment', name: 'charge', kind: 2 },
      ...{ tookMs: 40 + i, isError: i === 3, resource }
    }))
    await send('/api/v1/otlp/v1/traces', exportOf(spans))
    const logs = ['node-5', HOSTILE].map(host => ({ message: `disk of ${host} is nearly full`, level: 'warn', host }))
    await send('/api/v1/logs/batch?ack=searchable', { logs })
    await service.settle()
    await ada.page.getByRole('button', { name: 'Refresh' }).click()
    const hosts = ada.page.getByRole('grid', { name: 'Hosts' })
    const busy = hosts.getByRole('row', { name: /node-5/ })
    await busy.getByRole('gridcell').nth(4).getByText(/^9\d/).waitFor()
    await expect(hosts.getAttribute('aria-rowcount')).resolves.toBe('5')
    await hosts.getByRole('row', { name: /node-9 gone/ }).waitFor()
    await hosts.getByText(HOSTILE).waitFor()
    await ada.page
      .getByRole('status', { name: 'Result' })
      .getByText(/4 hosts · complete/)
      .waitFor()
    await ada.picture('hosts')
    await expect(ada.inspect()).resolves.toEqual([])
  })

  it('finds hosts by a part of their name and by state, and Back undoes it', async () => {
    const hosts = ada.page.getByRole('grid', { name: 'Hosts' })
    await ada.page.getByRole('searchbox', { name: 'Find a host' }).fill('NODE-6')
    await ada.page.getByRole('button', { name: 'Search', exact: true }).click()
    await ada.page.waitForURL(url => url.searchParams.get('q') === 'NODE-6')
    await hosts.getByRole('row', { name: /node-5/ }).waitFor({ state: 'detached' })
    await ada.page.getByRole('button', { name: 'gone' }).click()
    await ada.page.getByRole('heading', { name: 'No host with "NODE-6" in its name' }).waitFor()
    await ada.page.goBack()
    await hosts.getByRole('row', { name: /node-6/ }).waitFor()
    await ada.page.goBack()
    await hosts.getByRole('row', { name: /node-5/ }).waitFor()
  })

  it('opens a host by keyboard, with its charts, services and logs', async () => {
    const hosts = ada.page.getByRole('grid', { name: 'Hosts' })
    await hosts.focus()
    await ada.page.keyboard.press('Home')
    await ada.page.keyboard.press('j')
    await ada.page.keyboard.press('Enter')
    await ada.page.getByRole('heading', { level: 1, name: 'node-5' }).waitFor()
    await ada.page
      .getByRole('region', { name: 'Host' })
      .getByText(/Debian GNU\/Linux 13/)
      .waitFor()
    for (const name of ['CPU', 'Memory', 'Disk', 'Network'])
      await ada.page.getByRole('figure', { name }).locator('canvas').waitFor()
    const network = ada.page.getByRole('figure', { name: 'Network' })
    await network.getByRole('button', { name: 'Show data' }).click()
    await network.getByRole('columnheader', { name: 'receive' }).waitFor()
    await network.getByRole('button', { name: 'Hide data' }).click()
    await ada.page
      .getByRole('table', { name: 'Containers' })
      .getByRole('row', { name: /db postgres:17/ })
      .waitFor()
    await ada.page.getByRole('table', { name: 'Services of the host' }).getByRole('link', { name: 'payment' }).waitFor()
    await ada.page.getByRole('region', { name: 'Logs' }).getByText('disk of node-5 is nearly full').waitFor()
    await ada.picture('host')
    await expect(ada.inspect()).resolves.toEqual([])
  })

  it('leads to the logs of the host and to its service, and back', async () => {
    await ada.page.getByRole('link', { name: 'Open logs' }).click()
    await ada.page.waitForURL(url => url.searchParams.get('host') === 'node-5')
    await ada.page.getByRole('grid', { name: 'Logs' }).getByText('disk of node-5 is nearly full').waitFor()
    await ada.page.goBack()
    await ada.page.getByRole('table', { name: 'Services of the host' }).getByRole('link', { name: 'payment' }).click()
    await ada.page.getByRole('figure', { name: 'Latency' }).locator('canvas').waitFor()
    const cursor = ada.page.getByRole('figure', { name: 'Latency' }).getByRole('slider', { name: 'Time cursor' })
    await expect(cursor.getAttribute('aria-valuetext')).resolves.toMatch(/p50 .*p95 .*p99 /)
    await ada.picture('service-latency')
    await ada.page.goBack()
    await ada.page.getByRole('heading', { level: 1, name: 'node-5' }).waitFor()
  })

  it('reports for a wrong name that nothing names the host, and for a failure which panel failed', async () => {
    const { first } = story.service()
    await ada.page.goto(`/n/${first.namespace}/hosts/absent`)
    await ada.page.getByRole('heading', { name: 'Nothing names this host' }).waitFor()
    await ada.page.getByText(/No system\.\* metrics of this host/).waitFor()
    await ada.picture('host-unknown')
    await ada.page.route('**/graphql', async route => {
      if (!route.request().postData()!.includes('HostCharts')) return route.continue()
      const errors = [{ message: 'the query took longer than 30 s', extensions: { code: 'query_timeout' } }]
      return route.fulfill({ status: 200, json: { data: null, errors } })
    })
    await ada.page.goto(`/n/${first.namespace}/hosts/node-5`)
    await ada.page.getByRole('region', { name: 'Usage' }).getByRole('alert').getByRole('button', { name: 'Retry' }).waitFor()
    await ada.page.getByRole('table', { name: 'Services of the host' }).waitFor()
    await ada.picture('host-failed')
    await ada.page.unroute('**/graphql')
    await ada.page.getByRole('region', { name: 'Usage' }).getByRole('button', { name: 'Retry' }).click()
    await ada.page.getByRole('figure', { name: 'CPU' }).locator('canvas').waitFor()
  })

  it('names a bad value of the address and shows all hosts', async () => {
    const { first } = story.service()
    await ada.page.goto(`/n/${first.namespace}/hosts?status=asleep`)
    await ada.page.getByText(/status=asleep/).waitFor()
    await ada.page
      .getByRole('grid', { name: 'Hosts' })
      .getByRole('row', { name: /node-9/ })
      .waitFor()
  })

  it('reports why a list is incomplete', async () => {
    await ada.page.route('**/graphql', async route => {
      if (!route.request().postData()!.includes('HostRows')) return route.continue()
      const response = await route.fetch()
      const body = (await response.json()) as { data: { hostPage: { total: { exact: boolean }; stats: object } } }
      const detail = 'the response has only 1000 hosts of logs; there are more'
      const remedy = 'Add a condition, shorten the window, or request a larger limit.'
      body.data.hostPage.total.exact = false
      const cuts = [{ kind: 'CAP', detail, remedy }]
      Object.assign(body.data.hostPage.stats, { complete: false, warnings: [detail], cuts })
      return route.fulfill({ response, json: body })
    })
    await ada.page.getByRole('button', { name: 'Refresh' }).click()
    const result = ada.page.getByRole('status', { name: 'Result' })
    await result.getByText(/at least 4 hosts · Incomplete: the response has only 1000 hosts of logs/).waitFor()
    await ada.picture('hosts-partial')
    await expect(ada.inspect()).resolves.toEqual([])
    await ada.page.getByRole('button', { name: 'Why is this cut?' }).click()
    const dialog = ada.page.getByRole('dialog', { name: 'Why is this cut?' })
    await dialog.getByText('Add a condition').waitFor()
    await dialog.getByRole('button', { name: 'Close' }).click()
    await ada.page.unroute('**/graphql')
    await ada.page.getByRole('button', { name: 'Refresh' }).click()
    await result.getByText(/^4 hosts · complete/).waitFor()
  })

  it('lists no listeners yet and states what changes it', async () => {
    await ada.page.keyboard.press('g')
    await ada.page.keyboard.press('s')
    await ada.page.getByRole('heading', { level: 1, name: 'Services' }).waitFor()
    await ada.page.getByRole('heading', { name: 'Nothing yet: no agent has reported a listening port' }).waitFor()
    await expect(ada.page.getByRole('grid', { name: 'Listeners' }).getAttribute('aria-rowcount')).resolves.toBe('1')
    await ada.page
      .getByRole('region', { name: 'Agent' })
      .getByText(/export SERVICE_URL='http:/)
      .waitFor()
    await ada.picture('listeners')
    await expect(ada.inspect()).resolves.toEqual([])
  })

  it('lists the listeners that an agent reports, those that closed as gone, and leads to their host', async () => {
    const service = story.service()
    const socket = (port: number, process: string) => ({ protocol: 'tcp', address: '0.0.0.0', port, process })
    const containers = [{ id: '0123456789ab', name: 'cache', image: 'redis:8', service: 'payment', state: 'paused' }]
    const report = async (listeners: readonly object[]): Promise<void> => {
      const agent = { version: '0.1.0', started_at: new Date().toISOString(), sources: [] }
      const json = { name: 'node-5', interval_s: 60, kernel: '6.12.7', agent, listeners, containers }
      const headers = { 'x-api-key': service.first.ingestKey }
      expect((await service.api('/api/v1/hosts/machine-5', { method: 'PUT', headers, json })).status).toBe(200)
    }
    await report([
      { ...socket(5432, 'postgres'), command: 'postgres -D /data' },
      { ...socket(8080, HOSTILE), service: 'payment' }
    ])
    await report([{ ...socket(8080, HOSTILE), service: 'payment' }])
    await ada.page.getByRole('button', { name: 'Refresh' }).click()
    const listeners = ada.page.getByRole('grid', { name: 'Listeners' })
    await listeners.getByRole('row', { name: /node-5 gone 0\.0\.0\.0 5432 tcp postgres/ }).waitFor()
    await listeners.getByRole('row', { name: /node-5 active 0\.0\.0\.0 8080 tcp .* payment/ }).waitFor()
    await listeners.getByText(HOSTILE).waitFor()
    await listeners.getByTitle('postgres -D /data').waitFor()
    await ada.page
      .getByRole('status', { name: 'Result' })
      .getByText(/^2 listeners · complete/)
      .waitFor()
    await ada.picture('listeners-found')
    await expect(ada.inspect()).resolves.toEqual([])
    await listeners.getByRole('link', { name: 'node-5' }).first().click()
    await ada.page
      .getByRole('region', { name: 'Host' })
      .getByText(/6\.12\.7 · agent 0\.1\.0/)
      .waitFor()
    await ada.page
      .getByRole('table', { name: 'Containers' })
      .getByRole('row', { name: /cache redis:8 payment paused/ })
      .waitFor()
    await ada.page.keyboard.press('g')
    await ada.page.keyboard.press('h')
    await ada.page.getByRole('heading', { level: 1, name: 'Infrastructure' }).waitFor()
  })

  it('passes axe in the dark theme, also on a narrow screen', async () => {
    await ada.page
      .getByRole('grid', { name: 'Hosts' })
      .getByRole('row', { name: /node-5/ })
      .waitFor()
    await ada.chooseTheme('Dark')
    await ada.picture('hosts-dark')
    await expect(ada.inspect()).resolves.toEqual([])
    await ada.page.getByRole('link', { name: 'node-5' }).click()
    await ada.page.getByRole('figure', { name: 'Network' }).locator('canvas').waitFor()
    await ada.picture('host-dark')
    await ada.page.setViewportSize({ width: 800, height: 900 })
    await ada.picture('host-dark-800')
    await expect(ada.inspect()).resolves.toEqual([])
    await ada.page.goBack()
    await ada.page
      .getByRole('grid', { name: 'Hosts' })
      .getByRole('row', { name: /node-5/ })
      .waitFor()
    await ada.picture('hosts-dark-800')
    await expect(ada.inspect()).resolves.toEqual([])
  })

  it('loads nothing from elsewhere and violates no policy', () => {
    expect(ada.faults).toEqual([])
  })
})
