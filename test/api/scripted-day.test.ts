import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { DemoSender } from '../../bench/demo/sender.js'
import { type ReadingService, startReadingService } from '../support/reading-service.js'
import { DAY_S, scriptedDay, type ScriptedDay } from '../support/scripted-day.js'

interface Finding {
  readonly kind: string
  readonly name: string
  readonly value: string | null
  readonly base_count: number
  readonly other_count: number
  readonly evidence: { readonly side: 'base' | 'other'; readonly query: string }
}

interface Pattern {
  readonly template: string
  readonly levels: readonly { readonly value: string }[]
  readonly change: { readonly base_count: number } | null
}

const SEEDS = [1, 2, 3, 4, 5]
const SLOT_S = DAY_S + 60
const NEW_ERROR = /failed after .*: cannot read properties of undefined/
let service: ReadingService
const badDays: ScriptedDay[] = []
const calmDays: ScriptedDay[] = []

beforeAll(async () => {
  service = await startReadingService()
  const nowSeconds = Math.floor(Date.now() / 10_000) * 10
  const days = SEEDS.flatMap(seed => [
    { seed, days: badDays, isBad: true },
    { seed, days: calmDays, isBad: false }
  ])
  const sender = new DemoSender(service, service.first.ingestKey)
  for (const [i, { seed, days: made, isBad }] of days.entries()) {
    const day = scriptedDay(seed, nowSeconds - (days.length - i) * SLOT_S, isBad)
    made.push(day)
    await sender.send(day.emissions, false)
  }
  await service.settle()
}, 300_000)
afterAll(() => service.close())

async function compare({ before, after }: ScriptedDay, signal = 'logs'): Promise<readonly Finding[]> {
  const reply = await service.ok(service.post('/api/v1/compare', { signal, base: before, other: after, limit: 100 }))
  expect([reply['complete'], reply['warnings']]).toEqual([true, expect.any(Array)])
  return reply['findings'] as readonly Finding[]
}

async function patterns({ before, after }: ScriptedDay): Promise<readonly Pattern[]> {
  const query = new URLSearchParams({ ...after, compare_start: before.start, compare_end: before.end, limit: '100' })
  return (await service.ok(service.get(`/api/v1/logs/patterns?${query.toString()}`)))['patterns'] as readonly Pattern[]
}

describe.each(SEEDS)('a day with a bad release and a leak, seed %i', seed => {
  const day = (): ScriptedDay => badDays[SEEDS.indexOf(seed)]!

  it('has its new error among the patterns', async () => {
    const found = (await patterns(day())).filter(({ change }) => change?.base_count === 0)
    expect(found.map(({ template }) => template)).toEqual(expect.arrayContaining([expect.stringMatching(NEW_ERROR)]))
    expect(found.flatMap(({ levels }) => levels.map(({ value }) => value))).toContain('error')
  })

  it('has the release as its largest difference, and names the error group and the leak', async () => {
    const findings = await compare(day())
    expect(findings[0]).toMatchObject({ kind: 'field_value', name: 'log_fields.release' })
    const release = findings.find(({ value }) => value === '2.15.0')!
    expect(release).toMatchObject({ base_count: 0, evidence: { side: 'other' } })
    const group = findings.find(({ kind, name }) => kind === 'error_group' && name.startsWith('TypeError: cannot read'))!
    expect(group.base_count).toBe(0)
    const errors = await service.ok(
      service.get(`/api/v1/apm/errors/${group.value}?${new URLSearchParams(day().after).toString()}`)
    )
    expect((errors['group'] as { count: number }).count).toBe(group.other_count)
    const leak = findings.find(({ kind, name }) => kind === 'metric' && name.includes('process.memory.usage'))!
    expect(leak.other_count).toBeGreaterThan(leak.base_count)
    const { after } = day()
    const chart = new URLSearchParams({ query: leak.evidence.query, ...after, step: '10' })
    const range = await service.ok(service.get(`/api/v1/prometheus/api/v1/query_range?${chart.toString()}`))
    expect((range['data'] as { result: readonly unknown[] }).result).toHaveLength(1)
  })

  it('has the release as the largest difference of its spans', async () => {
    expect((await compare(day(), 'spans'))[0]!.name).toMatch(/version|release/)
  })
})

describe.each(SEEDS)('a day of harmless changes, seed %i', seed => {
  it('has nothing significant', async () => {
    const day = calmDays[SEEDS.indexOf(seed)]!
    expect(await compare(day)).toEqual([])
    expect(await compare(day, 'spans')).toEqual([])
    expect((await patterns(day)).filter(({ change }) => change !== null)).toEqual([])
  })
})
