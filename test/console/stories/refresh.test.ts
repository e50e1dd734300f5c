import { beforeAll, expect, it } from '@jest/globals'
import type { Request } from 'playwright-core'
import { describeStory } from '../support/describe-story.js'
import { ResponseGate } from '../support/response-gate.js'
import type { Person } from '../support/story.js'

const INTERVAL_MS = 10_000

/** The name of the GraphQL query that a request has. */
function queryOf(request: Request): string | undefined {
  return /query (\w+)/.exec(request.postData() ?? '')?.[1]
}

describeStory('a page that is read again', story => {
  let ada: Person
  /** Names of the queries that the page has sent. */
  const sent: string[] = []

  beforeAll(async () => {
    const { api, first } = story.service()
    const headers = { 'x-api-key': first.ingestKey }
    await api('/api/v1/logs?ack=searchable', { method: 'POST', headers, json: { message: 'order placed', level: 'info' } })
    ada = await story.arrive()
    await ada.page.clock.install()
    ada.page.on('request', request => {
      const name = queryOf(request)
      if (name !== undefined) sent.push(name)
    })
    await ada.page.goto(`/n/${first.namespace}/logs`)
    await ada.signIn(first.email, first.password!)
    await loaded()
  })

  const loaded = async (): Promise<void> => {
    await ada.page
      .getByRole('status', { name: 'Result' })
      .getByText(/^1 log · complete/)
      .waitFor()
    await ada.page.getByRole('row', { name: /order placed/ }).waitFor()
    await ada.page.locator('[aria-label="Logs over time"]:not([data-stale])').waitFor()
  }

  it('sends each query once', async () => {
    sent.length = 0
    await Promise.all([
      ada.page.waitForResponse(response => queryOf(response.request()) === 'LogSummary'),
      ada.page.getByRole('button', { name: 'Refresh', exact: true }).click()
    ])
    await loaded()
    expect(sent).toEqual(expect.arrayContaining(['LogRows', 'LogSummary']))
    expect(sent).toEqual([...new Set(sent)])
  })

  it('is read at an interval, but not while it still reads', async () => {
    const { page } = ada
    const turn = (): Promise<unknown> =>
      Promise.all([page.waitForRequest(request => queryOf(request) === 'LogRows'), page.clock.fastForward(INTERVAL_MS)])
    const gate = await ResponseGate.open(page)
    sent.length = 0
    await gate.set('hold')
    await page.getByRole('combobox', { name: 'Refresh interval' }).selectOption('10s')
    await turn()
    await page.clock.fastForward(INTERVAL_MS)
    await page.clock.fastForward(INTERVAL_MS)
    await gate.set('pass')
    await loaded()
    expect(sent.filter(name => name === 'LogRows')).toHaveLength(1)
    await turn()
    await loaded()
    expect(ada.faults).toEqual([])
  })

  it('has no interval without a window', async () => {
    await ada.page.goto(`/n/${story.service().first.namespace}/settings`)
    await ada.page.getByRole('button', { name: 'Refresh', exact: true }).waitFor()
    await expect(ada.page.getByRole('combobox', { name: 'Refresh interval' }).count()).resolves.toBe(0)
  })
})
