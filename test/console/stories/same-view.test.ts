import { beforeAll, expect, it } from '@jest/globals'
import type { Locator, Page } from 'playwright-core'
import { describeStory } from '../support/describe-story.js'
import { type Examples, findExamples } from '../support/examples.js'
import { sendShop } from '../support/shop.js'
import type { Person } from '../support/story.js'

/** Each view is opened seven times. */
const VIEW_MS = 60_000
const MINUTE_MS = 60_000

interface View {
  readonly path: string | ((examples: Examples) => string)
  /** What is there when the view is complete. */
  readonly full: (page: Page) => Locator
  /** What changes in its rows by itself. */
  readonly changing?: RegExp
}

/** When a key was used last is written once a minute. */
const LAST_USED = /never|\d{4}-\d{2}-\d{2} \d{2}:\d{2}/g

/** What must not change: window, columns, rows, and what is selected. */
async function shownOn(page: Page, { full, changing }: View): Promise<unknown> {
  await full(page).first().waitFor()
  await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' })
  await page
    .getByText(/^Loading |^Searching…$/)
    .first()
    .waitFor({ state: 'detached' })
  const strings = (selector: string): Promise<readonly string[]> => page.locator(selector).allTextContents()
  return {
    query: new URL(page.url()).search,
    window: await page.getByRole('button', { name: /^Time range/ }).allTextContents(),
    columns: await strings('[role=columnheader], thead th'),
    rows: (await strings('[role=grid] [role=row], [role=treegrid] [role=row], tbody tr')).map(row =>
      changing ? row.replaceAll(changing, '') : row
    ),
    figures: await strings('figcaption'),
    selected: await strings('[aria-selected=true]'),
    pressed: await strings('[aria-pressed=true]')
  }
}

describeStory('the same view', story => {
  let ada: Person
  let bob: Person
  let range: string
  let examples: Examples

  beforeAll(async () => {
    const { first } = story.service()
    await sendShop(story.service())
    examples = await findExamples(story.service())
    const to = Date.now() + MINUTE_MS
    range = `from=${new Date(to - 10 * MINUTE_MS).toISOString()}&to=${new Date(to).toISOString()}&tz=Asia/Tokyo`
    ;[ada, bob] = await Promise.all([story.arrive(), story.arrive({ zone: 'America/New_York' })])
    for (const { page } of [ada, bob]) await page.goto(`/n/${first.namespace}/otlp`)
    for (const person of [ada, bob]) await person.signIn(first.email, first.password!)
    for (const { page } of [ada, bob]) await page.getByRole('heading', { level: 1, name: 'OTLP status' }).waitFor()
  }, VIEW_MS)

  const views: readonly (readonly [string, View])[] = [
    [
      'of logs',
      {
        path: 'logs?cols=time,service,message,route&level=error&q=acquirer',
        full: page => page.getByRole('row', { name: /acquirer did not respond/ })
      }
    ],
    [
      'of traces',
      { path: 'traces?sort=duration&status=error&min=100ms', full: page => page.getByRole('row', { name: /POST \/checkout/ }) }
    ],
    ['of services', { path: 'apm?q=pay&sort=errors', full: page => page.getByRole('row', { name: /payments/ }) }],
    ['of a service', { path: 'apm/payments', full: page => page.getByRole('table', { name: 'Latest traces' }) }],
    ['of exceptions', { path: 'errors?q=acquirer&status=open', full: page => page.getByRole('row', { name: /PaymentTimeout/ }) }],
    [
      'of page timings',
      {
        path: 'rum?by=browser&vital=cls',
        full: page => page.getByRole('table', { name: 'Page timings by browser' }).getByRole('row').nth(1)
      }
    ],
    [
      'of metrics',
      {
        path: 'metrics?e=sum+by+(service)+({%22http.server.requests%22})&step=1m',
        full: page => page.getByRole('grid', { name: 'Series' }).getByRole('row', { name: /payments/ })
      }
    ],
    [
      'of a heat map',
      { path: 'traces?view=heatmap&service=payments', full: page => page.getByRole('figure', { name: 'Durations over time' }) }
    ],
    [
      'of a trace',
      {
        path: ({ traceId }) => `traces/${traceId}`,
        full: page => page.getByRole('treegrid', { name: 'Spans' }).getByRole('row').nth(1)
      }
    ],
    [
      'of the operations of a trace',
      {
        path: ({ traceId }) => `traces/${traceId}?tab=operations`,
        full: page => page.getByRole('grid', { name: 'Operations' }).getByRole('row').nth(1)
      }
    ],
    [
      'of an exception',
      {
        path: ({ groupId }) => `errors/${groupId}`,
        full: page => page.getByRole('region', { name: 'Logs of the trace' }).getByRole('link')
      }
    ],
    [
      'of hosts',
      { path: 'hosts?status=active', full: page => page.getByRole('grid', { name: 'Hosts' }).getByRole('row').nth(1) }
    ],
    [
      'of keys',
      {
        path: 'settings/keys',
        full: page => page.getByRole('grid', { name: 'Keys' }).getByRole('row').nth(1),
        changing: LAST_USED
      }
    ]
  ]

  it.each(views)(
    '%s is there after a reload, Back and Forward, and for another person',
    async (_name, view) => {
      const namespace = story.service().first.namespace
      const path = typeof view.path === 'string' ? view.path : view.path(examples)
      const address = `/n/${namespace}/${path}${path.includes('?') ? '&' : '?'}${range}`
      await ada.page.goto(address)
      const first = await shownOn(ada.page, view)
      await ada.page.reload()
      expect(await shownOn(ada.page, view)).toEqual(first)
      await ada.page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'OTLP status' }).click()
      await ada.page.getByRole('heading', { level: 1, name: 'OTLP status' }).waitFor()
      await ada.page.goBack()
      expect(await shownOn(ada.page, view)).toEqual(first)
      await ada.page.goForward()
      await ada.page.getByRole('heading', { level: 1, name: 'OTLP status' }).waitFor()
      await ada.page.goBack()
      await bob.page.goto(ada.page.url())
      expect(await shownOn(bob.page, view)).toEqual(first)
    },
    VIEW_MS
  )

  it('of an open record has its selection, also after Back from its trace', async () => {
    const namespace = story.service().first.namespace
    const detail = (page: Page): Locator => page.getByRole('complementary', { name: 'Log detail' }).getByRole('tree')
    const list = (page: Page): Locator => page.getByRole('grid', { name: 'Logs' }).locator('[aria-selected=true]')
    const view: View = {
      path: '',
      full: page =>
        page
          .locator(':root')
          .filter({ has: detail(page) })
          .filter({ has: list(page) })
    }
    await ada.page.goto(`/n/${namespace}/logs?level=error&q=acquirer&${range}`)
    await ada.page
      .getByRole('row', { name: /acquirer/ })
      .nth(1)
      .click()
    const opened = await shownOn(ada.page, view)
    await ada.page.getByRole('link', { name: 'Open trace' }).click()
    const spans: View = { path: '', full: page => page.locator('[role=treegrid] [aria-selected=true]') }
    const trace = await shownOn(ada.page, spans)
    await ada.page.reload()
    expect(await shownOn(ada.page, spans)).toEqual(trace)
    await bob.page.goto(ada.page.url())
    expect(await shownOn(bob.page, spans)).toEqual(trace)
    await ada.page.goBack()
    expect(await shownOn(ada.page, view)).toEqual(opened)
    await bob.page.goto(ada.page.url())
    expect(await shownOn(bob.page, view)).toEqual(opened)
    expect([...ada.faults, ...bob.faults]).toEqual([])
  })
})
