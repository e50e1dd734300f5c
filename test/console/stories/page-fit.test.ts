import { beforeAll, expect, it } from '@jest/globals'
import type { Locator } from 'playwright-core'
import { describeStory } from '../support/describe-story.js'
import { sendShop } from '../support/shop.js'
import type { Person } from '../support/story.js'

const LOADING_MS = 60_000

/** A window of 1,440 by 900 px. */
describeStory('a page in a usual window', story => {
  let ada: Person

  const open = (path: string): Promise<unknown> => ada.page.goto(`/n/${story.service().first.namespace}/${path}`)
  /** Pixels by which the content of an element is wider and higher than what it shows. */
  const overflow = (element: Locator): Promise<number[]> =>
    element.evaluate(({ scrollWidth, clientWidth, scrollHeight, clientHeight }) => [
      scrollWidth - clientWidth,
      scrollHeight - clientHeight
    ])
  const rows = (name: string): Locator => ada.page.getByRole('grid', { name }).getByRole('row')

  beforeAll(async () => {
    await sendShop(story.service())
    ada = await story.arrive()
    await open('logs')
    await ada.signIn(story.service().first.email, story.service().first.password!)
    await rows('Logs').nth(1).waitFor()
  }, LOADING_MS)

  it.each([
    ['Logs', 'logs'],
    ['Traces', 'traces'],
    ['Services', 'apm'],
    ['Exceptions', 'errors'],
    ['Hosts', 'hosts']
  ])('has all columns of %s in view (%s)', async (name, path) => {
    await open(path)
    const grid = ada.page.getByRole('grid', { name })
    await grid.waitFor()
    expect((await overflow(grid))[0]).toBe(0)
  })

  it('has the header of a list without rows in view', async () => {
    await open('services')
    const grid = ada.page.getByRole('grid', { name: 'Listeners' })
    await grid.waitFor({ state: 'attached' })
    await expect(overflow(grid)).resolves.toEqual([0, 0])
  })

  it('has the message of each row in view next to the open record', async () => {
    await open('logs?level=error')
    await rows('Logs').nth(1).click()
    await ada.page.getByRole('region', { name: 'Surrounding logs' }).waitFor()
    const grid = ada.page.getByRole('grid', { name: 'Logs' })
    expect((await overflow(grid))[0]).toBe(0)
    const message = (await grid.getByRole('columnheader', { name: 'Message' }).boundingBox())!
    expect(message.width).toBeGreaterThanOrEqual(200)
    await expect(overflow(ada.page.locator('html'))).resolves.toEqual([0, 0])
    await ada.picture('message-next-to-detail')
  })

  it.each(['logs', 'traces'])('scrolls the list of %s, not the page, also below a value that is not valid', async path => {
    await open(`${path}?from=yesterday`)
    await ada.page.getByText('from=yesterday', { exact: true }).waitFor()
    await rows(path === 'logs' ? 'Logs' : 'Traces')
      .nth(1)
      .waitFor()
    await ada.page.getByRole('group', { name: 'service' }).waitFor()
    const views = await ada.page.getByRole('main').locator('> div').all()
    expect(views).not.toHaveLength(0)
    for (const view of views) await expect(overflow(view)).resolves.toEqual([0, 0])
    expect(ada.faults).toEqual([])
  })
})
