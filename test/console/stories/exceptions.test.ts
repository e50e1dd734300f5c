import { beforeAll, expect, it } from '@jest/globals'
import { exportOf, newSpanId, newTraceId } from '../../support/otlp-spans.js'
import { describeStory } from '../support/describe-story.js'
import { joinAs } from '../support/second-user.js'
import type { Person } from '../support/story.js'

const TRACE = newTraceId()
const SPAN = newSpanId()
const STACK = [
  'TypeError: total is not a number',
  '    at addTotal (/app/src/cart.ts:31:9)',
  '    at Layer.handle (/app/node_modules/express/lib/layer.js:95:5)',
  '    at checkout (/app/src/checkout.ts:12:3)'
].join('\n')
const HOSTILE = '<img src=x onerror=alert(1)> \u202e reversed'

describeStory('from an exception to its decision', story => {
  let ada: Person

  beforeAll(async () => {
    const service = story.service()
    const { api, first } = service
    const headers = { 'x-api-key': first.ingestKey }
    const startMs = Date.now() - 60_000
    const spans = exportOf([
      { trace: TRACE, id: SPAN, service: 'shop', name: 'GET /cart', kind: 2, startMs, tookMs: 40, isError: true }
    ])
    await api('/api/v1/otlp/v1/traces', { method: 'POST', headers, json: spans })
    const log = {
      message: 'cart failed',
      level: 'error',
      service: 'shop',
      trace_id: TRACE,
      timestamp: new Date(startMs).toISOString()
    }
    await api('/api/v1/logs/batch?ack=searchable', { method: 'POST', headers, json: { logs: [log] } })
    const errors = [
      { service: 'shop', type: 'TypeError', message: 'total is not a number', stack: STACK, trace_id: TRACE },
      { service: 'mail', type: 'Bounce', message: HOSTILE }
    ]
    for (const error of errors) {
      const json = { ...error, timestamp: new Date(startMs).toISOString() }
      await api('/api/v1/apm/errors', { method: 'POST', headers, json })
    }
    await service.settle()
    ada = await story.arrive()
    await ada.page.goto(`/n/${first.namespace}/errors`)
    await ada.signIn(first.email, first.password!)
  })

  it('lists the groups with their states, hostile text as text', async () => {
    await ada.page.getByRole('heading', { level: 1, name: 'Exceptions' }).waitFor()
    const groups = ada.page.getByRole('grid', { name: 'Exceptions' })
    await groups.getByRole('row', { name: /open TypeError total is not a number shop/ }).waitFor()
    await groups.getByText('\\u202e').waitFor()
    await expect(groups.getAttribute('aria-rowcount')).resolves.toBe('3')
    await ada.picture('exceptions')
    await expect(ada.inspect()).resolves.toEqual([])
  })

  it('searches messages, and marks the fault of a query', async () => {
    const query = ada.page.getByRole('combobox', { name: 'Query' })
    await query.fill('number')
    await query.press('Enter')
    await ada.page.getByRole('status', { name: 'Result' }).getByText('1 group · complete').waitFor()
    await query.fill('(number')
    await query.press('Enter')
    await ada.page.getByText(/parenthesis is not closed/).waitFor()
    await ada.page.goBack()
    await ada.page.goBack()
    await ada.page.getByRole('status', { name: 'Result' }).getByText('2 groups · complete').waitFor()
  })

  it('filters by state, and Back undoes it', async () => {
    await ada.page.getByRole('group', { name: 'State' }).getByRole('button', { name: 'resolved' }).click()
    await ada.page.getByRole('heading', { name: 'No exception of this window matches the filter' }).waitFor()
    expect(new URL(ada.page.url()).searchParams.get('status')).toBe('resolved')
    await ada.page.goBack()
    await ada.page.getByRole('grid', { name: 'Exceptions' }).waitFor()
  })

  it('opens a group: frames of the application first', async () => {
    await ada.page.getByRole('row', { name: /TypeError/ }).click()
    await ada.page.getByRole('heading', { level: 1, name: 'TypeError' }).waitFor()
    const stack = ada.page.getByRole('region', { name: 'Stack trace' })
    await stack.getByRole('listitem').first().waitFor()
    await expect(stack.getByRole('listitem').allTextContents()).resolves.toEqual([
      'at addTotal (/app/src/cart.ts:31:9)',
      'at checkout (/app/src/checkout.ts:12:3)'
    ])
    await stack.getByText('1 frame of libraries and the runtime').click()
    await stack.getByText('node_modules/express').waitFor()
  })

  it('has its trace and the logs of the trace', async () => {
    await ada.page.getByRole('region', { name: 'Sample trace' }).getByText('1 span, 1 error').waitFor()
    await ada.page.getByRole('region', { name: 'Logs of the trace' }).getByText('cart failed').waitFor()
    await ada.picture('exception')
    await expect(ada.inspect()).resolves.toEqual([])
    await ada.page.getByRole('link', { name: 'Open trace' }).click()
    await ada.page.getByRole('heading', { level: 1, name: 'shop · GET /cart' }).waitFor()
    await ada.page.goBack()
  })

  it('is resolved, and regresses with the next error', async () => {
    const service = story.service()
    const { api, first } = service
    const group = ada.page.getByRole('region', { name: 'Group' })
    await group.getByRole('button', { name: 'Resolve' }).click()
    await group.getByText('resolved').waitFor()
    await group.getByRole('button', { name: 'Reopen' }).waitFor()
    const json = { service: 'shop', type: 'TypeError', message: 'total is not a number', stack: STACK }
    await api('/api/v1/apm/errors', { method: 'POST', headers: { 'x-api-key': first.ingestKey }, json })
    await service.settle()
    await ada.page.getByRole('button', { name: 'Refresh' }).click()
    await group.getByText('regressed').waitFor()
  })

  it('passes axe in the dark theme', async () => {
    await ada.chooseTheme('Dark')
    await ada.picture('exception-dark')
    await expect(ada.inspect()).resolves.toEqual([])
    await ada.page.setViewportSize({ width: 800, height: 900 })
    await ada.picture('exception-dark-800')
    await expect(ada.inspect()).resolves.toEqual([])
  })

  it('is decided by members; a viewer sees the role that may', async () => {
    const { email, password } = await joinAs(story.service(), 'VIEWER', 'vera@example.test')
    const vera = await story.arrive()
    await vera.page.goto(ada.page.url())
    await vera.signIn(email, password)
    const resolve = vera.page.getByRole('button', { name: 'Resolve' })
    await resolve.and(vera.page.getByTitle('Requires the role member; your role is viewer.')).waitFor()
    await expect(resolve.isDisabled()).resolves.toBe(true)
    expect(vera.faults).toEqual([])
  })

  it('loads nothing from elsewhere and violates no policy', () => {
    expect(ada.faults).toEqual([])
  })
})
