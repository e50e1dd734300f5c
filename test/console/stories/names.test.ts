import { beforeAll, expect, it } from '@jest/globals'
import type { Locator } from 'playwright-core'
import { describeStory } from '../support/describe-story.js'
import { findExamples } from '../support/examples.js'
import { sendShop } from '../support/shop.js'
import type { Person } from '../support/story.js'

type Role = Parameters<Locator['getByRole']>[0]
type Named = readonly (readonly [role: Role, name: string | RegExp])[]

const LOADING_MS = 60_000
const PAGES = [
  ...['Logs', 'Traces', 'Metrics', 'APM', 'Exceptions', 'RUM', 'Services', 'Infrastructure', 'OTLP status', 'Alerts', 'Settings']
]

/** What assistive technology and tests find pages by. */
describeStory('names and roles', story => {
  let ada: Person

  const find = async (inside: Pick<Locator, 'getByRole'>, names: Named): Promise<void> => {
    for (const [role, name] of names)
      await inside
        .getByRole(role, { name, exact: typeof name === 'string' })
        .first()
        .waitFor()
  }
  const open = (path: string): Promise<unknown> => ada.page.goto(`/n/${story.service().first.namespace}/${path}`)

  beforeAll(async () => {
    await sendShop(story.service())
    ada = await story.arrive()
  }, LOADING_MS)

  it('of signing in and creating an account', async () => {
    const { page } = ada
    await page.goto('/')
    await find(page, [
      ['heading', 'Sign in'],
      ['textbox', 'E-mail'],
      ['button', 'Sign in']
    ])
    await page.getByLabel('Password').fill('wrong password')
    await page.getByRole('textbox', { name: 'E-mail' }).fill('absent@example.test')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('alert').waitFor()
    await page.getByRole('link', { name: 'Create an account' }).click()
    await find(page, [
      ['heading', 'Create an account'],
      ['button', 'Create account']
    ])
    await page.goto('/')
    await ada.signIn(story.service().first.email, story.service().first.password!)
    await page.getByRole('heading', { level: 1, name: 'Logs' }).waitFor()
  })

  it('of the frame', async () => {
    const { page } = ada
    const { namespace } = story.service().first
    await page.getByRole('link', { name: 'Skip to content' }).waitFor({ state: 'attached' })
    await page.getByRole('main').waitFor()
    const main = page.getByRole('navigation', { name: 'Main' })
    await expect(main.getByRole('link').allTextContents()).resolves.toEqual(PAGES)
    await expect(main.getByRole('link', { name: 'Logs' }).getAttribute('aria-current')).resolves.toBe('page')
    await page.getByRole('button', { name: `Namespace: ${namespace}` }).click()
    await find(page, [['menuitemradio', namespace]])
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Account' }).click()
    await find(page, [
      ['menuitemradio', 'Light'],
      ['menuitemradio', 'Dark'],
      ['menuitemradio', 'System'],
      ['menuitem', 'Sign out']
    ])
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Time range: Last 1 hour' }).click()
    const dialog = page.getByRole('dialog', { name: 'Time range' })
    await find(dialog, [
      ['button', 'Last 15 minutes'],
      ['button', 'Last 1 hour'],
      ['button', 'Last 24 hours'],
      ['textbox', 'From'],
      ['textbox', 'To'],
      ['combobox', 'Time zone'],
      ['button', 'Apply']
    ])
    await dialog.getByRole('button', { name: 'Last 15 minutes' }).click()
    await find(page, [
      ['button', 'Time range: Last 15 minutes'],
      ['button', 'Undo zoom'],
      ['button', 'Copy link'],
      ['button', 'Refresh']
    ])
  })

  it('of a list and its filters', async () => {
    const { page } = ada
    await open('logs?level=error')
    await page
      .getByRole('row', { name: /acquirer/ })
      .first()
      .waitFor()
    await page
      .getByRole('status', { name: 'Result' })
      .getByText(/^[\d,]+ logs · complete/)
      .waitFor()
    const grid = page.getByRole('grid', { name: 'Logs' })
    await expect(grid.getAttribute('aria-rowcount')).resolves.toMatch(/^\d+$/)
    const row = grid.getByRole('row').nth(1)
    await expect(row.getAttribute('aria-rowindex')).resolves.toBe('2')
    await expect(row.getAttribute('aria-selected')).resolves.toBe('false')
    await find(page, [
      ['button', /^Remove filter .*error/],
      ['gridcell', /acquirer/],
      ['status', 'Result']
    ])
    await page.getByRole('button', { name: 'Columns' }).click()
    await find(page, [['menuitemcheckbox', 'service']])
    await page.keyboard.press('Escape')
    await page.getByRole('combobox', { name: 'Query' }).pressSequentially('serv')
    await page
      .getByRole('listbox', { name: 'Suggestions' })
      .getByRole('option', { name: /service/ })
      .first()
      .waitFor()
    await page.keyboard.press('Escape')
  })

  it('of a record', async () => {
    const { page } = ada
    await page
      .getByRole('grid', { name: 'Logs' })
      .getByRole('row', { name: /acquirer/ })
      .first()
      .click()
    const detail = page.getByRole('complementary', { name: 'Log detail' })
    await find(detail, [
      ['button', 'Close'],
      ['tree', 'Fields'],
      ['button', 'Filter for service payments'],
      ['button', 'Filter out service payments'],
      ['link', 'Open trace'],
      ['region', 'Surrounding logs'],
      ['region', 'Related signals']
    ])
  })

  it('of a trace and a span', async () => {
    const { page } = ada
    const { traceId } = await findExamples(story.service())
    await open(`traces/${traceId}`)
    const spans = page.getByRole('treegrid', { name: 'Spans' })
    const row = spans.getByRole('row').nth(1)
    await row.waitFor()
    for (const name of ['aria-level', 'aria-rowindex', 'aria-selected', 'aria-expanded'])
      await expect(row.getAttribute(name)).resolves.not.toBeNull()
    await expect(spans.getAttribute('aria-rowcount')).resolves.toMatch(/^\d+$/)
    await row.click()
    await find(page, [['complementary', 'Span detail']])
  })

  it('of panels and their menus', async () => {
    const { page } = ada
    await open('metrics?e=sum({"http.server.requests"})')
    const figure = page.getByRole('figure', { name: 'Chart' })
    await figure.getByRole('button', { name: 'Show data' }).click()
    await figure.getByRole('table').waitFor()
    await page.getByRole('button', { name: 'Panel menu: Chart' }).click()
    await find(page, [
      ['menuitem', 'Copy as curl'],
      ['menuitem', 'Copy as GraphQL'],
      ['menuitem', 'Copy as PromQL'],
      ['menuitem', 'Export CSV']
    ])
    await page.keyboard.press('Escape')
  })

  it('of OTLP status and of keys', async () => {
    const { page } = ada
    await open('otlp')
    await page.getByRole('button', { name: 'Send a test span' }).click()
    await page.getByRole('link', { name: 'Open test trace' }).waitFor()
    await open('settings/keys')
    await page.getByRole('button', { name: 'Create key' }).click()
    const dialog = page.getByRole('dialog', { name: 'Create key' })
    await find(dialog, [
      ['textbox', 'Name'],
      ['combobox', 'Kind'],
      ['button', 'Create']
    ])
    await dialog.getByRole('textbox', { name: 'Name' }).fill('names')
    await dialog.getByRole('button', { name: 'Create', exact: true }).click()
    await page.getByRole('textbox', { name: 'Secret' }).waitFor()
    await page.getByRole('button', { name: /^Copy/ }).first().waitFor()
    expect(ada.faults).toEqual([])
  })
})
