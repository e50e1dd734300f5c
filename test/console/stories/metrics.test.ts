import { beforeAll, expect, it } from '@jest/globals'
import { exportOf, newSpanId, newTraceId } from '../../support/otlp-spans.js'
import { describeStory } from '../support/describe-story.js'
import type { Person } from '../support/story.js'

const TRACE = newTraceId()
const SPAN = newSpanId()
const MINUTE_MS = 60_000

/** An export request with a gauge whose name has dots, and a counter with an exemplar; 30 minutes, 10 of them missing. */
function metricsOf(nowMs: number): object {
  const nanos = (ms: number): string => `${BigInt(Math.round(ms)) * 1_000_000n}`
  const minutes = Array.from({ length: 30 }, (_, index) => index).filter(index => index < 10 || index >= 20)
  const attributes = (host: string) => [{ key: 'host', value: { stringValue: host } }]
  const times = (index: number) => {
    return { startTimeUnixNano: nanos(nowMs - 40 * MINUTE_MS), timeUnixNano: nanos(nowMs - (29 - index) * MINUTE_MS) }
  }
  const gauge = ['web-1', 'web-2'].flatMap((host, at) =>
    minutes.map(index => ({ ...times(index), asDouble: 0.2 + at * 0.3 + index / 100, attributes: attributes(host) }))
  )
  const exemplar = { timeUnixNano: nanos(nowMs - MINUTE_MS), asDouble: 1, traceId: TRACE, spanId: SPAN }
  const counter = minutes.map(index => ({
    ...times(index),
    asInt: String(index * 60),
    attributes: attributes('web-1'),
    exemplars: index === 29 ? [exemplar] : []
  }))
  const metrics = [
    { name: 'process.load', gauge: { dataPoints: gauge } },
    { name: 'orders', sum: { aggregationTemporality: 2, isMonotonic: true, dataPoints: counter } }
  ]
  const resource = { attributes: [{ key: 'service.name', value: { stringValue: 'shop' } }] }
  return { resourceMetrics: [{ resource, scopeMetrics: [{ metrics }] }] }
}

