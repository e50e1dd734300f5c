import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { MAX_ALERTS_OF_PAGE } from '../../src/alerting/rules/alert-report.js'
import { Changes } from '../support/changes.js'
import { ClockAhead } from '../support/clock-ahead.js'
import { type RunningService, startService } from '../support/running-service.js'
import { must, textOf } from '../support/tenants.js'

const HOSTS = 5
const RULES = ['Busy', 'Idle', 'Quiet']
const clock = new ClockAhead()
const news = new Changes()
let service: RunningService
let operator: string

beforeAll(async () => {
  service = await startService({ app: { clock, onAlertEvents: news.notify } })
  operator = (await service.login()).authorization.replace('Bearer ', '')
  const labels = (n: number): object => ({ host: `web-${n}` })
  const metrics = Array.from({ length: HOSTS }, (_, n) => ({ name: 'load_now', value: n, labels: labels(n) }))
  const headers = { 'x-api-key': service.first.ingestKey }
  await service.ingest('/api/v1/ingest/batch?ack=searchable', { method: 'POST', headers, json: { metrics } })
  await service.settle()
  const group = { name: 'fast', interval: '10s' }
  const id = textOf(await must(service.api, 'POST /api/v1/alerts/groups', operator, group), 'id')
  const exprs = ['load_now >= 0', 'load_now < 2', 'load_now > 100']
  for (const [n, alert] of RULES.entries())
    await must(service.api, 'POST /api/v1/alerts/rules', operator, { alert, expr: exprs[n], group_id: id })
  await untilFiring(HOSTS + 2)
}, 120_000)
afterAll(() => service?.close())

/** Lets time pass, and resolves when so many alerts fire. */
async function untilFiring(count: number): Promise<void> {
  clock.aheadMs += 20_000
  await news.until(async () => (await page('alerts', 'state=firing')).items.length === count)
}

interface Item {
  readonly id?: string
  readonly alert?: string
  readonly rule_id?: string
  readonly fingerprint?: string
  readonly labels?: Readonly<Record<string, string>>
}

interface ListPage {
  readonly items: readonly Item[]
  readonly place: { readonly next_cursor: string | null; readonly has_more: boolean; readonly limit: number }
}

const PATHS = { rules: '/api/v1/alerts/rules', alerts: '/api/v1/alerts' } as const

async function page(list: keyof typeof PATHS, query: string): Promise<ListPage> {
  const { json } = await must(service.api, `GET ${PATHS[list]}?${query}`, operator)
  return { items: json[list] as readonly Item[], place: json['page'] as ListPage['place'] }
}

/** All items, page by page. */
async function pages(list: keyof typeof PATHS, query: string): Promise<readonly (readonly Item[])[]> {
  const found: (readonly Item[])[] = []
  for (let cursor = ''; ;) {
    const { items, place } = await page(list, `${query}${cursor}`)
    found.push(items)
    expect(place.has_more).toBe(place.next_cursor !== null)
    if (place.next_cursor === null) return found
    cursor = `&cursor=${encodeURIComponent(place.next_cursor)}`
  }
}

describe('the list of alerts', () => {
  it('has each alert once over all pages, in one order', async () => {
    const whole = await page('alerts', '')
    expect([whole.items.length, whole.place]).toEqual([HOSTS + 2, { next_cursor: null, has_more: false, limit: 100 }])
    const found = await pages('alerts', 'limit=3')
    expect(found.map(({ length }) => length)).toEqual([3, 3, 1])
    expect(found.flat()).toEqual(whole.items)
  })

  it('has no further page after one that is full', async () => {
    expect((await pages('alerts', `limit=${HOSTS + 2}`)).map(({ length }) => length)).toEqual([HOSTS + 2])
  })

  it('is that of some rules and states', async () => {
    const rules = (await page('rules', '')).items
    const idle = rules.find(({ alert }) => alert === 'Idle')!.id!
    const found = (await pages('alerts', `rule_id=${idle}&state=firing&limit=1`)).flat()
    expect(found.map(({ rule_id: id, labels }) => [id, labels!['host']])).toEqual(
      expect.arrayContaining([
        [idle, 'web-0'],
        [idle, 'web-1']
      ])
    )
    expect(found).toHaveLength(2)
    expect((await page('alerts', 'state=nodata')).items).toEqual([])
  })
})

describe('the list of rules', () => {
  it('has each rule once over all pages, in the order of the whole list', async () => {
    const names = (items: readonly Item[]): readonly unknown[] => items.map(({ alert }) => alert)
    expect(names((await page('rules', '')).items)).toEqual(RULES)
    expect((await pages('rules', 'limit=1')).map(names)).toEqual(RULES.map(name => [name]))
    expect((await pages('rules', 'limit=1&state=firing')).map(names)).toEqual([['Busy'], ['Idle']])
    expect((await pages('rules', 'limit=2&contains=i')).map(names)).toEqual([['Idle', 'Quiet']])
  })

  it('refuses the cursor of a rule that is not there any more', async () => {
    const rule = { alert: 'Gone', expr: 'vector(1)' }
    const id = textOf(await must(service.api, 'POST /api/v1/alerts/rules', operator, rule), 'id')
    const cursor = Buffer.from(id).toString('base64url')
    expect((await page('rules', `cursor=${cursor}`)).items.map(({ alert }) => alert)).toEqual(RULES)
    await must(service.api, `DELETE /api/v1/alerts/rules/${id}`, operator)
    const refused = await service.api(`${PATHS.rules}?cursor=${cursor}`, { headers: { authorization: `Bearer ${operator}` } })
    expect([refused.status, refused.json['code'], refused.json['detail']]).toEqual([
      400,
      'invalid_field',
      expect.stringContaining('cursor')
    ])
  })
})

it.each([
  ['alerts', 'limit=0', 'limit'],
  ['alerts', `limit=${MAX_ALERTS_OF_PAGE + 1}`, 'limit'],
  ['rules', 'limit=0', 'limit'],
  ['rules', 'limit=501', 'limit'],
  ['alerts', 'cursor=x', 'cursor'],
  ['alerts', `cursor=${Buffer.from("a' or 1=1.b").toString('base64url')}`, 'cursor'],
  ['rules', `cursor=${Buffer.from('a.b').toString('base64url')}`, 'cursor']
] as const)('the list of %s refuses %s', async (list, query, field) => {
  const refused = await service.api(`${PATHS[list]}?${query}`, { headers: { authorization: `Bearer ${operator}` } })
  expect([refused.status, refused.json['code'], refused.json['detail']]).toEqual([
    400,
    'invalid_field',
    expect.stringContaining(field)
  ])
})
