import { beforeAll, expect, it } from '@jest/globals'
import { exception, exportOf, newSpanId, newTraceId } from '../../support/otlp-spans.js'
import { describeStory } from '../support/describe-story.js'
import type { Person } from '../support/story.js'

const CALLS = 40
const FAILED = new Set([3, 7, 11, 15])

/** A call of checkout that checkout forwards to payment; some fail there. */
function callAt(index: number, startMs: number) {
  const [trace, root, client] = [newTraceId(), newSpanId(), newSpanId()]
  const isError = FAILED.has(index)
  const events = isError ? [exception('CardDeclined', 'card was declined', 'CardDeclined: x\n    at charge (pay.ts:1)')] : []
  return [
    { trace, id: root, service: 'checkout', name: 'POST /checkout', kind: 2, startMs, tookMs: 120, isError },
    { trace, id: client, parent: root, service: 'checkout', name: 'POST', kind: 3, startMs: startMs + 5, tookMs: 100, isError },
    { trace, parent: client, service: 'payment', name: 'charge', kind: 2, startMs: startMs + 10, tookMs: 80, isError, events }
  ]
}

describeStory('from the services to a failing one', story => {
  let ada: Person

  beforeAll(async () => {
    const service = story.service()
    const { api, first } = service
    const headers = { 'x-api-key': first.ingestKey }
    const nowMs = Date.now()
    const calls = Array.from({ length: CALLS }, (_, index) => callAt(index, nowMs - 300_000 + index * 5_000)).flat()
    await api('/api/v1/otlp/v1/traces', { method: 'POST', headers, json: exportOf(calls) })
    const log = {
      message: 'charge declined',
      level: 'warn',
      service: 'payment',
      timestamp: new Date(nowMs - 60_000).toISOString()
    }
    await api('/api/v1/logs/batch?ack=searchable', { method: 'POST', headers, json: { logs: [log] } })
    await service.settle()
    ada = await story.arrive()
    await ada.page.goto(`/n/${first.namespace}/apm`)
    await ada.signIn(first.email, first.password!)
  })

  it('lists the services with their figures', async () => {
    await ada.page.getByRole('heading', { level: 1, name: 'APM' }).waitFor()
    const services = ada.page.getByRole('grid', { name: 'Services' })
    const checkout = services.getByRole('row', { name: /checkout/ })
    await checkout.waitFor()
    await expect(services.getAttribute('aria-rowcount')).resolves.toBe('3')
    await expect(checkout.getByRole('gridcell').nth(2).textContent()).resolves.toBe('40')
    await expect(checkout.getByRole('gridcell').nth(4).textContent()).resolves.toBe('10 %')
  })

  it('draws the map and has the same calls as a table', async () => {
    const map = ada.page.getByRole('region', { name: 'Service map' })
    await map.locator('svg').waitFor()
    await map.getByRole('button', { name: 'Show data' }).click()
    const call = map.getByRole('row', { name: /^checkout payment/ })
    await expect(call.getByRole('cell').nth(2).textContent()).resolves.toBe('40')
    await ada.picture('apm')
    await expect(ada.inspect()).resolves.toEqual([])
  })

  it('finds a service by a part of its name, and Back undoes it', async () => {
    await ada.page.getByRole('searchbox', { name: 'Find a service' }).fill('nothing')
    await ada.page.getByRole('button', { name: 'Search', exact: true }).click()
    await ada.page.getByRole('heading', { name: 'No service of this window has "nothing" in its name' }).waitFor()
    await ada.page.goBack()
    await ada.page
      .getByRole('grid', { name: 'Services' })
      .getByRole('row', { name: /payment/ })
      .waitFor()
  })

  it('finds a service by the palette', async () => {
    await ada.page.keyboard.press('Control+k')
    await ada.page.getByRole('combobox', { name: 'Go to' }).fill('check')
    await ada.page.getByRole('option', { name: /^checkout\s*Service$/ }).click()
    await ada.page.getByRole('heading', { level: 1, name: 'checkout' }).waitFor()
    await ada.page.goBack()
    await ada.page.getByRole('heading', { level: 1, name: 'APM' }).waitFor()
  })

  it('orders by error rate, in the address', async () => {
    await ada.page.getByRole('combobox', { name: 'Order' }).selectOption('errors')
    await ada.page.waitForURL(url => url.searchParams.get('sort') === 'errors')
  })

  it('opens a service by keyboard', async () => {
    const services = ada.page.getByRole('grid', { name: 'Services' })
    await services.getByRole('row', { name: /payment/ }).waitFor()
    await ada.page.getByRole('combobox', { name: 'Order' }).selectOption('name')
    await services.getByRole('row').nth(1).getByText('checkout').waitFor()
    await services.focus()
    await ada.page.keyboard.press('End')
    await ada.page.keyboard.press('Enter')
    await ada.page.getByRole('heading', { level: 1, name: 'payment' }).waitFor()
    const operations = ada.page.getByRole('region', { name: 'Operations' }).first()
    await operations.getByRole('row', { name: /charge server 40/ }).waitFor()
    await ada.page.getByRole('region', { name: 'Logs' }).getByText('charge declined').waitFor()
    await ada.page.getByRole('region', { name: 'Exceptions' }).getByRole('link', { name: 'CardDeclined' }).waitFor()
  })

  it('charts its requests, and the chart has its data as a table', async () => {
    const chart = ada.page.getByRole('figure', { name: 'Requests per second' })
    await chart.locator('canvas').waitFor()
    const cursor = chart.getByRole('slider', { name: 'Time cursor' })
    await cursor.focus()
    await ada.page.keyboard.press('Home')
    await expect(cursor.getAttribute('aria-valuetext')).resolves.toMatch(/: requests /)
    await chart.getByRole('button', { name: 'Show data' }).click()
    await chart
      .getByRole('region', { name: 'Data of Requests per second' })
      .getByRole('columnheader', { name: 'requests' })
      .waitFor()
    await ada.picture('service')
    await expect(ada.inspect()).resolves.toEqual([])
  })

  it('zooms by keyboard, and Back undoes it', async () => {
    const cursor = ada.page.getByRole('figure', { name: 'Error rate' }).getByRole('slider', { name: 'Time cursor' })
    await cursor.focus()
    await ada.page.keyboard.press('End')
    for (let step = 0; step < 20; step++) await ada.page.keyboard.press('Shift+ArrowLeft')
    await ada.page.keyboard.press('Enter')
    await ada.page.waitForURL(url => url.searchParams.has('from'))
    await ada.page.goBack()
    await ada.page.waitForURL(url => !url.searchParams.has('from'))
  })

  it('opens one of its traces', async () => {
    await ada.page
      .getByRole('region', { name: 'Traces' })
      .getByRole('link', { name: 'checkout · POST /checkout' })
      .first()
      .click()
    await ada.page.getByRole('heading', { level: 1, name: 'checkout · POST /checkout' }).waitFor()
    await ada.page.goBack()
    await ada.page.getByRole('heading', { level: 1, name: 'payment' }).waitFor()
  })

  it('passes axe in the dark theme, where the chart has the dark colours', async () => {
    await ada.page.getByRole('figure', { name: 'Error rate' }).locator('canvas').waitFor()
    await ada.chooseTheme('Dark')
    await ada.picture('service-dark')
    await expect(ada.inspect()).resolves.toEqual([])
    await ada.page.goBack()
    await ada.page.getByRole('region', { name: 'Service map' }).locator('svg').waitFor()
    await ada.page.setViewportSize({ width: 800, height: 900 })
    await ada.picture('apm-dark-800')
    await expect(ada.inspect()).resolves.toEqual([])
  })

  it('reports that figures are incomplete, of all services and of one', async () => {
    const { namespace } = story.service().first
    for (const [page, panel] of [
      ['apm', 'Services'],
      ['apm/payment', 'Requests']
    ] as const) {
      await ada.page.goto(`/n/${namespace}/${page}?from=now-30d`)
      const region = ada.page.getByRole('region', { name: panel, exact: true })
      await region.getByText(/^Incomplete: .*retention/).waitFor()
    }
  })

  it('loads nothing from elsewhere and violates no policy', () => {
    expect(ada.faults).toEqual([])
  })
})
