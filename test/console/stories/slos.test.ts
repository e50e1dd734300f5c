import { beforeAll, expect, it } from '@jest/globals'
import { describeStory } from '../support/describe-story.js'
import { joinAs } from '../support/second-user.js'
import { sendShop } from '../support/shop.js'
import type { Person } from '../support/story.js'

const STORY_MS = 120_000
const HOUR_MS = 3_600_000
const DAYS = 20

/** Recordings of an SLO, an hour apart: the rule of the SLO has just begun. */
function recordings(id: string): string {
  const hours = Array.from({ length: DAYS * 24 }, (_, at) => at + 1)
  const lines = hours.flatMap(ago => {
    const atMs = Date.now() - ago * HOUR_MS
    const bad = ago % 53 === 0 ? 400 : ago % 5
    const sample = (sli: string, value: number): string =>
      `{"slo:events:increase5m",slo_id="${id}",slo_revision="1",sli="${sli}"} ${value} ${atMs}`
    return [sample('bad', bad), sample('total', 9_000)]
  })
  return `${lines.join('\n')}\n`
}

const COUNTED_DAYS = 3
const BATCH_LINES = 2_000

/** Counters of a shop, a minute apart: 100 requests each, of which half fail for an hour of yesterday. */
function counters(): readonly string[] {
  const minutes = COUNTED_DAYS * 24 * 60
  let [all, failed] = [0, 0]
  return Array.from({ length: minutes }, (_, at) => {
    const ago = minutes - at
    all += 100
    if (ago > 24 * 60 && ago < 25 * 60) failed += 50
    const atMs = Date.now() - ago * 60_000
    return `shop_requests_total ${all} ${atMs}\nshop_errors_total ${failed} ${atMs}`
  })
}

