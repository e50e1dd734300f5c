import { beforeAll, expect, it } from '@jest/globals'
import type { Locator } from 'playwright-core'
import { describeStory } from '../support/describe-story.js'
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
})
