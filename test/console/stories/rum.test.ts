import { beforeAll, expect, it } from '@jest/globals'
import { exportOf, newTraceId } from '../../support/otlp-spans.js'
import { describeStory } from '../support/describe-story.js'
import type { Person } from '../support/story.js'

const TRACE = newTraceId()
const VIEWS = 60

/** Views from Germany are fast and most; those from India are slow, and too few to judge. */
function viewAt(index: number, nowMs: number) {
  const isSlow = index >= 50
  return {
    page_url: `https://shop.test/${isSlow ? 'checkout' : `product/${index}`}?token=x`,
    session_id: isSlow ? 's-slow' : `s-${index}`,
    country: isSlow ? 'IN' : 'DE',
    browser: isSlow ? 'Chrome' : 'Firefox',
    device_type: isSlow ? 'mobile' : 'desktop',
    os: isSlow ? 'Android' : 'Linux',
    connection_type: isSlow ? '3g' : '4g',
    release: '2.14.0',
    trace_id: index === 59 ? TRACE : newTraceId(),
    largest_contentful_paint_ms: isSlow ? 5_000 : 1_200,
    cumulative_layout_shift: 0.02,
    first_input_delay_ms: 20,
    load_time_ms: 2_000,
    timestamp: new Date(nowMs - (VIEWS - index) * 20_000).toISOString()
  }
}

describeStory('from a slow page timing to its trace', story => {
  let ada: Person

  beforeAll(async () => {
    const service = story.service()
    const { api, first } = service
    const headers = { 'x-api-key': first.ingestKey }
    const nowMs = Date.now()
    const views = Array.from({ length: VIEWS }, (_, index) => viewAt(index, nowMs))
    await Promise.all(views.map(json => api('/api/v1/apm/rum', { method: 'POST', headers, json })))
    const spans = exportOf([{ trace: TRACE, service: 'shop', name: 'GET /checkout', kind: 2, startMs: nowMs - 21_000 }])
    await api('/api/v1/otlp/v1/traces', { method: 'POST', headers, json: spans })
    await service.settle()
    ada = await story.arrive()
    await ada.page.goto(`/n/${first.namespace}/rum`)
    await ada.signIn(first.email, first.password!)
  })

  it('rates the timings at their 75th percentile', async () => {
    await ada.page.getByRole('heading', { level: 1, name: 'RUM' }).waitFor()
    await ada.page.getByRole('status', { name: 'Result' }).getByText('60 page views of 51 sessions').waitFor()
    const lcp = ada.page.getByRole('button', { name: /^LCP Largest Contentful Paint 1.2 s/ })
    await expect(lcp.textContent()).resolves.toContain('83 %')
    // The three shares are in one line, at the narrowest cards too.
    for (const width of [1_440, 800]) {
      await ada.page.setViewportSize({ width, height: 900 })
      const lines = await ada.page
        .getByTitle(/^needs improvement: /)
        .evaluateAll(shares =>
          shares.map(({ parentElement: line }) => [line!.clientHeight, line!.scrollWidth - line!.clientWidth])
        )
      expect(lines).toEqual(lines.map(() => [18, 0]))
    }
    await ada.page.setViewportSize({ width: 1_440, height: 900 })
    const inp = ada.page.getByRole('button', { name: /^INP/ })
    await expect(inp.textContent()).resolves.toContain('0 samples')
    await ada.page.getByRole('figure', { name: 'Largest Contentful Paint over time' }).locator('canvas').waitFor()
    await ada.picture('rum')
    await expect(ada.inspect()).resolves.toEqual([])
  })

  it('has the distribution of the timing, as bars and as a table', async () => {
    const bars = ada.page.getByRole('figure', { name: 'Distribution of Largest Contentful Paint' })
    await bars.getByText('Show data').click()
    const rows = bars.getByRole('table').getByRole('row')
    await expect(rows.count()).resolves.toBe(3)
    await bars.getByRole('row', { name: /50 83\.3 %$/ }).waitFor()
    await bars.getByText('Show data').click()
  })

  it('shows the trend of another timing, in the address', async () => {
    await ada.page.getByRole('button', { name: /^CLS/ }).click()
    await ada.page.getByRole('figure', { name: 'Cumulative Layout Shift over time' }).waitFor()
    expect(new URL(ada.page.url()).searchParams.get('vital')).toBe('cls')
    await ada.page.goBack()
    await ada.page.getByRole('figure', { name: 'Largest Contentful Paint over time' }).waitFor()
  })

  it('breaks down by country, as a map and as a table', async () => {
    await ada.page.getByRole('group', { name: 'Break down by' }).getByRole('button', { name: 'Country' }).click()
    const map = ada.page.getByRole('figure', { name: 'Largest Contentful Paint by country' })
    await map.locator('path').first().waitFor()
    await expect(map.locator('path title').filter({ hasText: 'Germany (DE): 1.2 s, good, 50 samples' }).count()).resolves.toBe(1)
    const india = ada.page.getByRole('row', { name: /^India \(IN\)/ })
    await expect(india.getByRole('cell').nth(2).textContent()).resolves.toBe('5 s n=10 ■poor')
    await ada.picture('rum-country')
    await expect(ada.inspect()).resolves.toEqual([])
  })

  it('narrows to a value, and the filter can be removed', async () => {
    await ada.page.getByRole('button', { name: 'India (IN)' }).click()
    await ada.page.getByRole('status', { name: 'Result' }).getByText('10 page views of 1 session').waitFor()
    await ada.page.getByText('10 samples: too few to judge').first().waitFor()
    await ada.page.getByRole('button', { name: 'Remove filter country:IN' }).click()
    await ada.page.getByRole('status', { name: 'Result' }).getByText('60 page views').waitFor()
  })

  it('leads from a page view to its session and its trace', async () => {
    const views = ada.page.getByRole('region', { name: 'Page views' }).first()
    await views.getByRole('button', { name: 's-slow' }).first().click()
    await ada.page.getByRole('status', { name: 'Result' }).getByText('10 page views of 1 session').waitFor()
    await views.getByRole('link', { name: 'Open trace' }).first().click()
    await ada.page.getByRole('heading', { level: 1, name: 'shop · GET /checkout' }).waitFor()
    await ada.page.goBack()
    await ada.page.getByRole('status', { name: 'Result' }).getByText('10 page views of 1 session').waitFor()
  })

  it('shows what is wrong with a query and with the address', async () => {
    const { first } = story.service()
    await ada.page.goto(`/n/${first.namespace}/rum?by=shoe&q=%22open`)
    await ada.page.getByText('by=shoe').waitFor()
    await ada.page.getByText('The query is not valid.').waitFor()
    await ada.page.getByRole('combobox', { name: 'Query' }).fill('checkout')
    await ada.page.getByRole('button', { name: 'Search', exact: true }).click()
    await ada.page.getByRole('status', { name: 'Result' }).getByText('10 page views of 1 session').waitFor()
  })

  it('passes axe in the dark theme and on a narrow screen', async () => {
    await ada.page.goto(`/n/${story.service().first.namespace}/rum?by=country`)
    await ada.page.getByRole('figure', { name: 'Largest Contentful Paint by country' }).locator('path').first().waitFor()
    await ada.chooseTheme('Dark')
    await expect(ada.inspect()).resolves.toEqual([])
    await ada.page.setViewportSize({ width: 800, height: 900 })
    await ada.picture('rum-dark-800')
    await expect(ada.inspect()).resolves.toEqual([])
  })

  it('loads nothing from elsewhere and violates no policy', () => {
    expect(ada.faults).toEqual([])
  })
})
