import { beforeAll, expect, it } from '@jest/globals'
import type { Locator, Page } from 'playwright-core'
import { describeStory } from '../support/describe-story.js'
import { addNamespace, createIngestKey } from '../support/examples.js'
import { ResponseGate } from '../support/response-gate.js'
import type { Person } from '../support/story.js'

const OTHER = 'other'
const PAGES = ['logs', 'traces', 'apm', 'errors', 'rum', 'hosts', 'otlp', 'settings/keys'] as const
const EVERY_PAGE_MS = 60_000

describeStory('two namespaces', story => {
  let ada: Person
  let own: string

  const rows = (page: Page): Locator => page.getByRole('grid', { name: 'Logs' }).getByRole('row')
  const row = (page: Page, message: string): Locator => page.getByRole('row', { name: new RegExp(message) })
  const logs = (namespace: string): string => `/n/${namespace}/logs`
  const switchTo = async (page: Page, namespace: string): Promise<void> => {
    await page.getByRole('button', { name: /^Namespace: / }).click()
    await page.getByRole('menuitemradio', { name: namespace, exact: true }).click()
    await page.waitForURL(`**${logs(namespace)}`)
  }

  beforeAll(async () => {
    const { api, first } = story.service()
    own = first.namespace
    await addNamespace(story.service(), OTHER)
    for (const [word, key] of [
      ['mine', first.ingestKey],
      ['theirs', await createIngestKey(story.service(), OTHER)]
    ]) {
      const headers = { 'x-api-key': key! }
      const sent = Array.from({ length: 20 }, (_, i) => ({ message: `${word} ${i}`, level: 'info', service: `${word}-shop` }))
      await api('/api/v1/logs/batch?ack=searchable', { method: 'POST', headers, json: { logs: sent } })
    }
    ada = await story.arrive()
    await ada.page.goto(logs(own))
    await ada.signIn(first.email, first.password!)
    await row(ada.page, 'mine 19').waitFor()
  })

  it('are each in a tab of its own, also when both load at once', async () => {
    const tab = await ada.page.context().newPage()
    await tab.goto(logs(OTHER))
    await row(tab, 'theirs 19').waitFor()
    await Promise.all([ada.page.reload(), tab.reload()])
    await Promise.all([row(ada.page, 'mine 19').waitFor(), row(tab, 'theirs 19').waitFor()])
    await Promise.all([ada.page, tab].map(page => page.getByRole('button', { name: 'Refresh', exact: true }).click()))
    await Promise.all([row(ada.page, 'mine 19').waitFor(), row(tab, 'theirs 19').waitFor()])
    await expect(tab.locator('body').textContent()).resolves.not.toContain('mine')
    await expect(ada.page.locator('body').textContent()).resolves.not.toContain('theirs')
    await tab.close()
  })

  it('never show the rows of the one that was left, while the response of the other is slow', async () => {
    const { page } = ada
    const gate = await ResponseGate.open(page)
    await gate.set('hold')
    await switchTo(page, OTHER)
    await page.getByRole('button', { name: `Namespace: ${OTHER}` }).waitFor()
    await expect(page.getByText('mine').count()).resolves.toBe(0)
    await gate.set('pass')
    await row(page, 'theirs 19').waitFor()
    await expect(page.getByText('mine').count()).resolves.toBe(0)
  })

  it('never show a response that arrives after its namespace was left', async () => {
    const { page } = ada
    const gate = await ResponseGate.open(page)
    await gate.set('hold')
    await page.getByRole('button', { name: 'Refresh', exact: true }).click()
    await switchTo(page, own)
    await gate.set('pass')
    await row(page, 'mine 19').waitFor()
    expect(await rows(page).allTextContents()).not.toEqual(expect.arrayContaining([expect.stringContaining('theirs')]))
    await expect(page.locator('body').textContent()).resolves.not.toContain('theirs')
  })

  it(
    'share nothing on any page',
    async () => {
      const { page } = ada
      for (const name of PAGES) {
        await page.goto(`/n/${own}/${name}`)
        await page.getByRole('heading', { level: 1 }).waitFor()
        await page.goto(`/n/${OTHER}/${name}`)
        await page.getByRole('heading', { level: 1 }).waitFor()
        await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' })
        await expect(page.getByText('mine').count()).resolves.toBe(0)
      }
      expect(ada.faults).toEqual([])
    },
    EVERY_PAGE_MS
  )
})
