import { setTimeout as sleep } from 'node:timers/promises'
import { type Browser, chromium, type Page } from 'playwright-core'
import { heapMb } from '../console/timing.js'
import { CHROMIUM, openLogs } from '../console/visitor.js'
import { runLoad } from '../load/run-load.js'
import type { LoadOrder } from '../load/worker.js'
import type { BenchOptions } from '../options.js'
import type { Report, Row } from '../report.js'
import type { ServiceProcess } from '../service/service-process.js'
import { Session } from '../service/session.js'
import { targetOf, withService } from './with-service.js'

const ROWS_PER_SECOND = 1_000
const BATCH = 100
const GROWTH_GOAL_MB = 30
/** The list has its 10,000 records by then, so that what grows afterwards is not the list. */
const FILL_SECONDS = 15
/** A tail counts what it left out within a minute: without a change for longer, the page has counted all. */
const QUIET_MS = 75_000

const RECOUNT_MS = 500
const TOTAL = '{ logs(range: { from: "now-1d", to: "now" }) { total { value } } }'

/**
 * Follows 1,000 logs a second in the live tail of the console for `--seconds`, and compares what the page counted
 * (shown and dropped) with what was stored, and the heap of the page before and after. Logs whose response did not arrive
 * can be stored, so that what was acknowledged is another number.
 */
export function measureConsoleTail(options: BenchOptions): Promise<Report> {
  return withService(options, async service => {
    const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] })
    try {
      return { title: `Live tail for ${options.seconds} s`, rows: await follow(browser, service, options), notes: [] }
    } finally {
      await browser.close()
    }
  })
}

async function follow(browser: Browser, service: ServiceProcess, options: BenchOptions): Promise<readonly Row[]> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  const first = await runLoad(order(service, options.seed, 1), () => undefined)
  const page = await openLogs(context, service)
  const earlier = await storedLogs(service, first.result.items)
  await page.getByRole('button', { name: 'Live tail' }).click()
  await page
    .getByRole('status', { name: 'Live tail' })
    .getByText(/^Following/)
    .waitFor()
  const developer = await context.newCDPSession(page)
  const filled = await runLoad(order(service, options.seed, FILL_SECONDS), () => undefined)
  const before = await heapMb(developer)
  const measured = await runLoad(order(service, options.seed + 1, options.seconds), () => undefined)
  const counted = await countedRecords(page)
  const growth = (await heapMb(developer)) - before
  const stored = (await storedLogs(service, earlier)) - earlier
  return [
    { what: 'logs acknowledged', value: filled.result.items + measured.result.items, goal: null },
    { what: 'logs stored', value: stored, goal: null },
    { what: 'logs on the page', value: counted.received, goal: null },
    { what: 'logs dropped', value: counted.dropped, goal: null },
    { what: 'logs stored, neither shown nor dropped', value: stored - counted.received - counted.dropped, goal: 0 },
    { what: 'growth of the heap, MB', value: growth, goal: GROWTH_GOAL_MB }
  ]
}

/** How many logs are searchable, once there are so many. */
async function storedLogs(service: ServiceProcess, least: number): Promise<number> {
  // A session is shorter than a long run.
  const session = await Session.operator(service)
  for (;;) {
    const { data } = await session.call<TotalCount>('POST', '/graphql', { query: TOTAL })
    if (data.logs.total.value >= least) return data.logs.total.value
    await sleep(RECOUNT_MS)
  }
}

function order(service: ServiceProcess, seed: number, seconds: number): LoadOrder {
  return {
    kind: 'logs',
    target: targetOf(service),
    batch: BATCH,
    seed,
    warmUpSeconds: 0,
    pace: { connections: 4, rate: ROWS_PER_SECOND, seconds }
  }
}

interface TotalCount {
  readonly data: { readonly logs: { readonly total: { readonly value: number } } }
}

interface Counted {
  readonly received: number
  readonly dropped: number
}

/** Of the line above the list. */
const COUNTS = `(() => {
  const numbers = (document.querySelector('[aria-label="Live tail"][role="status"] + span')?.textContent ?? '')
    .replaceAll(/[,\\u202f]/g, '').match(/\\d+/g) ?? [];
  return { received: Number(numbers[0] ?? 0), dropped: Number(numbers[1] ?? 0) };
})()`

/** What the page counts, once it no longer changes. */
async function countedRecords(page: Page): Promise<Counted> {
  let counted = await page.evaluate<Counted>(COUNTS)
  for (let changedAt = performance.now(); performance.now() - changedAt < QUIET_MS;) {
    await sleep(RECOUNT_MS)
    // The policy of the page lets no function wait there.
    const now = await page.evaluate<Counted>(COUNTS)
    if (now.received !== counted.received || now.dropped !== counted.dropped) changedAt = performance.now()
    counted = now
  }
  return counted
}
