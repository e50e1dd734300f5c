import { beforeAll, it } from '@jest/globals'
import { describeStory } from '../support/describe-story.js'
import { addNamespace, findExamples } from '../support/examples.js'
import { type PageStates, type Places, StateTour } from '../support/page-states.js'
import { sendShop } from '../support/shop.js'

/** Five states, each in two themes at two widths. */
const PAGE_MS = 60_000

const PAGES: readonly PageStates[] = [
  {
    name: 'logs',
    path: 'logs',
    empty: page => page.getByRole('heading', { name: 'No logs are stored in this namespace yet' }),
    full: page => page.getByRole('grid', { name: 'Logs' }).getByRole('row').nth(1),
    partial: 'cut',
    names: [
      ['search', ''],
      ['combobox', 'Query'],
      ['button', 'Search'],
      ['status', 'Result'],
      ['group', 'Filters'],
      ['group', 'level'],
      ['checkbox', /^error [\d,]+$/],
      ['figure', 'Logs over time'],
      ['slider', 'Time cursor'],
      ['columnheader', 'Message'],
      ['button', 'Columns'],
      ['button', 'Live tail'],
      ['button', 'Panel menu: Logs']
    ]
  },
  {
    name: 'traces',
    path: 'traces',
    empty: page => page.getByRole('heading', { name: 'No traces are stored in this namespace yet' }),
    full: page => page.getByRole('grid', { name: 'Traces' }).getByRole('row').nth(1),
    partial: 'cut',
    names: [
      ['combobox', 'Query'],
      ['button', 'Search'],
      ['status', 'Result'],
      ['group', 'Filters'],
      ['group', 'service'],
      ['figure', 'Spans over time'],
      ['figure', 'Span durations'],
      ['button', 'Panel menu: Traces']
    ]
  },
  {
    name: 'trace',
    path: ({ traceId }) => `traces/${traceId}`,
    empty: page => page.getByRole('heading', { name: 'This trace is not stored' }),
    full: page => page.getByRole('treegrid', { name: 'Spans' }).getByRole('row').nth(1),
    partial: 'cut',
    names: [
      ['heading', / · /],
      ['tab', 'Waterfall'],
      ['tab', 'Flame graph'],
      ['tab', 'Operations'],
      ['tab', 'Map'],
      ['tab', 'Logs'],
      ['searchbox', 'Find in trace'],
      ['link', 'Open logs']
    ]
  },
  {
    name: 'metrics',
    path: 'metrics?e=sum+by+(service)+(rate({"http.server.requests"}[1m]))',
    empty: page => page.getByRole('heading', { name: 'No metrics are stored in this namespace yet' }),
    full: page => page.getByRole('grid', { name: 'Series' }).getByRole('row').nth(1),
    partial: 'cut',
    names: [
      ['textbox', 'PromQL'],
      ['button', 'Run'],
      ['figure', 'Chart'],
      ['button', 'Show data'],
      ['button', 'Panel menu: Chart']
    ]
  },
  {
    name: 'apm',
    path: 'apm',
    empty: page => page.getByRole('heading', { name: 'No traces are stored in this namespace yet' }),
    full: page => page.getByRole('grid', { name: 'Services' }).getByRole('row', { name: /payments/ }),
    partial: 'cut',
    names: [
      ['region', 'Services'],
      ['region', 'Recent exceptions'],
      ['region', 'Service map'],
      ['button', 'Panel menu: Services']
    ]
  },
  {
    name: 'service',
    path: 'apm/payments',
    empty: page => page.getByRole('heading', { name: 'This service sent no span in the last 24 hours' }),
    full: page => page.getByRole('table', { name: 'Latest traces' }).getByRole('row').nth(1),
    partial: 'cut',
    names: [
      ['heading', 'payments'],
      ['region', 'Requests'],
      ['figure', 'Latency'],
      ['button', 'Panel menu: Requests'],
      ['button', 'Panel menu: Operations']
    ]
  },
  {
    name: 'exceptions',
    path: 'errors',
    empty: page => page.getByRole('heading', { name: 'No errors are stored in this namespace yet' }),
    full: page => page.getByRole('grid', { name: 'Exceptions' }).getByRole('row', { name: /PaymentTimeout/ }),
    partial: 'cut',
    names: [
      ['combobox', 'Query'],
      ['status', 'Result'],
      ['button', 'Panel menu: Groups of exceptions']
    ]
  },
  {
    name: 'exception',
    path: ({ groupId }) => `errors/${groupId}`,
    empty: page => page.getByRole('heading', { name: 'No error of this group is stored' }),
    full: page => page.getByRole('region', { name: 'Logs of the trace' }).getByRole('link').first(),
    partial: 'cut',
    names: [
      ['region', 'Stack trace'],
      ['region', 'Sample trace'],
      ['link', 'Open trace'],
      ['link', 'Open logs']
    ]
  },
  {
    name: 'rum',
    path: 'rum',
    empty: page => page.getByRole('heading', { name: 'No page views are stored in this namespace yet' }),
    full: page => page.getByRole('table', { name: 'Latest page views' }).getByRole('row').nth(1),
    partial: 'cut',
    names: [
      ['combobox', 'Query'],
      ['status', 'Result'],
      ['region', 'Page timings'],
      ['region', 'Trend'],
      ['region', 'Distribution'],
      ['button', 'Panel menu: Trend']
    ]
  }
]

type View = readonly [name: string, path: PageStates['path'], full: PageStates['full']]

/** Views of these pages, in their full state alone. */
const VIEWS: readonly View[] = [
  ['logs/detail', ({ logId }) => `logs?sel=${logId}`, page => page.getByRole('tree', { name: 'Fields' })],
  ['logs/live', 'logs?live=1', page => page.getByRole('status', { name: 'Live tail' }).getByText('Following.')],
  ['logs/wrap', 'logs?wrap=1&level=error', page => page.getByRole('row', { name: /acquirer/ })],
  ['traces/scatter', 'traces?view=scatter', page => page.getByRole('figure', { name: 'Traces by duration' })],
  ['traces/heatmap', 'traces?view=heatmap', page => page.getByRole('figure', { name: 'Durations over time' })],
  ['metrics/cardinality', 'metrics?view=cardinality', page => page.getByRole('table', { name: 'Series by metric' })],
  ...['flame', 'operations', 'map', 'logs', 'compare'].map((tab): View => {
    const shown = 'svg, canvas, [role=grid], [role=tree], table'
    return [`trace/${tab}`, ({ traceId }) => `traces/${traceId}?tab=${tab}`, page => page.getByRole('tabpanel').locator(shown)]
  })
]

describeStory('pages of signals in their five states', story => {
  let tour: StateTour
  let places: Places

  beforeAll(async () => {
    const service = story.service()
    await Promise.all([sendShop(service), addNamespace(service, 'nothing')])
    const { email, password, namespace } = service.first
    places = { filled: namespace, empty: 'nothing', examples: await findExamples(service) }
    // The name of this zone is longer than most.
    const ada = await story.arrive({ zone: 'America/New_York' })
    await ada.page.goto(`/n/${namespace}/otlp`)
    await ada.signIn(email, password!)
    await ada.page.getByRole('heading', { level: 1, name: 'OTLP status' }).waitFor()
    tour = await StateTour.of(ada)
  }, PAGE_MS)

  it.each(PAGES.map(states => [states.name, states] as const))('%s', (_name, states) => tour.visit(states, places), PAGE_MS)

  it.each(VIEWS)('%s', (name, path, full) => tour.view(name, path, full, places), PAGE_MS)
})
