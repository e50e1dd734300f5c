import { beforeAll, expect, it } from '@jest/globals'
import { exception, exportOf, newSpanId, newTraceId, type SpanSent } from '../../support/otlp-spans.js'
import { describeStory } from '../support/describe-story.js'
import type { Person } from '../support/story.js'

const TRACE = newTraceId()
const OTHER = newTraceId()
const HOSTILE = '<img src=x onerror=alert(1)>\u202e'
const STACK = 'TimeoutError: timed out\n  at charge (/app/payment.js:12:3)'
const LOOKUPS = 300

/** A checkout that calls payment, which fails, and then looks up many things in the catalog. */
function checkout(
  trace: string,
  startMs: number,
  lookups: number
): { readonly spans: readonly SpanSent[]; readonly charge: string } {
  const [root, charge, list] = [newSpanId(), newSpanId(), newSpanId()]
  const spans: SpanSent[] = [
    { trace, id: root, service: 'checkout', name: 'POST /checkout', kind: 2, startMs, tookMs: 3_000 },
    {
      ...{ trace, id: charge, parent: root, service: 'payment', name: 'charge', kind: 2, startMs: startMs + 20, tookMs: 1_500 },
      isError: true,
      attributes: { 'payment.provider': 'acquirer', 'user.agent': HOSTILE },
      resource: { 'host.name': 'pay-1' },
      events: [exception('TimeoutError', 'timed out', STACK), { name: 'retry', attributes: { attempt: '2' } }]
    },
    { trace, id: list, parent: root, service: 'catalog', name: 'list', kind: 2, startMs: startMs + 1_600, tookMs: 1_300 },
    ...Array.from({ length: lookups }, (_, i) => ({
      ...{ trace, parent: list, service: 'catalog', name: 'lookup', startMs: startMs + 1_600 + i * 4, tookMs: 3 },
      ...(i === lookups - 1 && { isError: true })
    }))
  ]
  return { spans, charge }
}

