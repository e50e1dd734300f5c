import { beforeAll, expect, it } from '@jest/globals'
import { exportOf, newSpanId, newTraceId } from '../../support/otlp-spans.js'
import { describeStory } from '../support/describe-story.js'
import { ResponseGate } from '../support/response-gate.js'
import type { Person } from '../support/story.js'

const TRACE = newTraceId()
const ROOT = newSpanId()
const CHARGE = newSpanId()

describeStory('from a log to its trace and back', story => {
  let ada: Person

  beforeAll(async () => {
    const { api, first } = story.service()
    const headers = { 'x-api-key': first.ingestKey }
    const startMs = Date.now() - 60_000
    const spans = exportOf([
      { trace: TRACE, id: ROOT, service: 'checkout', name: 'POST /checkout', kind: 2, startMs, tookMs: 3_100, isError: true },
      {
        trace: TRACE,
        id: CHARGE,
        parent: ROOT,
        service: 'payment',
        name: 'charge',
        kind: 3,
        startMs: startMs + 50,
        tookMs: 3_000,
        isError: true
      }
    ])
    await api('/api/v1/otlp/v1/traces', { method: 'POST', headers, json: spans })
    const logs = [
      {
        message: 'charge timed out',
        level: 'error',
        service: 'payment',
        trace_id: TRACE,
        span_id: CHARGE,
        log_fields: { user: { id: 'u-5512' } }
      },
      ...Array.from({ length: 700 }, (_, i) => ({ message: `order ${i} placed`, level: 'info', service: 'checkout' }))
    ].map(log => ({ ...log, timestamp: new Date(startMs + 100).toISOString() }))
    await api('/api/v1/logs/batch?ack=searchable', { method: 'POST', headers, json: { logs } })
    ada = await story.arrive()
  })

  it('signs in and lists logs, latest first', async () => {
    const { first } = story.service()
    await ada.page.goto('/')
    await ada.signIn(first.email, first.password!)
    await ada.page.getByRole('heading', { level: 1, name: 'Logs' }).waitFor()
    await ada.page.getByRole('status', { name: 'Result' }).getByText('701 logs · complete').waitFor()
    expect(new URL(ada.page.url()).pathname).toBe(`/n/${first.namespace}/logs`)
    await expect(ada.page.getByRole('grid', { name: 'Logs' }).getAttribute('aria-rowcount')).resolves.toBe('702')
    await ada.picture('logs')
  })

  it('states no total of the search before while the next one is counted', async () => {
    const gate = await ResponseGate.open(ada.page, /^\s*query LogSummary\b/)
    await gate.set('hold')
    const query = ada.page.getByRole('combobox', { name: 'Query' })
    await query.fill('order')
    await query.press('Enter')
    const result = ada.page.getByRole('status', { name: 'Result' })
    await result.getByText('more than 500 logs · complete').waitFor()
    await gate.set('pass')
    await result.getByText(/^700 logs · complete/).waitFor()
    await ada.page.unroute('**/graphql')
  })

  it('searches, and the address has the query', async () => {
    await ada.page.getByRole('combobox', { name: 'Query' }).fill('"timed out"')
    await ada.page.getByRole('button', { name: 'Search', exact: true }).click()
    await ada.page.getByRole('status', { name: 'Result' }).getByText('1 log · complete').waitFor()
    expect(new URL(ada.page.url()).searchParams.get('q')).toBe('"timed out"')
  })

  it('filters by a facet, and Back undoes it', async () => {
    await ada.page.getByRole('group', { name: 'service' }).getByRole('checkbox', { name: 'payment 1' }).click()
    await ada.page.waitForURL(url => url.searchParams.get('service') === 'payment')
    await ada.page.goBack()
    await ada.page.waitForURL(url => url.searchParams.get('service') === null)
    // The address changes before the page.
    await ada.page.getByRole('checkbox', { name: 'payment 1', checked: false }).waitFor()
  })

  it('opens the record with its fields', async () => {
    await ada.page.getByRole('row', { name: /charge timed out/ }).click()
    const detail = ada.page.getByRole('complementary', { name: 'Log detail' })
    await detail.getByRole('tree', { name: 'Fields' }).getByText('log_fields.user.id').waitFor()
    await detail.getByText('u-5512', { exact: true }).waitFor()
    await ada.picture('log-detail')
    await expect(ada.inspect()).resolves.toEqual([])
  })

  it('opens the trace of the record at its span', async () => {
    await ada.page.getByRole('link', { name: 'Open trace' }).click()
    await ada.page.getByRole('heading', { level: 1, name: 'checkout · POST /checkout' }).waitFor()
    const spans = ada.page.getByRole('treegrid', { name: 'Spans' })
    const charge = spans.getByRole('row', { name: /payment charge/ })
    await expect(charge.getAttribute('aria-selected')).resolves.toBe('true')
    await expect(charge.getAttribute('aria-level')).resolves.toBe('2')
    await ada.picture('trace')
    await expect(ada.inspect()).resolves.toEqual([])
  })

  it('goes back to the list with the same query and record', async () => {
    await ada.page.goBack()
    await ada.page.getByRole('status', { name: 'Result' }).getByText('1 log · complete').waitFor()
    await ada.page.getByRole('complementary', { name: 'Log detail' }).waitFor()
    await expect(ada.page.getByRole('combobox', { name: 'Query' }).inputValue()).resolves.toBe('"timed out"')
  })

  it('passes axe in the dark theme', async () => {
    await ada.chooseTheme('Dark')
    await ada.picture('logs-dark')
    await expect(ada.inspect()).resolves.toEqual([])
  })

  it('opens the address that was requested after signing in', async () => {
    const { first } = story.service()
    const bob = await story.arrive()
    await bob.page.goto(`/n/${first.namespace}/logs?q=%22timed+out%22&zzz=kept`)
    await bob.signIn(first.email, first.password!)
    await bob.page.getByRole('status', { name: 'Result' }).getByText('1 log · complete').waitFor()
    expect(new URL(bob.page.url()).search).toBe('?q=%22timed+out%22&zzz=kept')
    expect(bob.faults).toEqual([])
  })

  it('loads nothing from elsewhere and violates no policy', () => {
    expect(ada.faults).toEqual([])
  })
})