describeStory('from an objective to its error budget', story => {
  let ada: Person

  beforeAll(async () => {
    const service = story.service()
    const { first, api } = service
    await sendShop(service)
    const headers = await service.login()
    const group = await api('/api/v1/alerts/groups', { method: 'POST', headers, json: { name: 'fast', interval: '10s' } })
    const rule = { alert: 'CheckoutSlow', expr: 'vector(1)', labels: { service: 'checkout' }, group_id: group.json['id'] }
    await api('/api/v1/alerts/rules', { method: 'POST', headers, json: rule })
    const deploy = {
      type: 'deploy',
      service: 'checkout',
      version: '9.9.9',
      timestamp: new Date(Date.now() - 60_000).toISOString()
    }
    await service.ingest('/api/v1/events', { method: 'POST', headers: { 'x-api-key': first.ingestKey }, json: deploy })
    const lines = counters()
    const text = { 'x-api-key': first.ingestKey, 'content-type': 'text/plain' }
    for (let at = 0; at < lines.length; at += BATCH_LINES) {
      const body = `${lines.slice(at, at + BATCH_LINES).join('\n')}\n`
      await service.ingest('/api/v1/import/prometheus', { method: 'POST', headers: text, body })
    }
    await service.settle()
    ada = await story.arrive()
    await ada.page.goto(`/n/${first.namespace}/alerts?view=slos`)
    await ada.signIn(first.email, first.password!)
    await ada.page.getByRole('heading', { name: 'No SLOs yet' }).waitFor()
  }, STORY_MS)

  it('creates an SLO by keyboard, and keeps what was typed when it is refused', async () => {
    await ada.page.getByRole('button', { name: 'New SLO', disabled: false }).press('Enter')
    const dialog = ada.page.getByRole('dialog', { name: 'New SLO' })
    await dialog.getByRole('textbox', { name: 'Name' }).fill('checkout-availability')
    await dialog.getByRole('textbox', { name: 'Service' }).fill('checkout')
    await dialog.getByRole('combobox', { name: 'Good events' }).selectOption('ratio')
    await dialog.getByRole('textbox', { name: 'Bad events' }).fill('http_errors{')
    await dialog.getByRole('textbox', { name: 'All events' }).fill('http_requests')
    await dialog.getByRole('button', { name: 'Save', disabled: false }).press('Enter')
    await dialog
      .locator('form')
      .getByText(/could not parse expression/)
      .waitFor()
    await dialog
      .getByRole('region', { name: 'Past 7 days' })
      .getByText(/could not parse expression/)
      .waitFor()
    await expect(ada.inspect()).resolves.toEqual([])
  })

  it('shows what the SLO would have done over the past week while it is typed', async () => {
    const dialog = ada.page.getByRole('dialog', { name: 'New SLO' })
    await dialog.getByRole('textbox', { name: 'Bad events' }).fill('shop_errors_total')
    await dialog.getByRole('textbox', { name: 'All events' }).fill('shop_requests_total')
    await ada.page.keyboard.press('Tab')
    const figure = dialog.getByRole('figure', { name: 'Would have alerted' })
    await figure.getByText('Would have sent 2 pages and 2 tickets.').waitFor()
    await figure.getByText(/^Page: burn over 14.4× in 1h$/).waitFor()
    await dialog
      .getByText(/firing from .* peak/)
      .first()
      .waitFor({ state: 'attached' })
    await dialog.getByRole('figure', { name: 'Budget left' }).waitFor()
    for (const theme of ['light', 'dark'] as const) {
      await ada.page.emulateMedia({ colorScheme: theme })
      await ada.picture(`slo-form-${theme}`)
      await expect(ada.inspect()).resolves.toEqual([])
    }
    await ada.page.setViewportSize({ width: 800, height: 900 })
    await dialog.getByRole('figure', { name: 'Budget left' }).scrollIntoViewIfNeeded()
    await ada.picture('slo-form-800')
    await ada.page.setViewportSize({ width: 1_440, height: 900 })
    await ada.page.emulateMedia({ colorScheme: 'light' })
    // Of no series: no figure is invented.
    await dialog.getByRole('textbox', { name: 'Bad events' }).fill('http_errors')
    await dialog.getByRole('textbox', { name: 'All events' }).fill('http_requests')
    await ada.page.keyboard.press('Tab')
    await figure.getByText('Would not have alerted.').waitFor()
    await dialog.getByText('Nothing was counted.').waitFor()
    await ada.picture('slo-form-no-data')
  })

  it('stores it', async () => {
    const dialog = ada.page.getByRole('dialog', { name: 'New SLO' })
    await dialog.getByRole('button', { name: 'Save', disabled: false }).press('Enter')
    await ada.page.getByRole('row', { name: /checkout-availability checkout 99.9 % – – – – no data/ }).waitFor()
    await expect(ada.inspect()).resolves.toEqual([])
  })

  it('reports the budget, and what was not counted', async () => {
    const service = story.service()
    const headers = await service.login()
    const { json } = await service.api('/api/v1/slos', { headers })
    const [slo] = json['slos'] as readonly [{ readonly id: string }]
    const sent = { 'x-api-key': service.first.ingestKey, 'content-type': 'text/plain' }
    await service.ingest('/api/v1/import/prometheus', { method: 'POST', headers: sent, body: recordings(slo.id) })
    await service.settle()
    // A report is kept for half a minute; a new version has one of its own.
    const edited = { ...slo, objective: 99.5 } as Readonly<Record<string, unknown>>
    const { id: _id, revision: _r, revision_since: _s, group_id: _g, updated_by: _b, updated_at: _a, ...document } = edited
    await service.api(`/api/v1/slos/${slo.id}`, { method: 'PUT', headers, json: document })
    await ada.page.reload()
    const row = ada.page.getByRole('row', { name: /checkout-availability checkout 99.5 %/ })
    await row.getByText('partial').waitFor()
    await row.click()
    const report = ada.page.getByRole('region', { name: 'Error budget' })
    await report.getByText(/minutes of the window were not counted/).waitFor()
    await report.getByRole('figure', { name: 'Budget left' }).waitFor()
    await report.getByRole('link', { name: 'checkout-availability page 1h' }).waitFor()
    await ada.picture('slo-report')
    await expect(ada.inspect()).resolves.toEqual([])
  })

  it('leads to the rules, which only the SLO changes', async () => {
    await ada.page.getByRole('link', { name: 'checkout-availability page 1h' }).press('Enter')
    await ada.page.getByRole('heading', { level: 1, name: 'checkout-availability page 1h' }).waitFor()
    await ada.page.getByText('manages this rule; change it there').waitFor()
    await expect(ada.page.getByRole('button', { name: 'Delete' }).count()).resolves.toBe(0)
    await expect(ada.inspect()).resolves.toEqual([])
    await ada.page.getByRole('link', { name: 'checkout-availability', exact: true }).press('Enter')
    await ada.page.getByRole('region', { name: 'Error budget' }).waitFor()
  })

  it('lets a viewer look, and states who may change it', async () => {
    const { email, password } = await joinAs(story.service(), 'VIEWER', 'vera@example.test')
    const vera = await story.arrive()
    await vera.page.goto(ada.page.url())
    await vera.signIn(email, password)
    await vera.page.getByRole('region', { name: 'Error budget' }).waitFor()
    for (const name of ['New SLO', 'Edit', 'Delete'])
      await expect(vera.page.getByRole('button', { name }).getAttribute('aria-disabled')).resolves.toBe('true')
    expect(vera.faults).toEqual([])
  })

  it(
    'draws alerts and deployments on the charts of the service, by one request',
    async () => {
      // The list of rules refreshes itself.
      await ada.page.goto(`/n/${story.service().first.namespace}/alerts`)
      await ada.page.getByRole('row', { name: /^firing CheckoutSlow/ }).waitFor({ timeout: STORY_MS })
      const requests: string[] = []
      ada.page.on('request', sent => {
        if (sent.postData()?.includes('query Annotations') === true) requests.push(sent.url())
      })
      await ada.page.goto(`/n/${story.service().first.namespace}/apm/checkout?from=now-5m`)
      const fired = ada.page.getByRole('list', { name: 'Alerts that fired' })
      await fired.getByRole('link', { name: 'CheckoutSlow' }).waitFor()
      await ada.page.getByRole('figure', { name: 'Error rate' }).waitFor()
      await ada.picture('apm-annotations')
      await expect(ada.inspect()).resolves.toEqual([])
      expect(requests).toHaveLength(1)
    },
    STORY_MS
  )

  it('draws them on the chart of metrics and over the logs, and names them', async () => {
    for (const page of ['metrics?e=vector(1)&from=now-5m', 'logs?from=now-5m']) {
      await ada.page.goto(`/n/${story.service().first.namespace}/${page}`)
      const line = ada.page.getByRole('note', { name: 'Alerts and deployments of this time' })
      await line.getByRole('link', { name: 'CheckoutSlow' }).waitFor()
      await ada.picture(`${page.split('?')[0]}-annotations`)
      await expect(ada.inspect()).resolves.toEqual([])
    }
    await ada.page.getByTitle('CheckoutSlow').first().waitFor({ state: 'attached' })
  })

  it('deletes the SLO with its rules', async () => {
    await ada.page.goto(`/n/${story.service().first.namespace}/alerts?view=slos`)
    await ada.page.getByRole('row', { name: /checkout-availability/ }).click()
    await ada.page.getByRole('button', { name: 'Delete', disabled: false }).press('Enter')
    await ada.page.getByRole('dialog', { name: 'Delete SLO' }).getByRole('button', { name: 'Delete' }).press('Enter')
    await ada.page.getByRole('heading', { name: 'No SLOs yet' }).waitFor()
    expect(ada.faults).toEqual([])
  })
})
