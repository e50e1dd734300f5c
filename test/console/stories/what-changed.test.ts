import { readFileSync } from 'node:fs'
import { beforeAll, expect, it } from '@jest/globals'
import { describeStory } from '../support/describe-story.js'
import { ResponseGate } from '../support/response-gate.js'
import type { Person } from '../support/story.js'

describeStory('what changed', story => {
  let ada: Person

  const region = () => ada.page.getByRole('region', { name: 'What changed' })
  const row = (name: RegExp) => region().getByRole('row', { name })
  const status = () => region().getByRole('status', { name: 'Differences' })
  const at = (minutes: number): number => Date.now() - minutes * 60_000
  const deployedAt = (): string => new Date(at(30)).toISOString()

  /** A log each second over 20 minutes; of version 2 every second one fails. */
  const logs = (minutes: number, release: string) =>
    Array.from({ length: 1_200 }, (_, i) => {
      const fails = release === 'v2' && i % 2 === 0
      return {
        timestamp: new Date(at(minutes) + i * 1_000).toISOString(),
        service: 'shop',
        level: fails ? 'error' : 'info',
        message: fails ? `cart ${i} was lost` : `order ${i} placed`,
        log_fields: { release, region: ['eu', 'us'][i % 3] ?? 'asia', duration_ms: 100 + (i % 50) * (release === 'v2' ? 9 : 1) }
      }
    })

  const spans = (minutes: number, release: string) =>
    Array.from({ length: 200 }, (_, i) => {
      const startNs = BigInt(at(minutes)) * 1_000_000n + BigInt(i) * 5_000_000_000n
      return {
        traceId: `${release === 'v1' ? 'a' : 'b'}${String(i).padStart(31, '0')}`,
        spanId: `${release === 'v1' ? 'a' : 'b'}${String(i).padStart(15, '0')}`,
        name: 'GET /cart',
        kind: 2,
        startTimeUnixNano: String(startNs),
        endTimeUnixNano: String(startNs + BigInt(20 + (i % 7)) * (release === 'v1' ? 1_000_000n : 30_000_000n)),
        attributes: [{ key: 'release', value: { stringValue: release } }]
      }
    })

  beforeAll(async () => {
    const { api, first } = story.service()
    const headers = { 'x-api-key': first.ingestKey }
    const write = (path: string, json: unknown) => api(path, { method: 'POST', headers, json })
    const attributes = [{ key: 'service.name', value: { stringValue: 'shop' } }]
    const resourceSpans = [{ resource: { attributes }, scopeSpans: [{ spans: [...spans(58, 'v1'), ...spans(29, 'v2')] }] }]
    await write('/api/v1/otlp/v1/traces', { resourceSpans })
    await write('/api/v1/events', { type: 'deploy', service: 'shop', version: 'v2', timestamp: deployedAt() })
    for (const [minutes, release] of [
      [118, 'v1'],
      [58, 'v1'],
      [29, 'v2']
    ] as const)
      await write('/api/v1/logs/batch?ack=searchable', { logs: logs(minutes, release) })
    ada = await story.arrive()
    await ada.page.goto(`/n/${first.namespace}/apm/shop`)
    await ada.signIn(first.email, first.password!)
  })

  it('is a link from a deployment, and ranks its cause first', async () => {
    const link = ada.page.getByRole('list', { name: 'Deployments' }).getByRole('link', { name: 'What changed' })
    await link.focus()
    await ada.page.keyboard.press('Enter')
    await status()
      .getByText(/^7 differences · complete · /)
      .waitFor()
    // Both releases differ as much: the new one comes first.
    const cells = await region().getByRole('row').nth(1).getByRole('cell').allTextContents()
    expect(cells).toEqual(['value', 'new', '0 (0 %)', '1,200 (100 %)', '< 0.000001', '1,200 logs'])
    expect(await region().getByRole('rowheader').first().textContent()).toBe('log_fields.release = v2')
    for (const name of [
      /level = error .*600 \(50 %\)/,
      /cart <num> was lost pattern new/,
      /log_fields.duration_ms >= \d+ numbers/
    ])
      await row(name).waitFor()
    await ada.page.getByText('1,200 logs from').waitFor()
    const { searchParams } = new URL(ada.page.url())
    expect(['view', 'cmp', 'service'].map(key => searchParams.get(key))).toEqual(['compare', 'prev', 'shop'])
    await expect(ada.inspect()).resolves.toEqual([])
    await ada.picture('what-changed')
  })

  it('is copied as its request, and exported', async () => {
    const { page } = ada
    const menu = region().getByRole('button', { name: 'Panel menu: Differences' })
    await menu.click()
    const download = page.waitForEvent('download')
    await page.getByRole('menuitem', { name: 'Export CSV' }).click()
    const [header, first] = readFileSync(await (await download).path(), 'utf8').split('\r\n')
    expect(header).toMatch(/^kind,name,value,/)
    expect(first).toMatch(/^FIELD_VALUE,log_fields\.release,v2,0,1200,1200,1200,/)
    await menu.click()
    await page.getByRole('menuitem', { name: 'Copy as curl' }).click()
    await page.getByText('Copied', { exact: true }).waitFor()
    await expect(page.evaluate<string>('navigator.clipboard.readText()')).resolves.toContain('query WhatChanged')
  })

  it('has the rows of each difference, by keyboard', async () => {
    await row(/cart <num> was lost/)
      .getByRole('link', { name: '600 logs' })
      .focus()
    await ada.page.keyboard.press('Enter')
    await ada.page
      .getByRole('status', { name: 'Result' })
      .getByText(/^600 logs · complete/)
      .waitFor()
    await ada.page.goBack()
    // A release that is gone has its rows in the window before.
    await row(/release = v1 .*vanished/)
      .getByRole('link', { name: '1,200 logs before' })
      .focus()
    await ada.page.keyboard.press('Enter')
    await ada.page
      .getByRole('status', { name: 'Result' })
      .getByText(/^1,200 logs · complete/)
      .waitFor()
    await ada.page.goBack()
    await status().waitFor()
  })

  it('is nothing between windows that do not differ', async () => {
    const { first } = story.service()
    const [from, to] = [new Date(at(60)).toISOString(), new Date(at(32)).toISOString()]
    const compared = `${new Date(at(120)).toISOString()}..${new Date(at(92)).toISOString()}`
    await ada.page.goto(`/n/${first.namespace}/logs?cmp=${compared}&from=${from}&to=${to}&view=compare`)
    await region().getByRole('heading', { name: 'Nothing significant' }).waitFor()
    await status()
      .getByText(/^0 differences · complete · /)
      .waitFor()
    await region()
      .getByText(/\d+ values tested/)
      .waitFor()
    await ada.picture('what-changed-nothing')
  })

  it('reports a service that fails, and that it was cut', async () => {
    const gate = await ResponseGate.open(ada.page)
    await gate.set('cut')
    await ada.page.getByRole('button', { name: 'Refresh', exact: true }).click()
    await status()
      .getByText(/Incomplete: /)
      .waitFor()
    await gate.set('fail')
    await ada.page.getByRole('button', { name: 'Refresh', exact: true }).click()
    await region().getByRole('alert').waitFor()
    await gate.set('pass')
    await ada.page.getByRole('button', { name: 'Refresh', exact: true }).click()
    await status()
      .getByText(/complete/)
      .waitFor()
  })

  it('is a view of logs, turned on and off', async () => {
    const { first } = story.service()
    await ada.page.goto(`/n/${first.namespace}/logs`)
    const button = ada.page.getByRole('button', { name: 'What changed' })
    await button.focus()
    await ada.page.keyboard.press('Enter')
    await row(/log_fields.release = v2/).waitFor()
    expect(await button.getAttribute('aria-pressed')).toBe('true')
    await ada.page.keyboard.press('Enter')
    await ada.page.getByRole('grid', { name: 'Logs' }).waitFor()
  })

  it('is a view of traces, whose spans it compares', async () => {
    const { first } = story.service()
    const [from, to] = [new Date(at(30)).toISOString(), new Date(at(1)).toISOString()]
    await ada.page.goto(`/n/${first.namespace}/traces?from=${from}&min=1ms&service=shop&to=${to}`)
    await ada.page.getByRole('combobox', { name: 'View' }).selectOption('compare')
    await row(/attributes.release = v2 value new/).waitFor()
    await row(/duration >= 32.8 ms numbers/).waitFor()
    await region().getByText('Spans are compared whatever the duration of their trace.').waitFor()
    await ada.picture('what-changed-traces')
    await row(/attributes.release = v2/)
      .getByRole('link', { name: '200 spans' })
      .click()
    await ada.page
      .getByRole('status', { name: 'Result' })
      .getByText(/^200 traces · complete/)
      .waitFor()
  })
})