describeStory('metrics', story => {
  let ada: Person
  const first = () => ada.page.getByRole('textbox', { name: 'PromQL', exact: true })
  const run = () => ada.page.getByRole('button', { name: 'Run' }).click()

  beforeAll(async () => {
    const { api, first: credentials } = story.service()
    const headers = { 'x-api-key': credentials.ingestKey }
    const span = { trace: TRACE, id: SPAN, service: 'shop', name: 'POST /orders', kind: 2, startMs: Date.now() - MINUTE_MS }
    await api('/api/v1/otlp/v1/traces', { method: 'POST', headers, json: exportOf([span]) })
    const line = 'app.requests.total'
    const metric = { service: 'shop', name: line, value: 1, timestamp_ns: `${Date.now() - 5 * MINUTE_MS}000000` }
    await api('/api/v1/apm/metrics', { method: 'POST', headers, json: metric })
    await api('/api/v1/otlp/v1/metrics', { method: 'POST', headers, json: metricsOf(Date.now()) })
    ada = await story.arrive()
  })

  it('finds metrics by name and charts one by a click', async () => {
    const { first: credentials } = story.service()
    await ada.page.goto(`/n/${credentials.namespace}/metrics`)
    await ada.signIn(credentials.email, credentials.password!)
    await ada.page.getByRole('heading', { name: 'No expression yet' }).waitFor()
    await ada.page.getByRole('searchbox', { name: 'Find metrics' }).fill('process')
    await ada.page.getByRole('button', { name: /process_load/ }).click()
    await ada.page.getByRole('figure', { name: 'Chart' }).waitFor()
    await ada.page.getByText('2 series · complete').waitFor()
    await expect(first().inputValue()).resolves.toBe('process_load')
    await ada.picture('metrics-gauge')
    await expect(ada.inspect()).resolves.toEqual([])
  })

  it('draws no value where there is no sample', async () => {
    await ada.page.getByRole('combobox', { name: 'Step' }).selectOption('1m')
    await ada.page.waitForURL(url => url.searchParams.get('step') === '1m')
    await ada.page.getByRole('button', { name: 'Show data' }).click()
    const data = ada.page.getByRole('region', { name: 'Data of Chart' })
    await data.getByRole('row', { name: /– –$/ }).first().waitFor()
    await data
      .getByRole('row', { name: / 0\.2 0\.5$/ })
      .first()
      .waitFor()
    await ada.page.getByRole('button', { name: 'Hide data' }).click()
  })

  it('writes names with dots in braces and quotes', async () => {
    await first().fill('app.requests.total')
    await run()
    await ada.page.getByRole('alert').waitFor()
    await ada.picture('metrics-error')
    await ada.page.getByRole('button', { name: 'Write {"app.requests.total"}' }).click()
    await ada.page.getByText('1 series · complete').waitFor()
    expect(new URL(ada.page.url()).searchParams.get('e')).toBe('{"app.requests.total"}')
  })

  it('completes names and labels by keyboard, also between two frames', async () => {
    // A busy browser draws no frame while a user types on.
    await ada.page.evaluate('heldFrames = requestAnimationFrame; requestAnimationFrame = () => 0')
    await first().fill('sum()')
    await first().press('ArrowLeft')
    await first().pressSequentially('proc')
    await ada.page.getByRole('option', { name: /process_load/ }).waitFor()
    await ada.picture('metrics-completion')
    await first().press('Tab')
    await expect(first().inputValue()).resolves.toBe('sum(process_load)')
    await first().pressSequentially('{ho')
    await ada.page.getByRole('option', { name: /^host 2 values/ }).waitFor()
    await first().press('Tab')
    await first().pressSequentially('="web-2"}')
    await ada.page.evaluate('requestAnimationFrame = heldFrames')
    await first().press('Enter')
    await ada.page.waitForURL(url => url.searchParams.get('e') === 'sum(process_load{host="web-2"})')
    await ada.page.getByText('1 series · complete').waitFor()
  })

  it('shows several expressions, one of them with exemplars that lead to traces', async () => {
    await ada.page.getByRole('button', { name: 'Add expression' }).click()
    await ada.page.getByRole('textbox', { name: 'PromQL 2' }).fill('rate(orders_total[5m])')
    await run()
    await ada.page.getByText('1 series · complete').nth(1).waitFor()
    await ada.page
      .getByRole('grid', { name: 'Series' })
      .getByRole('row', { name: /sum\(process_load/ })
      .waitFor()
    await ada.page.getByRole('grid', { name: 'Series' }).getByRole('row').nth(2).waitFor()
    await ada.page.getByRole('region', { name: 'Exemplars', exact: true }).getByRole('link', { name: TRACE }).waitFor()
    await ada.picture('metrics-two')
    await expect(ada.inspect()).resolves.toEqual([])
    await ada.page.getByRole('link', { name: TRACE }).click()
    await ada.page.getByRole('heading', { level: 1, name: 'shop · POST /orders' }).waitFor()
    await ada.page.goBack()
    await expect(ada.page.getByRole('textbox', { name: 'PromQL 2' }).inputValue()).resolves.toBe('rate(orders_total[5m])')
  })

  it('builds a query without PromQL', async () => {
    await ada.page.getByRole('searchbox', { name: 'Find metrics' }).fill('process')
    await ada.page.getByRole('button', { name: /process_load/ }).click()
    const builder = ada.page.getByRole('region', { name: 'Builder' })
    await builder.getByRole('combobox', { name: 'Combine' }).selectOption('max')
    await builder.getByRole('checkbox', { name: 'host' }).check()
    await builder.getByRole('combobox', { name: 'Label' }).selectOption('host')
    await builder.getByRole('combobox', { name: 'Value' }).fill('web-1')
    await ada.picture('metrics-builder')
    await expect(ada.inspect()).resolves.toEqual([])
    await builder.getByRole('button', { name: 'Show' }).click()
    await ada.page.waitForURL(url => url.searchParams.getAll('e')[0] === 'max by (host) (process_load{host="web-1"})')
  })

  it('shows what the series are made of', async () => {
    await ada.page.getByRole('button', { name: 'Cardinality' }).click()
    await ada.page
      .getByRole('table', { name: 'Series by metric' })
      .getByRole('row', { name: /process_load 2/ })
      .waitFor()
    await ada.picture('metrics-cardinality')
    await expect(ada.inspect()).resolves.toEqual([])
  })

  it('names values of the address that it cannot use', async () => {
    const { first: credentials } = story.service()
    await ada.page.goto(`/n/${credentials.namespace}/metrics?e=up&step=soon&view=x`)
    await ada.page.getByText('step=soon').waitFor()
    await ada.page.getByText('view=x').waitFor()
    await ada.page.getByRole('heading', { name: 'No series match in this window' }).waitFor()
  })

  it('passes axe in the dark theme and at 800 px', async () => {
    const { first: credentials } = story.service()
    await ada.page.goto(`/n/${credentials.namespace}/metrics?e=process_load`)
    await ada.page.getByRole('figure', { name: 'Chart' }).waitFor()
    await ada.chooseTheme('Dark')
    await expect(ada.inspect()).resolves.toEqual([])
    await ada.picture('metrics-dark')
    await ada.page.setViewportSize({ width: 800, height: 900 })
    await ada.picture('metrics-narrow')
    expect(ada.faults).toEqual([])
  })
})
