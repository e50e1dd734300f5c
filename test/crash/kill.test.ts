import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { openTempFolder } from '../support/temp-folder.js'
import type { SentRequest } from './acked-load.js'
import { messageOf } from './acked-load.js'
import { KillRun } from './kill-run.js'
import type { KillReport } from './kill-run.js'
import { findViolations } from './recount.js'

const KILLS = 20
const SEED = 20

describe('the recount itself', () => {
  const request = (id: string, isAcked: boolean, kind: 'logs' | 'points' = 'logs'): SentRequest => ({
    id,
    kind,
    items: 3,
    idempotencyKey: null,
    body: '',
    isAcked
  })
  const messages = (id: string, counts: readonly number[]): [string, number][] =>
    counts.map((count, i) => [messageOf(id, i), count])

  it.each([
    ['an acknowledged log that is gone', request('a', true), [1, 1, 0], 'a: acknowledged, but only 2 of 3 stored'],
    ['a log that is there twice', request('a', true), [1, 2, 1], 'a: 1 of 3 stored more than once'],
    [
      'half of an unacknowledged batch',
      request('a', false),
      [1, 0, 0],
      'a: not acknowledged, 1 of 3 stored: neither all nor none'
    ]
  ])('sees %s', (_what, sent, counts, sentence) => {
    expect(findViolations([sent], { messages: new Map(messages('a', counts)), points: new Map() })).toEqual([sentence])
  })

  it.each([
    [2, 'a: acknowledged, but only 2 of 3 stored'],
    [4, 'a: 1 of 3 stored more than once']
  ])('sees %d points where three belong', (count, sentence) => {
    const found = { messages: new Map<string, number>(), points: new Map([['a', count]]) }
    expect(findViolations([request('a', true, 'points')], found)).toEqual([sentence])
  })

  it('accepts all or none of what was not acknowledged', () => {
    const found = { messages: new Map(messages('a', [1, 1, 1])), points: new Map<string, number>() }
    expect(findViolations([request('a', false), request('b', false)], found)).toEqual([])
  })
})

describe(`${KILLS} kills at random moments under load`, () => {
  let removeFolder: () => Promise<void>
  let report: KillReport

  beforeAll(async () => {
    const folder = await openTempFolder()
    removeFolder = () => folder.remove()
    report = await new KillRun({ dataDir: folder.path, kills: KILLS, seed: SEED }).run()
  }, 240_000)
  afterAll(async () => {
    await removeFolder?.()
  })

  it('killed both processes and had acknowledged work each time', () => {
    expect(report.httpKills).toBeGreaterThan(3)
    expect(report.storeKills).toBeGreaterThan(3)
    expect(report.acked).toBeGreaterThan(KILLS * 5)
    expect(report.ackedSpans).toBeGreaterThan(0)
  })
  it('keeps every acknowledged record once and none twice', () => {
    expect(report.violations).toEqual([])
  })
  it('returns nothing but acknowledgements and "not now"', () => {
    expect(report.surprises).toEqual([])
  })
  it('leaves no segment that the manifest does not know, and misses none that it does', () => {
    expect(report.audit.files).toBeGreaterThan(0)
    expect([report.audit.orphans, report.audit.missing]).toEqual([[], []])
  })
})
