import { beforeAll, expect, it } from '@jest/globals'
import type { Locator } from 'playwright-core'
import { describeStory } from '../support/describe-story.js'
import { ResponseGate } from '../support/response-gate.js'
import type { Person } from '../support/story.js'

const LOGS = 120

describeStory('facets of the fields that logs have', story => {
  let ada: Person
  const q = (): string | null => new URL(ada.page.url()).searchParams.get('q')
  const group = (name: string): Locator => ada.page.getByRole('group', { name, exact: true })
  const result = (text: RegExp): Promise<void> => ada.page.getByRole('status', { name: 'Result' }).getByText(text).waitFor()

  beforeAll(async () => {
    const { api, first } = story.service()
    const nowMs = Date.now()
    const logs = Array.from({ length: LOGS }, (_, i) => ({
      message: `order ${i}`,
      service: 'cart',
      timestamp: new Date(nowMs - (2 + i / 5) * 60_000).toISOString(),
      log_fields: { ms: ((i * 37) % LOGS) * 10, region: i % 3 === 0 ? 'eu-west' : 'us-east', order_id: LOGS - i }
    }))
    await api('/api/v1/logs/batch?ack=searchable', { method: 'POST', headers: { 'x-api-key': first.ingestKey }, json: { logs } })
    ada = await story.arrive()
    await ada.page.goto(`/n/${first.namespace}/logs`)
    await ada.signIn(first.email, first.password!)
    await result(/^120 logs/)
  })

  it('are read when they are opened, and have the range of numbers', async () => {
    await ada.page.getByRole('button', { name: 'More fields' }).press('Enter')
    await group('log_fields.ms')
      .getByText(/^0 to 1,190, median 595, p95 1,130\.\d+; 120 numbers$/)
      .waitFor()
    await group('log_fields.region').getByText('us-east').waitFor()
    await ada.page.getByText('1 left out').click()
    await ada.page.getByText('log_fields.order_id: numbers that count up, as ids do').waitFor()
    await ada.picture('log-facets')
    await expect(ada.inspect()).resolves.toEqual([])
  })

  it('filter by bounds that are written, and keep the whole range in view', async () => {
    const from = group('log_fields.ms').getByRole('textbox', { name: 'log_fields.ms from' })
    await from.fill('many')
    await from.press('Enter')
    await expect(from.evaluate((input: { readonly validationMessage?: string }) => input.validationMessage)).resolves.toMatch(
      /^Write a number/
    )
    await from.fill('600')
    await group('log_fields.ms').getByRole('textbox', { name: 'log_fields.ms to' }).fill('690')
    await group('log_fields.ms').getByRole('textbox', { name: 'log_fields.ms to' }).press('Enter')
    await result(/^10 logs/)
    expect(q()).toBe('log_fields.ms:>=600 log_fields.ms:<=690')
    await group('log_fields.ms')
      .getByText(/^0 to 1,190, .*120 numbers$/)
      .waitFor()
    await expect(from.inputValue()).resolves.toBe('600')
    await from.fill('')
    const apply = group('log_fields.ms').getByRole('button', { name: 'Apply' })
    await apply.press('Enter')
    await result(/^70 logs/)
    expect(q()).toBe('log_fields.ms:<=690')
    await expect(apply.evaluate(button => button.matches(':focus'))).resolves.toBe(true)
    await ada.page.goBack()
    await result(/^10 logs/)
    await expect(from.inputValue()).resolves.toBe('600')
    await ada.page.goForward()
    await result(/^70 logs/)
  })

  it('filter by values', async () => {
    const only = (value: string): Locator =>
      group('log_fields.region').getByRole('button', { name: `Only log_fields.region ${value}` })
    await only('us-east').press('Enter')
    await ada.page.waitForURL(/us-east/)
    await only('eu-west').press('Enter')
    await ada.page.waitForURL(/eu-west/)
    expect(q()).toBe('log_fields.ms:<=690 log_fields.region:eu-west')
    await group('log_fields.region').locator('[aria-current=true]').getByText('eu-west').waitFor()
    await ada.picture('log-facets-chosen')
    await expect(ada.inspect()).resolves.toEqual([])
    for (const value of ['eu-west', 'us-east']) {
      await ada.page.goBack()
      await ada.page.waitForURL(url => !url.href.includes(value))
    }
  })

  it('fit 800 px in both themes', async () => {
    await ada.page.setViewportSize({ width: 800, height: 900 })
    for (const theme of ['Light', 'Dark'] as const) {
      await ada.chooseTheme(theme)
      await group('log_fields.ms').waitFor()
      await expect(ada.inspect()).resolves.toEqual([])
      await ada.picture(`log-facets-800-${theme.toLowerCase()}`)
      const overflow = await ada.page.locator('html').evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)
      expect(overflow).toBe(0)
    }
    expect(ada.faults).toEqual([])
  })

  it('distinguish services by case, and know levels that senders made up', async () => {
    const { api, first } = story.service()
    const logs = ['API', 'api', 'api'].map((service, i) => ({ message: 'twin', service, level: i === 2 ? 'odd' : 'error' }))
    await api('/api/v1/logs/batch?ack=searchable', { method: 'POST', headers: { 'x-api-key': first.ingestKey }, json: { logs } })
    await ada.page.goto(`/n/${first.namespace}/logs?q=twin`)
    const box = (field: string, name: RegExp): Locator => group(field).getByRole('checkbox', { name })
    await box('service', /^API 1/).press('Space')
    await result(/^1 log ·/)
    await expect(box('service', /^API 1/).isChecked()).resolves.toBe(true)
    await expect(box('service', /^api 2/).isChecked()).resolves.toBe(false)
    await box('service', /^api 2/).press('Space')
    await result(/^3 logs/)
    await box('level', /^odd 1/).press('Space')
    await result(/^1 log ·/)
    await box('level', /^error 2/).press('Space')
    await result(/^3 logs/)
    expect(new URL(ada.page.url()).searchParams.getAll('level')).toEqual(['odd', 'error'])
  })

  it('search in the values that a facet does not show', async () => {
    const { api, first } = story.service()
    const logs = Array.from({ length: 30 }, (_, i) => ({
      message: 'many',
      service: `Shop-${i}`,
      log_fields: { zone: `z${i % 8}` }
    }))
    await api('/api/v1/logs/batch?ack=searchable', { method: 'POST', headers: { 'x-api-key': first.ingestKey }, json: { logs } })
    await ada.page.setViewportSize({ width: 1440, height: 900 })
    await ada.page.goto(`/n/${first.namespace}/logs?q=many`)
    await result(/^30 logs/)
    const search = group('service').getByRole('textbox', { name: 'Search values of service' })
    const box = (name: string | RegExp): Locator => group('service').getByRole('checkbox', { name, exact: true })
    await expect(group('level').getByRole('textbox').count()).resolves.toBe(0)
    await search.fill('shop-2')
    await box('Shop-29 1').waitFor()
    await expect(box(/./).count()).resolves.toBe(11)
    await ada.picture('facet-search')
    await expect(ada.inspect()).resolves.toEqual([])
    await search.press('Tab')
    await ada.page.keyboard.press('Space')
    await result(/^1 log ·/)
    const chosen = box('Shop-2 1')
    await expect(chosen.evaluate(input => input.matches(':focus'))).resolves.toBe(true)
    await expect(chosen.isChecked()).resolves.toBe(true)
    await box('Shop-21 1').press('Space')
    await result(/^2 logs/)
    expect(new URL(ada.page.url()).searchParams.getAll('service')).toEqual(['Shop-2', 'Shop-21'])
    await search.fill('9')
    await box('Shop-9 1').waitFor()
    await box('Shop-9 1').press('x')
    await ada.page.waitForURL(/-service/)
    await expect(search.evaluate(input => input.matches(':focus'))).resolves.toBe(true)
    await search.fill('nowhere')
    await group('service').getByText('no value contains this').waitFor()
    await search.press('Escape')
    await expect(search.inputValue()).resolves.toBe('')
    await group('service')
      .getByText(/with other values$/)
      .waitFor()
  })

  it('search shows no values of an earlier search', async () => {
    const { first } = story.service()
    const gate = await ResponseGate.open(ada.page, /query LogFacetValues/)
    await ada.page.goto(`/n/${first.namespace}/logs?q=many`)
    const search = group('service').getByRole('textbox', { name: 'Search values of service' })
    const boxes = group('service').getByRole('checkbox')
    await search.fill('shop-1')
    await boxes.nth(10).waitFor()
    await gate.set('hold')
    await search.fill('shop-19')
    await boxes.nth(1).waitFor({ state: 'detached' })
    const query = ada.page.getByRole('combobox', { name: 'Query' })
    await query.fill('many zone:z1')
    await query.press('Enter')
    await result(/^4 logs/)
    await group('service').getByText('Loading values…').waitFor()
    await expect(boxes.count()).resolves.toBe(0)
    await gate.set('pass')
    await group('service').getByText('no value contains this').waitFor()
    await search.fill('shop-')
    await boxes.nth(3).waitFor()
    await expect(boxes.count()).resolves.toBe(4)
    expect(ada.faults).toEqual([])
  })

  it('search in the values of free fields', async () => {
    await ada.page.getByRole('combobox', { name: 'Query' }).fill('many')
    await ada.page.getByRole('combobox', { name: 'Query' }).press('Enter')
    await result(/^30 logs/)
    await ada.page.getByRole('button', { name: 'More fields' }).press('Enter')
    const zone = group('log_fields.zone')
    await zone.getByRole('textbox', { name: 'Search values of log_fields.zone' }).fill('Z7')
    await zone.getByRole('button', { name: 'Only log_fields.zone z7' }).press('Enter')
    await result(/^3 logs/)
    await zone.locator('[aria-current=true]').getByText('z7').waitFor()
    await ada.picture('facet-search-free')
    await expect(ada.inspect()).resolves.toEqual([])
  })
})
