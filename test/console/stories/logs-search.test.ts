import { beforeAll, expect, it } from '@jest/globals'
import { describeStory } from '../support/describe-story.js'
import { ResponseGate } from '../support/response-gate.js'
import type { Person } from '../support/story.js'

const HOSTILE = '<img src=x onerror="fetch(\'//evil.test\')"> \u202etxet \u001b[31mred javascript:alert(1)'

describeStory('a search for logs', story => {
  let ada: Person

  const result = (text: RegExp): Promise<void> => ada.page.getByRole('status', { name: 'Result' }).getByText(text).waitFor()

  beforeAll(async () => {
    const { api, first } = story.service()
    const at = (minutes: number): string => new Date(Date.now() - minutes * 60_000).toISOString()
    const logs = [
      ...Array.from({ length: 30 }, (_, i) => ({
        message: `order ${i} placed`,
        level: i % 3 === 0 ? 'warn' : 'info',
        service: i % 2 === 0 ? 'checkout' : 'cart',
        timestamp: at(i + 1),
        log_fields: { order_id: i, region: i % 2 === 0 ? 'eu-west' : 'us-east' }
      })),
      {
        message: HOSTILE,
        level: 'error',
        service: 'evil',
        timestamp: at(5),
        log_fields: { constructor: '=1+1', link: 'javascript:alert(1)' }
      },
      { message: 'x'.repeat(200_000), level: 'info', service: 'long', timestamp: at(6) }
    ]
    await api('/api/v1/logs/batch?ack=searchable', { method: 'POST', headers: { 'x-api-key': first.ingestKey }, json: { logs } })
    ada = await story.arrive()
    await ada.page.goto(`/n/${first.namespace}/logs`)
    await ada.signIn(first.email, first.password!)
    await result(/^32 logs · complete/)
  })

  it('completes fields and values by keys alone', async () => {
    await ada.page.keyboard.press('/')
    await ada.page.keyboard.type('reg')
    await ada.page
      .getByRole('listbox', { name: 'Suggestions' })
      .getByRole('option', { name: /^region/ })
      .waitFor()
    await ada.page.keyboard.press('ArrowDown')
    await ada.page.keyboard.press('Enter')
    await ada.page.keyboard.type('eu')
    await ada.page.getByRole('option', { name: /^eu-west/ }).waitFor()
    await ada.page.keyboard.press('ArrowDown')
    await ada.page.keyboard.press('Enter')
    await ada.page.keyboard.press('Enter')
    await result(/^15 logs · complete/)
    expect(new URL(ada.page.url()).searchParams.get('q')).toBe('region:eu-west')
  })

  it('counts a list that has all its logs before the summary arrives', async () => {
    const { page } = ada
    const gate = await ResponseGate.open(page, /^\s*query LogSummary\b/)
    await gate.set('hold')
    const query = page.getByRole('combobox', { name: 'Query' })
    await query.fill('level:warn')
    await query.press('Enter')
    await result(/^10 logs · complete/)
    const grid = page.getByRole('grid', { name: 'Logs' })
    await expect(grid.getAttribute('aria-rowcount')).resolves.toBe('11')
    await gate.set('pass')
    await page.unroute('**/graphql')
  })

  it('marks the fault of a query and keeps the last rows', async () => {
    const query = ada.page.getByRole('combobox', { name: 'Query' })
    await query.fill('level:error (a')
    await query.press('Enter')
    await ada.page.getByText(/parenthesis is not closed/).waitFor()
    await expect(query.getAttribute('aria-invalid')).resolves.toBe('true')
    await ada.page
      .getByRole('grid', { name: 'Logs' })
      .getByRole('row', { name: /placed/ })
      .first()
      .waitFor()
    await ada.picture('query-fault')
    await expect(ada.inspect()).resolves.toEqual([])
    await query.fill('')
    await query.press('Enter')
    await result(/^32 logs/)
  })

  it('leaves the focus in the query when a search closes the detail', async () => {
    await ada.page
      .getByRole('row', { name: /placed/ })
      .first()
      .click()
    await ada.page.getByRole('complementary', { name: 'Log detail' }).waitFor()
    const query = ada.page.getByRole('combobox', { name: 'Query' })
    await query.fill('placed')
    await query.press('Enter')
    await ada.page.getByRole('complementary', { name: 'Log detail' }).waitFor({ state: 'detached' })
    await expect(query.evaluate(element => element === element.ownerDocument.activeElement)).resolves.toBe(true)
    await query.fill('')
    await query.press('Enter')
    await result(/^32 logs/)
  })

  it('adds a column, which is in the address', async () => {
    await ada.page.getByRole('button', { name: 'Columns' }).click()
    await ada.page.getByRole('menuitemcheckbox', { name: 'region' }).click()
    await ada.page.keyboard.press('Escape')
    await ada.page.getByRole('columnheader', { name: 'Region' }).waitFor()
    await ada.page.reload()
    await ada.page.getByRole('columnheader', { name: 'Region' }).waitFor()
    expect(new URL(ada.page.url()).searchParams.get('cols')).toBe('time,level,service,message,region')
  })

  it('narrows the window by the keyboard and undoes it', async () => {
    const cursor = ada.page.getByRole('slider', { name: 'Time cursor' })
    await cursor.focus()
    await ada.page.keyboard.press('End')
    await ada.page.keyboard.press('ArrowLeft')
    await ada.page.keyboard.press('Enter')
    await ada.page.waitForURL(url => url.searchParams.has('from'))
    await ada.page.getByRole('button', { name: 'Undo zoom' }).click()
    await result(/^32 logs/)
    expect(new URL(ada.page.url()).searchParams.has('from')).toBe(false)
  })

  it('shows hostile records as text', async () => {
    await ada.page.getByRole('checkbox', { name: 'evil 1' }).click()
    await result(/^1 log /)
    await ada.page.getByRole('grid', { name: 'Logs' }).focus()
    await ada.page.keyboard.press('Enter')
    const detail = ada.page.getByRole('complementary', { name: 'Log detail' })
    await detail.getByText('log_fields.constructor').waitFor()
    await detail
      .getByText(String.raw`\u202etxet`)
      .first()
      .waitFor()
    await expect(detail.locator('img, a[href^=javascript]').count()).resolves.toBe(0)
    await ada.picture('hostile')
    await ada.page.keyboard.press('Escape')
    await detail.waitFor({ state: 'detached' })
    await ada.page.getByRole('button', { name: 'Remove filter service:evil' }).click()
    await result(/^32 logs/)
  })

  it('shows the first part of a long message, and all of it on request', async () => {
    await ada.page.getByRole('checkbox', { name: 'long 1' }).click()
    await result(/^1 log /)
    await ada.page.getByRole('row', { name: /xxxx/ }).click()
    await ada.page.getByRole('button', { name: 'Show all (200,000 characters)' }).click()
    await ada.page.getByRole('button', { name: 'Show all (200,000 characters)' }).waitFor({ state: 'detached' })
    await ada.page.goBack()
    await ada.page.goBack()
    await result(/^32 logs/)
  })

  it('goes to pages by keys, by the palette and by the list of keys', async () => {
    await ada.page.keyboard.press('?')
    await ada.page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    await expect(ada.inspect()).resolves.toEqual([])
    await ada.page.keyboard.press('Escape')
    await ada.page.keyboard.press('Control+k')
    await ada.page.getByRole('combobox', { name: 'Go to' }).fill('4bf92f3577b34da6a3ce929d0e0e4736')
    await ada.page.keyboard.press('Enter')
    await ada.page.getByRole('heading', { name: 'This trace is not stored' }).waitFor()
    await ada.page.keyboard.press('Control+k')
    await ada.page.getByRole('combobox', { name: 'Go to' }).fill('order 3')
    await ada.page.getByRole('option', { name: 'Search logs for order 3' }).click()
    await ada.page.waitForURL(url => url.searchParams.get('q') === 'order 3')
    await ada.page.keyboard.press('g')
    await ada.page.keyboard.press('l')
    await ada.page.getByRole('heading', { level: 1, name: 'Logs' }).waitFor()
  })

  it('shows the link when the browser refuses to copy it', async () => {
    await ada.page.evaluate(`Object.defineProperty(navigator, 'clipboard', { value: undefined, configurable: true })`)
    await ada.page.keyboard.press('c')
    const link = ada.page.getByRole('dialog', { name: 'Copy link' }).getByRole('textbox', { name: 'Link' })
    await link.focus()
    await expect(ada.page.evaluate<string>('getSelection().toString()')).resolves.toContain('/logs?')
    await expect(ada.inspect()).resolves.toEqual([])
    await ada.page.keyboard.press('Escape')
    await ada.page.reload()
  })

  it('copies a frozen link that shows the same rows to another person in another zone', async () => {
    await result(/^32 logs/)
    await ada.page.getByRole('button', { name: 'Copy link' }).click()
    await ada.page.getByRole('menuitem', { name: /^Frozen/ }).click()
    await ada.page.getByText(/^Frozen link copied. It is empty after .* \(retention\)\.$/).waitFor()
    const link = await ada.page.evaluate<string>('navigator.clipboard.readText()')
    const { first } = story.service()
    const bob = await story.arrive({ zone: 'Asia/Tokyo' })
    await bob.page.goto(link)
    await bob.signIn(first.email, first.password!)
    await bob.page
      .getByRole('status', { name: 'Result' })
      .getByText(/^32 logs · complete/)
      .waitFor()
    await bob.page.getByRole('columnheader', { name: 'Time (UTC)' }).waitFor()
    expect([...ada.faults, ...bob.faults]).toEqual([])
  })
})
