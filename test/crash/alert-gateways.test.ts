import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { createPostgresDatabases, type PostgresDatabases } from '../support/postgres-databases.js'
import { describeOn } from '../support/servers.js'
import { openTempFolder } from '../support/temp-folder.js'
import { type AlertKillReport, AlertKillRun } from './alert-kill-run.js'
import { countDeliveries, historyFaults, sampleFaults, unreported } from './alert-recount.js'
import { TimedRule } from './timed-rule.js'

const RULES = 8
/** Longer than a lease: the other gateway takes over meanwhile. */
const PAUSE_MS = 20_000

describe('the recount of alerts', () => {
  // Present from 0 s to 20 s of every 40 s; a step is 10 s.
  const rule = new TimedRule('r', 'R', 0)
  const changes = rule.changes(59_999)
  const history = changes.map(change => ({ ruleId: 'r', ...change }))
  const [fired, resolved, again] = changes.map(({ atMs }) => atMs)

  it('knows the changes of a rule: the first step, then every second one', () => {
    expect(changes.map(({ to }) => to)).toEqual(['firing', 'resolved', 'firing'])
    expect([resolved! - fired!, again! - resolved!]).toEqual([20_000, 20_000])
    expect([rule.lastChangeMs(again! - 1), rule.lastChangeMs(again!)]).toEqual([resolved, again])
    expect(new TimedRule('r', 'R', fired!).changes(fired! + 10_000)).toEqual([{ to: 'firing', atMs: fired! + 10_000 }])
  })
  it('accepts a history without faults, and sees a lost, a wrong and a repeated event', () => {
    const faultsOf = (events: typeof history): readonly string[] => historyFaults([rule], events, 59_999)
    expect(faultsOf(history)).toEqual([])
    expect(faultsOf(history.slice(0, 2))).toEqual([`R: lost firing at ${again}`])
    expect(faultsOf(history.slice(1))).toEqual([`R: lost firing at ${fired}`])
    expect(faultsOf([...history, { ruleId: 'r', to: 'resolved', atMs: 55_000 }])).toEqual(['R: wrongly resolved at 55000'])
    expect(faultsOf([...history, history[2]!])).toEqual([`R: twice firing at ${again}`])
  })
  it('sees a missing sample of a recording rule', () => {
    const samples = [10_000, 20_000, 30_000].map(atMs => [atMs, atMs / 1_000] as const)
    expect(sampleFaults('m', samples, 39_999)).toEqual([])
    expect(sampleFaults('m', samples, 40_000)).toEqual(['m: no sample at the end'])
    expect(sampleFaults('m', [samples[0]!, samples[2]!], 39_999)).toEqual(['m: 20000 ms between samples at 30000'])
    expect(sampleFaults('m', [samples[0]!, [20_000, 10]], 29_999)).toEqual(['m: 10 at 20000'])
  })
  it('sees a rule whose last change was not reported', () => {
    const report = (status: string, atMs: number) => ({
      path: '/',
      headers: { 'webhook-id': String(atMs).padStart(8, '0') },
      body: JSON.stringify({
        data: {
          alerts: [
            {
              ...{ status, labels: { alertname: 'R' }, startsAt: new Date(fired!).toISOString() },
              endsAt: new Date(atMs).toISOString()
            }
          ]
        }
      })
    })
    const hooks = [report('firing', fired!), report('resolved', resolved!)]
    expect(unreported(hooks, [rule], resolved!)).toEqual([])
    expect(unreported(hooks.slice(0, 1), [rule], resolved!)).toEqual([rule])
    expect(unreported(hooks, [rule], again!)).toEqual([rule])
  })

  it('sees an id with two bodies, and deliveries that never arrived', () => {
    const hook = (id: string, body: string) => ({ path: '/', headers: { 'webhook-id': id }, body })
    const delivery = (id: string, state: string, createdAtMs = 0) => ({ id, state, createdAtMs })
    expect(countDeliveries([delivery('a', 'delivered')], [hook('a', 'x'), hook('a', 'x')], { untilMs: 1 })).toEqual({
      ...{ faults: [], received: 1, repeated: ['a'] }
    })
    const log = ['a', 'b'].map(id => delivery(id, 'delivered'))
    const { faults } = countDeliveries(
      [...log, delivery('c', 'waiting', 1), delivery('d', 'replaced'), delivery('e', 'waiting', 2), delivery('f', 'failed')],
      [hook('a', 'x'), hook('a', 'y'), hook('f', 'x'), hook('g', 'x'), hook('h', 'x')],
      { untilMs: 1, listed: 4 }
    )
    expect(faults).toEqual([
      'a: several bodies',
      'g: arrived and is not in the log',
      'b: delivered and never arrived',
      'c: waiting and never arrived',
      'f: failed'
    ])
  })
})

describeOn('postgres', 'two gateways, of which one is killed, paused, or loses its connections', ({ url }) => {
  let databases: PostgresDatabases
  let folder: Awaited<ReturnType<typeof openTempFolder>>
  let report: AlertKillReport

  beforeAll(async () => {
    databases = await createPostgresDatabases(url)
    folder = await openTempFolder()
    const options = { folder: folder.path, databaseUrl: await databases.bare(), rules: RULES, seed: 21, pauseMs: PAUSE_MS }
    report = await new AlertKillRun({ ...options, faults: ['kill', 'pause', 'cut'] }).run()
  }, 300_000)
  afterAll(async () => {
    await folder?.remove()
    await databases?.drop()
  })

  it('lose no step, repeat none, and report the last state of each alert', () => {
    // How many there are depends on the time that the takeovers need; each rule fired and was resolved in any case.
    expect(report.events).toBeGreaterThanOrEqual(RULES * 2)
    expect(report.deliveries).toBeGreaterThanOrEqual(RULES * 2)
    expect(report.faults).toEqual([])
  })
  it('send each message once before the first fault', () => {
    expect(report.repeatedBefore).toBe(0)
  })
  it('take over within 20 s', () => {
    expect(report.slowestMs).toBeLessThan(20_000)
  })
})
