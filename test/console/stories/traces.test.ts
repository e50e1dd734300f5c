import { beforeAll, expect, it } from '@jest/globals'
import { exportOf, newSpanId, newTraceId, type SpanSent } from '../../support/otlp-spans.js'
import { describeStory } from '../support/describe-story.js'
import type { Person } from '../support/story.js'

const HOSTILE = '<img src=x onerror=alert(1)>\u202e'

/** A checkout of 20 + `index` ms; every tenth fails in payment. */
function checkout(index: number, startMs: number): readonly SpanSent[] {
  const trace = newTraceId()
  const root = newSpanId()
  const isError = index % 10 === 0
  const tookMs = isError ? 3_000 + index : 20 + index
  return [
    { trace, id: root, service: 'checkout', name: 'POST /checkout', kind: 2, startMs, tookMs, isError },
    { trace, parent: root, service: 'payment', name: 'charge', kind: 3, startMs: startMs + 5, tookMs: tookMs - 10, isError }
  ]
}

describeStory('searching traces', story => {
  let ada: Person

  beforeAll(async () => {
    const { api, first } = story.service()
    const nowMs = Date.now()
    const spans = [
      ...Array.from({ length: 150 }, (_, index) => checkout(index, nowMs - 60_000 - index * 10_000)).flat(),
      // A span of a service with a hostile name, whose parent never arrives.
      { trace: newTraceId(), parent: newSpanId(), service: HOSTILE, name: HOSTILE, startMs: nowMs - 30_000, tookMs: 1 }
    ]
    await api('/api/v1/otlp/v1/traces', { method: 'POST', headers: { 'x-api-key': first.ingestKey }, json: exportOf(spans) })
    ada = await story.arrive()
    await ada.page.goto(`/n/${first.namespace}/traces`)
    await ada.signIn(first.email, first.password!)
  })

  const result = (): ReturnType<Person['page']['getByRole']> => ada.page.getByRole('status', { name: 'Result' })
  const parameters = (): URLSearchParams => new URL(ada.page.url()).searchParams

  it('lists traces with their services, latest first', async () => {
    await result().getByText('151 traces · complete').waitFor()
    const grid = ada.page.getByRole('grid', { name: 'Traces' })
    await expect(grid.getAttribute('aria-rowcount')).resolves.toBe('152')
    await grid.getByRole('row', { name: /missing spans/ }).waitFor()
    await grid.getByRole('img', { name: 'checkout 1 span, payment 1 span' }).first().waitFor()
    await ada.picture('traces')
    await expect(ada.inspect()).resolves.toEqual([])
  })

  it('filters by status, and the address has it', async () => {
    await ada.page.getByRole('group', { name: 'status' }).getByRole('checkbox', { name: 'error 30' }).click()
    await result().getByText('15 traces · complete').waitFor()
    expect(parameters().getAll('status')).toEqual(['error'])
  })

  it('completes fields and values', async () => {
    await ada.page.keyboard.press('/')
    await ada.page.keyboard.type('serv')
    await ada.page.getByRole('option', { name: /^service/ }).waitFor()
    await ada.page.keyboard.press('ArrowDown')
    await ada.page.keyboard.press('Enter')
    await ada.page.keyboard.type('pay')
    await ada.page.getByRole('option', { name: /^payment/ }).waitFor()
    await ada.page.keyboard.press('ArrowDown')
    await ada.page.keyboard.press('Enter')
    await ada.page.keyboard.press('Enter')
    await ada.page.waitForURL(url => url.searchParams.get('q') === 'service:payment')
    await result().getByText('15 traces · complete').waitFor()
    await ada.page.goBack()
    await ada.page.waitForURL(url => url.searchParams.get('q') === null)
  })

  it('narrows to a range of durations by the keyboard', async () => {
    const cursor = ada.page.getByRole('figure', { name: 'Span durations' }).getByRole('slider', { name: 'Duration cursor' })
    await cursor.focus()
    await cursor.press('End')
    await cursor.press('Shift+Home')
    await cursor.press('Enter')
    await ada.page.waitForURL(url => url.searchParams.get('scope') === 'span')
    expect(parameters().get('min')).toMatch(/^[\d.]+(us|ms|s)$/)
    expect(parameters().get('max')).toMatch(/^[\d.]+(us|ms|s)$/)
    await result().getByText('15 traces · complete').waitFor()
    await ada.page.goBack()
    await ada.page.waitForURL(url => url.searchParams.get('min') === null)
  })

  it('opens a trace by Enter, and Back keeps the filter', async () => {
    await ada.page.getByRole('combobox', { name: 'Sort' }).selectOption('longest first')
    await ada.page.getByRole('row', { name: /3\.14 s/ }).waitFor()
    const sorted = ada.page.getByRole('columnheader', { name: 'Duration' })
    await expect(sorted.getAttribute('aria-sort')).resolves.toBe('descending')
    await ada.page.getByRole('grid', { name: 'Traces' }).press('Enter')
    await ada.page.getByRole('heading', { level: 1, name: 'checkout · POST /checkout' }).waitFor()
    await ada.page.goBack()
    await result().getByText('15 traces · complete').waitFor()
    expect(parameters().get('sort')).toBe('duration')
  })

  it('searches text, and reports it when nothing matches', async () => {
    await ada.page.getByRole('combobox', { name: 'Query' }).fill('name:nowhere')
    await ada.page.getByRole('button', { name: 'Search', exact: true }).click()
    await ada.page.getByRole('heading', { name: 'No traces match this filter' }).waitFor()
    await ada.picture('traces-empty')
    await ada.page.getByRole('button', { name: 'Remove the filter' }).click()
    await result().getByText('151 traces · complete').waitFor()
  })

  it('refuses a duration that is invalid, and names one in the address', async () => {
    const { first } = story.service()
    const bob = await story.arrive()
    await bob.page.goto(`/n/${first.namespace}/traces?kind=loud&min=soon&service=checkout`)
    await bob.signIn(first.email, first.password!)
    await bob.page.getByText('kind=loud').waitFor()
    await bob.page.getByText('min=soon').waitFor()
    await bob.page.getByRole('status', { name: 'Result' }).getByText('150 traces · complete').waitFor()
    expect(bob.faults).toEqual([])
  })

  it('fits a narrow page, and passes axe in the dark theme', async () => {
    await ada.chooseTheme('Dark')
    await ada.picture('traces-dark')
    await expect(ada.inspect()).resolves.toEqual([])
    await ada.page.setViewportSize({ width: 800, height: 900 })
    await ada.picture('traces-800')
    await expect(ada.inspect()).resolves.toEqual([])
    expect(ada.faults).toEqual([])
  })
})
