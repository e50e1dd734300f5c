import { expect, it } from '@jest/globals'
import { exportOf, newTraceId } from '../../support/otlp-spans.js'
import { describeStory } from '../support/describe-story.js'
import { joinAs } from '../support/second-user.js'
import type { Person } from '../support/story.js'

const HOUR_MS = 3_600_000

describeStory('whether OTLP arrives', story => {
  let ada: Person

  it('reports how to send when nothing has arrived', async () => {
    const { first } = story.service()
    ada = await story.arrive()
    await ada.page.goto(`/n/${first.namespace}/otlp`)
    await ada.signIn(first.email, first.password!)
    await ada.page.getByRole('heading', { name: 'No OTLP request has arrived since the start of this gateway' }).waitFor()
    await ada.page
      .getByRole('region', { name: 'Collector' })
      .getByText(/endpoint: http:/)
      .waitFor()
    await ada.picture('otlp-empty')
  })

  it('copies settings that have the URL of the receiver', async () => {
    await ada.page.getByRole('button', { name: 'Copy SDK over HTTP' }).click()
    await ada.page.getByText('Copied', { exact: true }).waitFor()
    const copied = await ada.page.evaluate<string>('navigator.clipboard.readText()')
    expect(copied).toMatch(/^export OTEL_EXPORTER_OTLP_ENDPOINT=http:\/\/127\.0\.0\.1:\d+\/api\/v1\/otlp$/m)
  })

  it('sends a test span and opens its trace', async () => {
    await ada.page.getByRole('button', { name: 'Send a test span' }).click()
    await ada.page.getByRole('link', { name: 'Open test trace' }).click()
    await ada.page.getByRole('heading', { level: 1, name: /alidade-test/ }).waitFor()
    await ada.page.goBack()
  })

  it('shows what arrives, and a rejection with its cure', async () => {
    const { api, first } = story.service()
    const headers = { 'x-api-key': first.ingestKey }
    const send = (json: object) => api('/api/v1/otlp/v1/traces', { method: 'POST', headers, json })
    await send(exportOf([{ trace: newTraceId(), service: 'checkout', startMs: Date.now() }]))
    await send(exportOf([{ trace: newTraceId(), service: 'checkout', startMs: Date.now() + 10 * HOUR_MS }]))
    await ada.page.getByRole('button', { name: 'Refresh' }).click()
    const row = ada.page.getByRole('row', { name: /traces http\/json/ })
    await row.getByText('rejecting').waitFor()
    const rejections = ada.page.getByRole('region', { name: 'Last rejections' })
    await rejections.getByText(/is after/).waitFor()
    await rejections.getByText(/Set the clock of the sender/).waitFor()
    await ada.picture('otlp-rejecting')
  })

  it('shows to a viewer who may send a test span', async () => {
    const { first } = story.service()
    const { email, password } = await joinAs(story.service(), 'VIEWER', 'vera@example.test')
    const vera = await story.arrive()
    await vera.page.goto(`/n/${first.namespace}/otlp`)
    await vera.signIn(email, password)
    const button = vera.page.getByRole('button', { name: 'Send a test span' })
    await button.and(vera.page.getByTitle('Requires the role member; your role is viewer.')).waitFor()
    await expect(button.isDisabled()).resolves.toBe(true)
    expect(vera.faults).toEqual([])
  })

  it('passes axe in both themes', async () => {
    await expect(ada.inspect()).resolves.toEqual([])
    await ada.chooseTheme('Dark')
    await expect(ada.inspect()).resolves.toEqual([])
    await ada.picture('otlp-dark')
    expect(ada.faults).toEqual([])
  })
})