describeStory('one trace', story => {
  let ada: Person
  let charge = ''

  beforeAll(async () => {
    const { api, first } = story.service()
    const headers = { 'x-api-key': first.ingestKey }
    const startMs = Date.now() - 120_000
    const sent = checkout(TRACE, startMs, LOOKUPS)
    charge = sent.charge
    const other = checkout(OTHER, startMs - 60_000, 3)
    await api('/api/v1/otlp/v1/traces', { method: 'POST', headers, json: exportOf([...sent.spans, ...other.spans]) })
    const logs = [
      { message: 'charge timed out', level: 'error', service: 'payment', trace_id: TRACE, span_id: charge },
      { message: 'order not placed', level: 'warn', service: 'checkout', trace_id: TRACE }
    ].map(log => ({ ...log, timestamp: new Date(startMs + 1_000).toISOString() }))
    await api('/api/v1/logs/batch?ack=searchable', { method: 'POST', headers, json: { logs } })
    ada = await story.arrive()
    await ada.page.goto(`/n/${first.namespace}/traces/${TRACE}`)
    await ada.signIn(first.email, first.password!)
  })

  const spans = (): ReturnType<Person['page']['getByRole']> => ada.page.getByRole('treegrid', { name: 'Spans' })
  const detail = (): ReturnType<Person['page']['getByRole']> => ada.page.getByRole('complementary', { name: 'Span detail' })
  const selected = (): string | null => new URL(ada.page.url()).searchParams.get('span')

  it('shows all spans as a tree', async () => {
    await ada.page.getByRole('heading', { level: 1, name: 'checkout · POST /checkout' }).waitFor()
    await ada.page
      .getByRole('status', { name: 'Result' })
      .getByText(`${LOOKUPS + 3} spans · 2 errors`)
      .waitFor()
    await expect(spans().getAttribute('aria-rowcount')).resolves.toBe(String(LOOKUPS + 4))
    await ada.picture('trace-waterfall')
    await expect(ada.inspect()).resolves.toEqual([])
  })

  it('opens a span with its attributes, its exception and its logs', async () => {
    await spans()
      .getByRole('row', { name: /payment charge/ })
      .click()
    await detail().getByText('TimeoutError: timed out', { exact: true }).waitFor()
    await detail().getByText('at charge (/app/payment.js:12:3)').waitFor()
    await detail()
      .getByText(String.raw`<img src=x onerror=alert(1)>\u202e`)
      .waitFor()
    await detail().getByRole('region', { name: 'Resource' }).getByText('pay-1').waitFor()
    await detail()
      .getByRole('link', { name: /charge timed out/ })
      .waitFor()
    expect(selected()).toBe(charge)
    await ada.picture('trace-span')
    await expect(ada.inspect()).resolves.toEqual([])
  })

  it('goes to the logs of the span by L, and Back keeps the span', async () => {
    await spans().press('L')
    await ada.page.getByRole('status', { name: 'Result' }).getByText('1 log · complete').waitFor()
    expect(new URL(ada.page.url()).searchParams.get('q')).toBe(`trace_id:${TRACE} span_id:${charge}`)
    await ada.page.goBack()
    await detail().getByText('TimeoutError: timed out', { exact: true }).waitFor()
  })

  it('finds spans, and goes from one to the next', async () => {
    const find = ada.page.getByRole('searchbox', { name: 'Find in trace' })
    await find.fill('LOOKUP')
    await ada.page.getByRole('status', { name: 'Matches' }).getByText(`– of ${LOOKUPS}`).waitFor()
    await find.press('Enter')
    await ada.page.getByRole('status', { name: 'Matches' }).getByText(`1 of ${LOOKUPS}`).waitFor()
    await find.press('Shift+Enter')
    await ada.page.getByRole('status', { name: 'Matches' }).getByText(`${LOOKUPS} of ${LOOKUPS}`).waitFor()
    await find.fill('nowhere')
    await ada.page.getByRole('status', { name: 'Matches' }).getByText('no match').waitFor()
    await find.fill('')
  })

  it('goes round the spans with an error by e and E, and Escape closes the detail', async () => {
    const last = selected()
    await spans().press('e')
    await ada.page.waitForURL(url => url.searchParams.get('span') === charge)
    await spans().press('E')
    await ada.page.waitForURL(url => url.searchParams.get('span') === last)
    await spans().press('Escape')
    await detail().waitFor({ state: 'detached' })
  })

  it('folds to a level, and zooms into a part by the keyboard', async () => {
    await ada.page.getByRole('button', { name: 'Fold' }).click()
    await ada.page.getByRole('menuitem', { name: 'Show 2 levels' }).click()
    await spans().getByText(`${LOOKUPS} spans folded`).waitFor()
    await expect(spans().getAttribute('aria-rowcount')).resolves.toBe('4')
    const end = ada.page.getByRole('slider', { name: 'End of the visible part' })
    for (let i = 0; i < 5; i++) await end.press('Shift+ArrowLeft')
    await expect(end.getAttribute('aria-valuetext')).resolves.toBe('1.5 s')
    await ada.picture('trace-zoomed')
    await ada.page.getByRole('button', { name: 'Show the whole trace' }).click()
    await ada.page.getByRole('button', { name: 'Fold' }).click()
    await ada.page.getByRole('menuitem', { name: 'Unfold all' }).click()
  })

  it('adds up self times by path in the flame graph', async () => {
    await ada.page.getByRole('tab', { name: 'Flame graph' }).click()
    const flame = ada.page.getByRole('tree', { name: 'Flame graph' })
    await flame.getByRole('treeitem', { name: new RegExp(`catalog · lookup: ${LOOKUPS} spans`) }).waitFor()
    await flame.focus()
    await flame.press('ArrowDown')
    await flame.press('Enter')
    await ada.page.getByRole('button', { name: 'Zoom out' }).waitFor()
    await ada.picture('trace-flame')
    await expect(ada.inspect()).resolves.toEqual([])
  })

  it('lists operations, and opens the longest span of one', async () => {
    await ada.page.getByRole('tab', { name: 'Operations' }).click()
    const grid = ada.page.getByRole('grid', { name: 'Operations' })
    await grid.getByRole('row', { name: /catalog lookup 300/ }).waitFor()
    await ada.picture('trace-operations')
    await grid.getByRole('row', { name: /payment charge/ }).click()
    await ada.page.waitForURL(url => url.searchParams.get('span') === charge && url.searchParams.get('tab') === null)
  })

  it('draws the calls between services, and has them as a table', async () => {
    await ada.page.getByRole('tab', { name: 'Map' }).click()
    await ada.page.getByRole('figure', { name: 'Service map' }).waitFor()
    await ada.page
      .getByRole('table', { name: 'Calls' })
      .getByRole('row', { name: /checkout payment/ })
      .waitFor()
    await ada.picture('trace-map')
    await expect(ada.inspect()).resolves.toEqual([])
  })

  it('lists the logs of the trace', async () => {
    await ada.page.getByRole('tab', { name: 'Logs' }).click()
    const grid = ada.page.getByRole('grid', { name: 'Logs' })
    await grid.getByRole('row', { name: /order not placed/ }).waitFor()
    await expect(grid.getAttribute('aria-rowcount')).resolves.toBe('3')
    await ada.picture('trace-logs')
  })

  it('compares with a trace of the same root operation', async () => {
    await ada.page.getByRole('tab', { name: 'Compare' }).click()
    await ada.page.getByRole('table', { name: 'Traces with the same root operation' }).getByRole('link').click()
    await ada.page
      .getByRole('table', { name: 'Operations of both traces' })
      .getByRole('row', { name: /catalog · lookup/ })
      .waitFor()
    expect(new URL(ada.page.url()).searchParams.get('base')).toBe(OTHER)
    await ada.picture('trace-compare')
    await expect(ada.inspect()).resolves.toEqual([])
  })

  it('names what the address cannot mean, and a trace that is not stored', async () => {
    const { first } = story.service()
    const bob = await story.arrive()
    await bob.page.goto(`/n/${first.namespace}/traces/${TRACE}?tab=nowhere&span=ffffffffffffffff`)
    await bob.signIn(first.email, first.password!)
    await bob.page.getByText('tab=nowhere').waitFor()
    await bob.page.getByRole('heading', { name: 'This span is not stored' }).waitFor()
    await bob.page.goto(`/n/${first.namespace}/traces/${TRACE}?tab=compare&base=%3Cb%3E`)
    await bob.page.getByRole('heading', { name: 'This is not a trace id' }).waitFor()
    await bob.page.goto(`/n/${first.namespace}/traces/${newTraceId()}`)
    await bob.page.getByRole('heading', { name: 'This trace is not stored' }).waitFor()
    expect(bob.faults).toEqual([])
  })

  it('fits a narrow page, and passes axe in the dark theme', async () => {
    const { first } = story.service()
    await ada.page.goto(`/n/${first.namespace}/traces/${TRACE}`)
    await spans().waitFor()
    await ada.chooseTheme('Dark')
    await ada.picture('trace-dark')
    await expect(ada.inspect()).resolves.toEqual([])
    await ada.page.setViewportSize({ width: 800, height: 900 })
    await ada.picture('trace-800')
    await expect(ada.inspect()).resolves.toEqual([])
    expect(ada.faults).toEqual([])
  })
})
