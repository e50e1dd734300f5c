import { beforeAll, expect, it } from '@jest/globals'
import type { Locator } from 'playwright-core'
import { describeStory } from '../support/describe-story.js'
import { joinAs } from '../support/second-user.js'
import type { Person } from '../support/story.js'

const MINUTE_MS = 60_000
const STORY_MS = 60_000
const MEASURE = 'logs?view=measure&fn=p95&field=ms&by=service&q=service:(cart OR pay)'

describeStory('measures that are saved as metrics', story => {
  let ada: Person
  const open = (person: Person, path: string): Promise<unknown> =>
    person.page.goto(`/n/${story.service().first.namespace}/${path}`)
  const saveButton = (person: Person): Locator => person.page.getByRole('button', { name: 'Save as metric' })
  const dialog = (name: string): Locator => ada.page.getByRole('dialog', { name })
  const saved = (): Locator => ada.page.getByRole('grid', { name: 'Saved measures' })
  const overflowPx = (): Promise<number> =>
    ada.page.locator('html').evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)

  beforeAll(async () => {
    const { api, first } = story.service()
    const nowMs = Date.now()
    const logs = Array.from({ length: 240 }, (_, i) => ({
      message: `order ${i}`,
      service: i % 4 === 0 ? 'pay' : 'cart',
      timestamp: new Date(nowMs - (2 + i / 5) * MINUTE_MS).toISOString(),
      log_fields: { ms: i % 4 === 0 ? 900 : 100 }
    }))
    const headers = { 'x-api-key': first.ingestKey }
    await api('/api/v1/logs/batch?ack=searchable', { method: 'POST', headers, json: { logs } })
    ada = await story.arrive()
    await open(ada, MEASURE)
    await ada.signIn(first.email, first.password!)
  })

  it('by keyboard, with what is wrong under its field', async () => {
    await ada.page.getByRole('button', { name: 'Save as metric', disabled: false }).press('Enter')
    await dialog('Save as metric').getByText('p95 of ms by service of logs with service:(cart OR pay)').waitFor()
    const name = dialog('Save as metric').getByRole('textbox', { name: 'Name' })
    await name.fill('order ms')
    await name.press('Enter')
    await dialog('Save as metric')
      .getByRole('alert')
      .getByText(/^Name must be the name of a metric/)
      .waitFor()
    await expect(name.getAttribute('aria-invalid')).resolves.toBe('true')
    await ada.picture('save-measure-refused')
    await expect(ada.inspect()).resolves.toEqual([])
    await name.fill('order_ms')
    await dialog('Save as metric').getByRole('textbox', { name: 'Description' }).fill('How long orders take')
    const start = dialog('Save as metric').getByRole('textbox', { name: 'Compute the past' })
    await start.fill('yesterday')
    await start.press('Enter')
    await expect(start.evaluate((input: { readonly validationMessage?: string }) => input.validationMessage)).resolves.toMatch(
      /such as now-7d/
    )
    await start.fill('now-1h')
    await start.press('Enter')
    await dialog('Save as metric')
      .getByText(/Steps since [\d-]* ?\d\d:\d\d:\d\d\.\d{3} are computed in the background\.$/)
      .waitFor()
    await ada.picture('save-measure-saved')
    await expect(ada.inspect()).resolves.toEqual([])
  })

  it(
    'are listed in the settings with their progress, and lead to their metric',
    async () => {
      await dialog('Save as metric').getByRole('link', { name: 'Saved measures' }).press('Enter')
      await saved()
        .getByRole('row', { name: /order_ms histogram of ms by service 1m .*up to date/ })
        .waitFor({ timeout: STORY_MS })
      await saved().focus()
      await ada.page.keyboard.press('Enter')
      const detail = ada.page.getByRole('complementary', { name: 'Saved measure' })
      await detail.getByText('How long orders take').waitFor()
      await detail.getByText(/: computed$/).waitFor()
      await ada.picture('saved-measures')
      await expect(ada.inspect()).resolves.toEqual([])
      await detail.getByRole('link', { name: 'Open in metrics' }).press('Enter')
      await ada.page.getByRole('button', { name: 'Show data' }).click()
      await ada.page.getByRole('columnheader', { name: /pay/ }).first().waitFor()
      await ada.picture('saved-measure-metric')
    },
    2 * STORY_MS
  )

  it('of a name that is taken are refused, and so are functions without a sum', async () => {
    await open(ada, MEASURE)
    await saveButton(ada).click()
    const name = dialog('Save as metric').getByRole('textbox', { name: 'Name' })
    await name.fill('order_ms')
    await name.press('Enter')
    await dialog('Save as metric')
      .getByRole('alert')
      .getByText(/choose another name$/)
      .waitFor()
    await ada.page.keyboard.press('Escape')
    await ada.page.getByRole('combobox', { name: 'Function' }).selectOption('different values')
    await ada.page.getByRole('button', { name: 'Save as metric', disabled: true }).waitFor()
    await expect(saveButton(ada).getAttribute('title')).resolves.toMatch(/do not add up/)
  })

  it('are saved although their backfill is refused, which can be repeated, while the page still measures', async () => {
    await open(ada, 'logs?view=measure')
    await saveButton(ada).click()
    await ada.page.route('**/graphql', async route => {
      if (!route.request().postData()!.includes('MeasureChart')) await route.continue()
    })
    await dialog('Save as metric').getByRole('textbox', { name: 'Name' }).fill('all_logs')
    await dialog('Save as metric').getByRole('textbox', { name: 'Compute the past' }).fill('now+1h')
    await dialog('Save as metric').getByRole('button', { name: 'Save' }).click()
    await dialog('Save as metric')
      .getByRole('alert')
      .getByText(/^Past steps are not computed: /)
      .waitFor()
    await ada.picture('save-measure-backfill-refused')
    await dialog('Save as metric').getByRole('textbox', { name: 'From' }).fill('now-1h')
    await dialog('Save as metric').getByRole('button', { name: 'Compute' }).click()
    await dialog('Save as metric')
      .getByText(/Steps since .* are computed in the background\.$/)
      .waitFor()
    await expect(dialog('Save as metric').getByRole('alert').count()).resolves.toBe(0)
    await expect(dialog('Save as metric').getByRole('textbox', { name: 'From' }).count()).resolves.toBe(0)
    await expect(
      dialog('Save as metric')
        .getByRole('status')
        .evaluate(status => status.matches(':focus'))
    ).resolves.toBe(true)
    await ada.page.unroute('**/graphql')
  })

  it('can be neither saved nor deleted by a viewer, who reads why', async () => {
    const { email, password } = await joinAs(story.service(), 'VIEWER', 'eve@example.test')
    const eve = await story.arrive()
    await open(eve, MEASURE)
    await eve.signIn(email, password)
    await eve.page
      .getByRole('button', { name: 'Save as metric', disabled: true })
      .and(eve.page.getByTitle(/^Requires the role member/))
      .waitFor()
    await open(eve, 'settings/measures?sel=order_ms')
    await eve.page.getByRole('button', { name: 'Delete', disabled: true }).waitFor()
    expect(eve.faults).toEqual([])
  })

  it('fit 800 px in both themes', async () => {
    await ada.page.setViewportSize({ width: 800, height: 900 })
    await open(ada, MEASURE)
    for (const theme of ['Light', 'Dark'] as const) {
      await ada.chooseTheme(theme)
      await saveButton(ada).click()
      await dialog('Save as metric').getByRole('textbox', { name: 'Upper bounds' }).waitFor()
      await expect(overflowPx()).resolves.toBe(0)
      await expect(ada.inspect()).resolves.toEqual([])
      await ada.picture(`save-measure-800-${theme.toLowerCase()}`)
      await ada.page.keyboard.press('Escape')
    }
    await open(ada, 'settings/measures?sel=order_ms')
    await ada.page.getByRole('complementary', { name: 'Saved measure' }).waitFor()
    await expect(overflowPx()).resolves.toBe(0)
    await expect(ada.inspect()).resolves.toEqual([])
    await ada.picture('saved-measures-800-dark')
  })

  it('are deleted after a confirmation', async () => {
    for (const [name, isLast] of [
      ['order_ms', false],
      ['all_logs', true]
    ] as const) {
      await open(ada, `settings/measures?sel=${name}`)
      await ada.page.getByRole('button', { name: 'Delete' }).click()
      await dialog('Delete saved measure').getByRole('button', { name: 'Delete' }).click()
      if (!isLast) await saved().getByRole('row', { name }).waitFor({ state: 'detached' })
    }
    await ada.page.getByRole('heading', { name: 'No saved measures yet' }).waitFor()
    expect(ada.faults).toEqual([])
  })
})
