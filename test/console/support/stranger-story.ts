import { expect, it } from '@jest/globals'
import type { Response } from 'playwright-core'
import { sendDemo } from './demo.js'
import type { Story } from './describe-story.js'
import type { Hands } from './hands.js'
import { joinAs } from './second-user.js'
import type { Person } from './story.js'

/** The demo sends twenty minutes of a shop. */
const DEMO_MS = 120_000
/** With the keyboard, a step is dozens of presses of Tab. */
const STEP_MS = 60_000

function isOrderedByErrors(response: Response): boolean {
  return response.request().postData()?.includes('"ERROR_RATE"') ?? false
}

/** Cases: what a stranger does between an empty folder and a link for a colleague. */
export function strangerStory(story: Story, handsOf: (person: Person) => Hands): void {
  let ada: Person
  let hands: Hands
  const heading = (name: string | RegExp): Promise<void> => ada.page.getByRole('heading', { level: 1, name }).waitFor()
  const main = () => ada.page.getByRole('navigation', { name: 'Main' })
  const rowsOf = (person: Person): Promise<readonly string[]> =>
    person.page.getByRole('grid', { name: 'Logs' }).getByRole('row').getByRole('gridcell').allTextContents()

  it(
    'signs in and reads how to send',
    async () => {
      const { first } = story.service()
      ada = await story.arrive()
      hands = handsOf(ada)
      await ada.page.goto('/')
      await hands.write(ada.page.getByRole('textbox', { name: 'E-mail' }), first.email)
      await hands.write(ada.page.getByLabel('Password'), first.password!)
      await hands.activate(ada.page.getByRole('button', { name: 'Sign in' }))
      await ada.page.getByRole('heading', { name: 'No logs are stored in this namespace yet' }).waitFor()
      await hands.activate(ada.page.getByRole('button', { name: 'Create an ingest key' }))
      await ada.page.getByText('The command has a new ingest key').waitFor()
      await ada.page.getByRole('region', { name: 'Demo' }).getByText('npm run demo').waitFor()
    },
    STEP_MS
  )

  it(
    'sends the demo and sees it arrive by itself',
    async () => {
      const command = await ada.page.getByRole('region', { name: 'Command' }).locator('pre').textContent()
      const [, key] = /X-API-Key: (\S+)'/.exec(command!)!
      await sendDemo(story.service().url, key!)
      await story.service().settle()
      await ada.page
        .getByRole('status', { name: 'Result' })
        .getByText(/logs · complete/)
        .waitFor()
      await ada.picture('story-demo')
    },
    DEMO_MS
  )

  it(
    'finds the service that the deploy broke',
    async () => {
      await hands.activate(main().getByRole('link', { name: 'APM' }))
      await heading('APM')
      // Rows that change their place under the mouse would open another service.
      await Promise.all([
        ada.page.waitForResponse(isOrderedByErrors, { timeout: STEP_MS }),
        hands.choose(ada.page.getByRole('combobox', { name: 'Order' }), 'Highest error rate')
      ])
      await ada.page.locator('section[aria-label=Services][aria-busy=false]').waitFor()
      await hands.openRow(ada.page.getByRole('grid', { name: 'Services' }), /payments/)
      await heading('payments')
      await ada.page.getByRole('figure', { name: 'Error rate' }).locator('canvas').waitFor()
      await ada.picture('story-service')
    },
    STEP_MS
  )

  it(
    'goes from the service to its exception, and from there to a trace',
    async () => {
      await hands.activate(ada.page.getByRole('link', { name: 'PaymentTimeout' }))
      await heading('PaymentTimeout')
      await ada.page.getByRole('region', { name: 'Sample trace' }).waitFor()
      await ada.picture('story-exception')
      await hands.activate(ada.page.getByRole('link', { name: 'Open trace' }))
      await heading(/· POST \/checkout gateway$/)
    },
    STEP_MS
  )

  it(
    'goes from the failed span to its logs, and from a log back to the span',
    async () => {
      await hands.openRow(ada.page.getByRole('treegrid', { name: 'Spans' }), /payments.*POST \/checkout payments/)
      const span = ada.page.getByRole('complementary', { name: 'Span detail' })
      await span.waitFor()
      await ada.picture('story-trace')
      await hands.activate(span.getByRole('link', { name: 'Open logs' }))
      await heading('Logs')
      await hands.openRow(ada.page.getByRole('grid', { name: 'Logs' }), /acquirer did not respond/)
      const log = ada.page.getByRole('complementary', { name: 'Log detail' })
      await ada.picture('story-log')
      await hands.activate(log.getByRole('link', { name: 'Open trace' }))
      await heading(/· POST \/checkout gateway$/)
      await expect(ada.page.locator('[role=row][aria-selected=true]').textContent()).resolves.toContain('payments')
    },
    STEP_MS
  )

  it(
    'comes back to the exception by Back',
    async () => {
      for (const name of ['Logs', 'Logs', /POST \/checkout gateway$/, /POST \/checkout gateway$/, 'PaymentTimeout']) {
        await ada.page.goBack()
        await heading(name)
      }
    },
    STEP_MS
  )

  it(
    'compares the logs with the hour before',
    async () => {
      await hands.activate(main().getByRole('link', { name: 'Logs' }))
      await heading('Logs')
      await hands.choose(ada.page.getByRole('combobox', { name: 'Compare with' }), 'window before')
      const figure = ada.page.getByRole('figure', { name: 'Logs over time' })
      await figure.getByText(/window before: [\d,]+ logs/).waitFor()
      await figure.locator('polyline').waitFor({ state: 'attached' })
      await ada.picture('story-compare')
    },
    STEP_MS
  )

  it(
    'shares the rows as a frozen link, with a member in another zone',
    async () => {
      await hands.write(ada.page.getByRole('combobox', { name: 'Query' }), 'level:error service:payments')
      await hands.activate(ada.page.getByRole('button', { name: 'Search', exact: true }))
      await ada.page.waitForURL(url => url.searchParams.has('q'))
      const result = ada.page.getByRole('status', { name: 'Result' })
      await result.getByText(/^\d+ logs · complete/).waitFor()
      await hands.chooseItem(
        ada.page.getByRole('button', { name: 'Copy link' }),
        ada.page.getByRole('menuitem', { name: /^Frozen/ })
      )
      await ada.page.getByText('Frozen link copied.').waitFor()
      const link = await ada.page.evaluate<string>('navigator.clipboard.readText()')
      const bob = await story.arrive({ zone: 'America/New_York' })
      const { email, password } = await joinAs(story.service(), 'MEMBER', 'bob@example.test')
      await bob.page.goto(link)
      await bob.signIn(email, password)
      await bob.page.getByRole('columnheader', { name: 'Time (UTC)' }).waitFor()
      const [count] = /^\d+ logs/.exec((await result.textContent())!)!
      await bob.page.getByRole('status', { name: 'Result' }).getByText(count).waitFor()
      // A grid renders as many rows as its height shows, which depends on what is above it.
      const [ofAda, ofBob] = [await rowsOf(ada), await rowsOf(bob)]
      const shared = Math.min(ofAda.length, ofBob.length)
      expect(shared).toBeGreaterThan(0)
      expect(ofBob.slice(0, shared)).toEqual(ofAda.slice(0, shared))
      expect([...ada.faults, ...bob.faults]).toEqual([])
    },
    STEP_MS
  )
}
