import { readFileSync } from 'node:fs'
import { beforeAll, expect, it } from '@jest/globals'
import { describeStory } from '../support/describe-story.js'
import { ResponseGate } from '../support/response-gate.js'
import type { Person } from '../support/story.js'

describeStory('the patterns of logs', story => {
  let ada: Person

  const patterns = () => ada.page.getByRole('grid', { name: 'Patterns' })

  beforeAll(async () => {
    const { api, first } = story.service()
    const at = (minutes: number): string => new Date(Date.now() - minutes * 60_000).toISOString()
    const many = (count: number, minutes: number, message: (i: number) => string) =>
      Array.from({ length: count }, (_, i) => ({
        message: message(i),
        timestamp: at(minutes + i / 60),
        level: 'info',
        service: 'shop'
      }))
    const logs = [
      ...many(200, 70, i => `order ${i} placed`),
      ...many(50, 65, i => `cart ${i} abandoned`),
      ...many(200, 10, i => `order ${i} placed`),
      ...many(40, 5, i => `payment ${i} declined by bank`)
    ]
    await api('/api/v1/logs/batch?ack=searchable', { method: 'POST', headers: { 'x-api-key': first.ingestKey }, json: { logs } })
    ada = await story.arrive()
    await ada.page.goto(`/n/${first.namespace}/logs`)
    await ada.signIn(first.email, first.password!)
    await ada.page.getByRole('grid', { name: 'Logs' }).waitFor()
  })

  it('are listed by their count, in the place of the rows', async () => {
    await ada.page.getByRole('button', { name: 'Patterns' }).click()
    await patterns()
      .getByRole('row', { name: /order <num> placed\s*info\s*shop\s*200/ })
      .waitFor()
    await patterns()
      .getByRole('row', { name: /payment <num> declined by bank\s*info\s*shop\s*40/ })
      .waitFor()
    expect(new URL(ada.page.url()).searchParams.get('view')).toBe('patterns')
    // They change rows of logs.
    for (const name of ['Wrap', 'Columns']) await ada.page.getByRole('button', { name }).waitFor({ state: 'detached' })
    await expect(ada.inspect()).resolves.toEqual([])
    await ada.picture('log-patterns')
  })

  it('show what changed against the window before', async () => {
    const url = new URL(ada.page.url())
    url.searchParams.set('cmp', 'prev')
    await ada.page.goto(url.href)
    const changed = [
      /cart <num> abandoned.*vanished, 50 before, q = /,
      /payment <num> declined by bank.*new, q = /,
      /no significant change/
    ]
    for (const [i, name] of changed.entries())
      await patterns()
        .getByRole('row', { name })
        .and(
          patterns()
            .getByRole('row')
            .nth(i + 1)
        )
        .waitFor()
    await ada.page.getByText('1 listed pattern vanished and is not counted.').waitFor()
    await ada.picture('log-patterns-compared')
    const [width, sheet] = await patterns().evaluate(({ clientWidth, scrollWidth }) => [clientWidth, scrollWidth])
    expect(sheet).toBe(width)
  })

  it('are copied as the request that lists them, and exported', async () => {
    const { page } = ada
    const menu = page.getByRole('button', { name: 'Panel menu: Templates' })
    await menu.click()
    const download = page.waitForEvent('download')
    await page.getByRole('menuitem', { name: 'Export CSV' }).click()
    const csv = readFileSync(await (await download).path(), 'utf8')
    expect(csv.split('\r\n').slice(0, 2)).toEqual([
      expect.stringMatching(/^id,template,count,/),
      expect.stringMatching(/^[0-9a-f]{20},cart <num> abandoned,0,/)
    ])
    await menu.click()
    await page.getByRole('menuitem', { name: 'Copy as GraphQL' }).click()
    await page.getByText('Copied', { exact: true }).waitFor()
    await expect(page.evaluate<string>('navigator.clipboard.readText()')).resolves.toContain('query LogPatterns')
    await expect(page.getByRole('button', { name: 'Panel menu: Logs' }).count()).resolves.toBe(0)
  })

  it('show a pattern that vanished, and its logs in the window before', async () => {
    const vanished = patterns().getByRole('row', { name: /cart <num> abandoned/ })
    await vanished.getByText(/^vanished, 50 before, q = /).waitFor()
    await vanished.getByRole('img', { name: '50 logs over the window before' }).waitFor()
    await vanished.getByText(/cart <num> abandoned/).click()
    await ada.page
      .getByRole('status', { name: 'Result' })
      .getByText(/^50 logs/)
      .waitFor()
    await ada.page.goBack()
    await patterns().waitFor()
  })

  it('report that the list ends before the patterns do, and what their counts leave out', async () => {
    const { api, first } = story.service()
    const word = (i: number): string => 'abcdefgh'[i % 8]!.repeat(3 + Math.floor(i / 8))
    const distinct = Array.from({ length: 123 }, (_, i) => ({ message: `${word(i)} ${word(i)} ended`, service: 'many' }))
    const wordless = [1, 2].map(() => ({ message: ' ', service: 'many' }))
    const logs = [...distinct, ...wordless]
    await api('/api/v1/logs/batch?ack=searchable', { method: 'POST', headers: { 'x-api-key': first.ingestKey }, json: { logs } })
    await ada.page.goto(`/n/${first.namespace}/logs?service=many&view=patterns`)
    const status = ada.page.getByRole('status', { name: 'Patterns found' })
    await status.getByText(/^100 of 123 patterns · Incomplete: the list ends at its limit of 100 patterns · /).waitFor()
    await ada.page.getByText('2 of 125 logs have no pattern.').waitFor()
    expect(await patterns().getAttribute('aria-rowcount')).toBe('-1')
    await ada.picture('log-patterns-cut')
    await expect(ada.inspect()).resolves.toEqual([])
    await ada.page.getByRole('button', { name: 'Why is this cut?' }).click()
    await ada.page.getByRole('dialog', { name: 'Why is this cut?' }).getByText('100 rows are loaded').waitFor()
    await ada.page.keyboard.press('Escape')
    await ada.page.goto(`/n/${first.namespace}/logs?service=shop&view=patterns`)
    await status.getByText(/^2 patterns · complete · /).waitFor()
  })

  it('report that their counts are cut, and why', async () => {
    const gate = await ResponseGate.open(ada.page)
    await gate.set('cut')
    await ada.page.getByRole('button', { name: 'Refresh', exact: true }).click()
    const status = ada.page.getByRole('status', { name: 'Patterns found' })
    await status.getByText(/^at least 2 patterns · Incomplete: the search stopped after 1,000,000 rows · /).waitFor()
    await gate.set('fail')
    await ada.page.getByRole('button', { name: 'Refresh', exact: true }).click()
    await status.getByText('The search failed; these are the last results.').waitFor()
    await patterns().waitFor()
    await gate.set('pass')
    await ada.page.getByRole('button', { name: 'Refresh', exact: true }).click()
    await status.getByText(/^2 patterns · complete · /).waitFor()
  })

  it('are not denied by the search before while the next one runs', async () => {
    const { page } = ada
    const query = page.getByRole('combobox', { name: 'Query' })
    const search = async (text: string): Promise<void> => {
      await query.fill(text)
      await query.press('Enter')
    }
    const status = page.getByRole('status', { name: 'Patterns found' })
    const denial = page.getByText('No log of this search has a pattern.')
    await search('nothing-like-this')
    await denial.waitFor()
    const gate = await ResponseGate.open(page, /^\s*query LogPatterns\b/)
    await gate.set('hold')
    await search('declined')
    await status.getByText('Searching…').waitFor()
    await expect(denial.count()).resolves.toBe(0)
    await gate.set('pass')
    await status.getByText(/^1 pattern · complete · /).waitFor()
    await page.unroute('**/graphql')
    await search('')
  })

  it('lead to their logs', async () => {
    await patterns()
      .getByText(/payment <num> declined by bank/)
      .click()
    await ada.page
      .getByRole('status', { name: 'Result' })
      .getByText(/^40 logs/)
      .waitFor()
    const { searchParams } = new URL(ada.page.url())
    expect([searchParams.get('view'), searchParams.get('q')]).toEqual([null, expect.stringMatching(/^pattern:[0-9a-f]{20}$/)])
  })

  const region = () => ada.page.getByRole('complementary', { name: 'Log detail' }).getByRole('region', { name: 'Pattern' })

  it('are named in the detail of a record, with the values of their variable parts', async () => {
    await ada.page.getByRole('grid', { name: 'Logs' }).getByRole('row').nth(1).click()
    await region().getByText('payment <num> declined by bank').waitFor()
    await region()
      .getByText(/^40 logs stored, new, first seen /)
      .waitFor()
    await region().getByRole('button', { name: 'Show the values of its variable parts' }).click()
    await region()
      .getByText(/^\$1 \(num\): \d+ \(1\), .*; 40 different$/)
      .waitFor()
    await expect(ada.inspect()).resolves.toEqual([])
    await ada.picture('log-pattern-of-record')
  })

  it('get a note and are muted there', async () => {
    await region().getByRole('button', { name: 'Edit note' }).click()
    const dialog = ada.page.getByRole('dialog', { name: 'Note on the pattern' })
    await dialog.getByRole('textbox', { name: 'Note' }).fill('Owned by payments')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await region().getByText('Owned by payments').waitFor()
    await region().getByRole('button', { name: 'Mute' }).click()
    await region()
      .getByText(/^40 logs stored, new, muted, first seen /)
      .waitFor()
    await region().getByRole('button', { name: 'Unmute' }).waitFor()
  })

  it('filter the search from there', async () => {
    const { page } = ada
    const q = (): string | null => new URL(page.url()).searchParams.get('q')
    const result = (text: RegExp): Promise<void> => page.getByRole('status', { name: 'Result' }).getByText(text).waitFor()
    const query = page.getByRole('combobox', { name: 'Query' })
    await query.fill('declined')
    await query.press('Enter')
    await result(/^40 logs/)
    await page.getByRole('grid', { name: 'Logs' }).getByRole('row').nth(1).click()
    await region().getByRole('button', { name: 'Filter out this pattern' }).click()
    await result(/^0 logs/)
    expect(q()).toMatch(/^declined -pattern:[0-9a-f]{20}$/)
    await page.goBack()
    await region().getByRole('button', { name: 'Filter for this pattern' }).click()
    await result(/^40 logs/)
    expect(q()).toMatch(/^declined pattern:[0-9a-f]{20}$/)
  })
})
