import { beforeAll, expect, it } from '@jest/globals'
import { describeStory } from '../support/describe-story.js'
import type { Person } from '../support/story.js'

const PAGES = [
  ...['logs', 'traces', 'traces/4bf92f3577b34da6a3ce929d0e0e4736', 'metrics', 'apm', 'apm/checkout', 'errors', 'rum', 'services'],
  ...[
    'hosts',
    'otlp',
    'alerts',
    'alerts/new',
    'alerts/unknown',
    'alerts/slos',
    'hosts/h1',
    'settings/general',
    'settings/keys',
    'errors/unknown',
    'traces/%00',
    'apm/%3Cimg%20src%3Dx%3E',
    'nowhere'
  ]
]

/** A test visits all pages. */
const MANY_PAGES_MS = 120_000

/** Every key of the addresses, with a value that it cannot have. */
const HOSTILE = [
  '<img src=x onerror=alert(1)>',
  '__proto__',
  '"(((',
  '\u202e\u0000',
  '-1',
  // All keys together stay within the 16 KiB that Node reads of a request line.
  '9'.repeat(200),
  'javascript:alert(1)'
]
const KEYS = [
  ...['from', 'to', 'tz', 'cmp', 'refresh', 'live', 'q', 'level', 'service', 'host', 'source', 'op', 'kind', 'status', 'country'],
  ...['min', 'max', 'scope', 'cols', 'sort', 'view', 'limit', 'at', 'sel', 'span', 'tab', 'base', 'e', 'step', 'y', 'panel'],
  ...[
    'operation',
    'wrap',
    'vital',
    'by',
    'page',
    'url',
    'browser',
    'device',
    'os',
    'connection',
    'release',
    'session',
    'days',
    'fn',
    'field',
    'v'
  ],
  ...['var.x', '__proto__', 'constructor', 'unknown']
]

describeStory('addresses that should never be written', story => {
  let ada: Person

  beforeAll(async () => {
    const { api, first } = story.service()
    const logs = [{ message: 'order placed', level: 'info', service: 'checkout', host: 'h1' }]
    await api('/api/v1/logs/batch?ack=searchable', { method: 'POST', headers: { 'x-api-key': first.ingestKey }, json: { logs } })
    ada = await story.arrive()
    await ada.page.goto(`/n/${first.namespace}/logs`)
    await ada.signIn(first.email, first.password!)
    await ada.page.getByRole('row', { name: /order placed/ }).waitFor()
  })

  it.each(HOSTILE)(
    'show a page for every key set to %j',
    async value => {
      const query = KEYS.map(key => `${encodeURIComponent(key)}=${encodeURIComponent(value)}`).join('&')
      for (const page of PAGES) {
        await ada.page.goto(`/n/${story.service().first.namespace}/${page}?${query}`)
        await ada.page.getByRole('heading').first().waitFor()
        await expect(ada.page.locator('body').textContent()).resolves.not.toMatch(/This page failed/)
      }
      expect(ada.faults).toEqual([])
    },
    MANY_PAGES_MS
  )

  it('name a value that is not valid and show the default', async () => {
    await ada.page.goto(`/n/${story.service().first.namespace}/logs?from=yesterday&tz=Mars/Phobos&refresh=1ms`)
    for (const value of ['from=yesterday', 'tz=Mars/Phobos', 'refresh=1ms'])
      await ada.page.getByText(value, { exact: true }).waitFor()
    await ada.page.getByRole('row', { name: /order placed/ }).waitFor()
  })
})
