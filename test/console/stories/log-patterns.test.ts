import { beforeAll, expect, it } from '@jest/globals'
import { describeStory } from '../support/describe-story.js'
import type { Person } from '../support/story.js'

describeStory('the patterns of logs', story => {
  let ada: Person

  const patterns = () => ada.page.getByRole('grid', { name: 'Patterns' })

  beforeAll(async () => {
    const { api, first } = story.service()
    const at = (minutes: number): string => new Date(Date.now() - minutes * 60_000).toISOString()
    const many = (count: number, minutes: number, message: (i: number) => string) =>
      Array.from({ length: count }, (_, i) => ({ message: message(i), timestamp: at(minutes + i / 60), service: 'shop' }))
    const logs = [
      ...many(200, 70, i => `order ${i} placed`),
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
      .getByRole('row', { name: /order <num> placed\s*200/ })
      .waitFor()
    await patterns()
      .getByRole('row', { name: /payment <num> declined by bank\s*40/ })
      .waitFor()
    expect(new URL(ada.page.url()).searchParams.get('view')).toBe('patterns')
    await expect(ada.inspect()).resolves.toEqual([])
    await ada.picture('log-patterns')
  })

  it('show what changed against the window before', async () => {
    const url = new URL(ada.page.url())
    url.searchParams.set('cmp', 'prev')
    await ada.page.goto(url.href)
    const first = patterns().getByRole('row').nth(1)
    await first.getByText(/payment <num> declined by bank/).waitFor()
    await first.getByText(/^new, q = /).waitFor()
    await patterns()
      .getByText(/no significant change/)
      .waitFor()
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
})
