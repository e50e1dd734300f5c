import { beforeAll, expect, it } from '@jest/globals'
import type { Locator } from 'playwright-core'
import { describeStory } from '../support/describe-story.js'
import type { Person } from '../support/story.js'

const FIELDS = 60

describeStory('menus by the keyboard', story => {
  let ada: Person
  const button = (name: string): Locator => ada.page.getByRole('button', { name, exact: true })
  const menu = (): Locator => ada.page.getByRole('menu')
  const press = (key: string): Promise<void> => ada.page.keyboard.press(key)
  const inFocus = (): Promise<string> => ada.page.evaluate<string>('document.activeElement.textContent')

  beforeAll(async () => {
    const { api, first } = story.service()
    const fields = Object.fromEntries(Array.from({ length: FIELDS }, (_, i) => [`field_${String(i).padStart(2, '0')}`, i]))
    const logs = [{ message: 'order placed', level: 'info', service: 'shop', log_fields: fields }]
    await api('/api/v1/logs/batch?ack=searchable', { method: 'POST', headers: { 'x-api-key': first.ingestKey }, json: { logs } })
    ada = await story.arrive()
    await ada.page.goto(`/n/${first.namespace}/logs`)
    await ada.signIn(first.email, first.password!)
    await ada.page.getByRole('row', { name: /order placed/ }).waitFor()
  })

  it('open at their first or last item, go round, and give the focus back', async () => {
    await button('Account').focus()
    await press('ArrowDown')
    expect(await inFocus()).toBe('Light')
    await press('ArrowUp')
    expect(await inFocus()).toBe('Sign out')
    await press('ArrowDown')
    await press('End')
    expect(await inFocus()).toBe('Sign out')
    await press('Home')
    expect(await inFocus()).toBe('Light')
    await press('Escape')
    await menu().waitFor({ state: 'detached' })
    await expect(button('Account').getAttribute('aria-expanded')).resolves.toBe('false')
    await expect(button('Account').evaluate(element => element.ownerDocument.activeElement === element)).resolves.toBe(true)
    await press('ArrowUp')
    expect(await inFocus()).toBe('Sign out')
    await press('Escape')
  })

  it('do not let Escape and single keys through to the page', async () => {
    await ada.page.getByRole('row', { name: /order placed/ }).click()
    const detail = ada.page.getByRole('complementary', { name: 'Log detail' })
    await detail.waitFor()
    await button('Account').focus()
    await press('Enter')
    await press('r')
    await press('Escape')
    await menu().waitFor({ state: 'detached' })
    await detail.waitFor()
    await press('Escape')
    await detail.waitFor({ state: 'detached' })
  })

  it('find an item by its first letters, and check several', async () => {
    await button('Columns').focus()
    await press('Enter')
    await ada.page.getByRole('menuitemcheckbox', { name: 'field_59' }).waitFor({ state: 'attached' })
    await ada.page.keyboard.type('field_42')
    expect(await inFocus()).toBe('field_42')
    await press(' ')
    await ada.page.getByRole('columnheader', { name: 'field_42' }).waitFor()
    // The chosen field moves to the others that are shown, and keeps the focus.
    expect(await inFocus()).toBe('field_42')
    await press('ArrowDown')
    await press('Enter')
    await ada.page.getByRole('menuitemcheckbox', { checked: true }).nth(5).waitFor()
    await ada.picture('columns-menu')
    await expect(ada.inspect()).resolves.toEqual([])
    await press('Tab')
    await menu().waitFor({ state: 'detached' })
  })

  it('stay inside the window, and close when the pointer goes elsewhere', async () => {
    await ada.page.setViewportSize({ width: 800, height: 400 })
    await button('Columns').click()
    const { x, y, width, height } = (await menu().boundingBox())!
    expect([x >= 0, y >= 0, x + width <= 800, y + height <= 400]).toEqual([true, true, true, true])
    await ada.page.getByRole('heading', { level: 1 }).click()
    await menu().waitFor({ state: 'detached' })
    await button('Columns').click()
    await menu().waitFor()
    await button('Columns').click()
    await menu().waitFor({ state: 'detached' })
    expect(ada.faults).toEqual([])
  })
})
