import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { CHART, CHART_EXPRESSIONS, loadConsoleData, TRACE_ID } from '../console/data.js'
import { sizes } from '../console/sizes.js'
import { storyRows } from '../console/stories.js'
import { clickToPaint, heapMb, loadRows, receivedKb, scrolling, typing, untilRows } from '../console/timing.js'
import { CHROMIUM, openLogs } from '../console/visitor.js'
import type { BenchOptions } from '../options.js'
import type { Report, Row } from '../report.js'
import type { ServiceProcess } from '../service/service-process.js'
import { withService } from './with-service.js'

const SLOWDOWN = 4
const LOADED_ROWS = 100_000
const ROW_HEIGHT_PX = 28
const LOADING_MS = 300_000

const GOALS: Readonly<Record<string, number>> = {
  'first paint, ms': 800,
  'rows on screen, ms': 1_200,
  'rows on screen with a CPU four times slower, ms': 3_000,
  'key to next paint in the query box, worst of 20, ms': 50,
  'trace of 10,000 spans: link to waterfall, ms': 1_500,
  'trace of 10,000 spans: received, kB': 400,
  'trace of 10,000 spans: frames per second while scrolling': 45,
  '5,000 series of 300 points: all drawn after a click, ms': 800,
  '100,000 rows loaded: frames per second while scrolling': 50,
  '100,000 rows loaded: p95 of a frame, ms': 35,
  '100,000 rows loaded: heap, MB': 80
}

type Add = (what: string, value: number) => void

/**
 * Sizes of the built console, and what a person waits for in Chromium: medians of `--repeats` over `--rows` logs of an
 * hour. With at least twice 100,000 rows, of which some leave the hour meanwhile, the list is scrolled with 100,000 loaded.
 * `--only story` measures the stories of a stranger alone, `--only pages` everything else.
 */
export async function measureConsole(options: BenchOptions): Promise<Report> {
  const { only, rows } = options
  const isSelected = (part: string): boolean => only.length === 0 || only.includes(part)
  return {
    title: `Console over ${rows.toLocaleString('en-US')} logs`,
    rows: [
      ...sizes(),
      ...(isSelected('story') ? await storyRows() : []),
      ...(isSelected('pages') ? await withService(options, service => pageRows(service, options)) : [])
    ],
    notes: []
  }
}

async function pageRows(service: ServiceProcess, options: BenchOptions): Promise<readonly Row[]> {
  await loadConsoleData(service, options)
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] })
  try {
    return await times(browser, service, options)
  } finally {
    await browser.close()
  }
}

async function times(browser: Browser, service: ServiceProcess, options: BenchOptions): Promise<readonly Row[]> {
  const samples = new Map<string, number[]>()
  const add: Add = (what, value) => void samples.set(what, [...(samples.get(what) ?? []), value])
  await inContext(browser, async context => {
    await openLogs(context, service)
    for (let i = 0; i < options.repeats; i++) await visit(context, service, page => onePass(page, service, add))
    if (options.rows >= 2 * LOADED_ROWS) await visit(context, service, page => manyRows(page, add))
  })
  return [...samples].map(([what, values]) => ({ what, median: median(values), goal: GOALS[what] ?? null }))
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!
}

async function inContext(browser: Browser, work: (context: BrowserContext) => Promise<void>): Promise<void> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  try {
    await work(context)
  } finally {
    await context.close()
  }
}

/** A page of logs of a member who is signed in: more than five sign-ins a minute would be refused. */
async function visit(context: BrowserContext, service: ServiceProcess, work: (page: Page) => Promise<void>): Promise<void> {
  const page = await context.newPage()
  try {
    await untilRows(() => page.goto(`${service.url}/`), page)
    await work(page)
  } finally {
    await page.close()
  }
}

async function onePass(page: Page, service: ServiceProcess, add: Add): Promise<void> {
  const developer = await page.context().newCDPSession(page)
  const home = `${service.url}/n/${service.firstRun().namespace}`
  add('rows on screen, ms', await untilRows(() => page.reload(), page))
  add(
    'first paint, ms',
    await page.evaluate<number>("performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN")
  )
  add('key to next paint in the query box, worst of 20, ms', await typing(page))
  const opening = async (): Promise<void> =>
    add('trace of 10,000 spans: link to waterfall, ms', await untilRows(() => page.goto(`${home}/traces/${TRACE_ID}`), page))
  add('trace of 10,000 spans: received, kB', await receivedKb(developer, opening))
  add('trace of 10,000 spans: frames per second while scrolling', (await scrolling(page, 'Spans')).framesPerSecond)
  const expressions = CHART_EXPRESSIONS.map(expression => `e=${encodeURIComponent(expression)}`).join('&')
  await page.goto(`${home}/metrics?${expressions}&from=now-${CHART.minutes}m`)
  await page.getByRole('button', { name: `Show all ${CHART.series.toLocaleString('en-US')}` }).waitFor()
  add('5,000 series of 300 points: all drawn after a click, ms', await clickToPaint(page, 'Show all'))
  await developer.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN })
  add('rows on screen with a CPU four times slower, ms', await untilRows(() => page.goto(`${service.url}/`), page))
}

async function manyRows(page: Page, add: Add): Promise<void> {
  page.setDefaultTimeout(LOADING_MS)
  await loadRows(page, 'Logs', LOADED_ROWS, ROW_HEIGHT_PX)
  const { framesPerSecond, p95Ms } = await scrolling(page, 'Logs')
  add('100,000 rows loaded: frames per second while scrolling', framesPerSecond)
  add('100,000 rows loaded: p95 of a frame, ms', p95Ms)
  add('100,000 rows loaded: heap, MB', await heapMb(await page.context().newCDPSession(page)))
}
