import { beforeAll, expect, it } from '@jest/globals'
import { exportOf, newSpanId, newTraceId } from '../../support/otlp-spans.js'
import { describeStory } from '../support/describe-story.js'
import type { Person } from '../support/story.js'

const MINUTE_MS = 60_000

describeStory('measures of a search', story => {
  let ada: Person
  const parameter = (key: string): string | null => new URL(ada.page.url()).searchParams.get(key)
  const chart = () => ada.page.getByRole('figure', { name: 'Measure over time' })
  const groups = () => ada.page.getByRole('table', { name: 'Measured groups' })
  const row = (name: RegExp): Promise<void> => groups().getByRole('row', { name }).waitFor()

  beforeAll(async () => {
    const { api, first } = story.service()
    const headers = { 'x-api-key': first.ingestKey }
    const nowMs = Date.now()
    const logs = Array.from({ length: 240 }, (_, i) => ({
      message: `order ${i}`,
      service: i % 4 === 0 ? 'payment' : 'cart',
      timestamp: new Date(nowMs - (2 + i / 5) * MINUTE_MS).toISOString(),
      log_fields: { ms: i % 4 === 0 ? 900 : 100 }
    }))
    await api('/api/v1/logs/batch?ack=searchable', { method: 'POST', headers, json: { logs } })
    const spans = Array.from({ length: 30 }, (_, i) => ({
      ...{ trace: newTraceId(), id: newSpanId(), service: 'shop', name: i % 3 === 0 ? 'POST /pay' : 'GET /cart', kind: 2 },
      ...{ startMs: nowMs - (2 + i) * MINUTE_MS, tookMs: i % 3 === 0 ? 2_000 : 250, isError: false }
    }))
    await api('/api/v1/otlp/v1/traces', { method: 'POST', headers, json: exportOf(spans) })
    ada = await story.arrive()
    await ada.page.goto(`/n/${first.namespace}/logs`)
    await ada.signIn(first.email, first.password!)
    await ada.page.getByRole('grid', { name: 'Logs' }).waitFor()
  })

  it('are the number of logs at first, and any function of any field by a click and two words', async () => {
    await ada.page.getByRole('button', { name: 'Measure', exact: true }).click()
    await row(/^all 240$/)
    for (const name of ['Wrap', 'Columns']) await ada.page.getByRole('button', { name }).waitFor({ state: 'detached' })
    await ada.page.getByRole('combobox', { name: 'Function' }).selectOption('count per second')
    await row(/^all 0\.0666667$/)
    await ada.page.getByRole('combobox', { name: 'Function' }).selectOption('p95')
    await ada.page.getByText('Choose the field to measure.').waitFor()
    await ada.page.getByRole('combobox', { name: 'Field' }).fill('ms')
    await ada.page.getByRole('combobox', { name: 'Group by' }).fill('service')
    await ada.page.getByRole('combobox', { name: 'Group by' }).press('Enter')
    await ada.page.getByRole('heading', { name: 'p95 of ms by service' }).waitFor()
    await row(/^payment 900$/)
    await row(/^cart 100$/)
    await chart().getByRole('button', { name: 'Show data' }).click()
    await chart().getByRole('columnheader', { name: 'payment' }).waitFor()
    await expect(ada.inspect()).resolves.toEqual([])
    await ada.picture('measure-logs')
  })

  it('are in the link, under the filter of the page', async () => {
    expect([parameter('view'), parameter('fn'), parameter('field'), parameter('by')]).toEqual(['measure', 'p95', 'ms', 'service'])
    const url = new URL(ada.page.url())
    url.searchParams.set('q', 'service:cart')
    await ada.page.goto(url.href)
    await row(/^cart 100$/)
    await groups()
      .getByRole('row', { name: /payment/ })
      .waitFor({ state: 'detached' })
    await ada.page.goBack()
    await row(/^payment 900$/)
  })

  it('with an unknown function, or without numbers, state what they are instead', async () => {
    const at = `/n/${story.service().first.namespace}/logs?view=measure`
    await ada.page.goto(`${at}&fn=median`)
    await ada.page.getByText('fn=median').waitFor()
    await row(/^all 240$/)
    await ada.page.goto(`${at}&fn=max&field=absent`)
    await ada.page.getByText('Nothing in this window has a number in absent.').waitFor()
    await ada.page.goto(`${at}&fn=max&field=servic`)
    await ada.page.getByText('"servic" is not a well-known field: did you mean service?').waitFor()
  })

  it('of spans have durations with their units', async () => {
    await ada.page.goto(`/n/${story.service().first.namespace}/traces`)
    await ada.page.getByRole('combobox', { name: 'View' }).selectOption('measure')
    await row(/^all 30$/)
    await ada.page.getByRole('combobox', { name: 'Function' }).selectOption('max')
    await ada.page.getByRole('combobox', { name: 'Field' }).fill('duration')
    await ada.page.getByRole('combobox', { name: 'Group by' }).fill('operation')
    await ada.page.getByRole('button', { name: 'Measure', exact: true }).click()
    await row(/^POST \/pay 2 s$/)
    await row(/^GET \/cart 250 ms$/)
    await ada.picture('measure-spans')
    await ada.page.goto(`${ada.page.url()}&min=1s`)
    await ada.page.getByText(/durations of traces are not a condition here/).waitFor()
    await ada.page.goto(`${ada.page.url()}&scope=span`)
    await groups().getByRole('row', { name: /GET/ }).waitFor({ state: 'detached' })
    await row(/^POST \/pay 2 s$/)
    await expect(ada.inspect()).resolves.toEqual([])
  })
})
