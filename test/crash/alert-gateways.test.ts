import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { createPostgresDatabases, type PostgresDatabases } from '../support/postgres-databases.js'
import { describeOn } from '../support/servers.js'
import { openTempFolder } from '../support/temp-folder.js'
import { type AlertKillReport, AlertKillRun } from './alert-kill-run.js'
import { countDeliveries, historyFaults } from './alert-recount.js'

const RULES = 8
/** Longer than a lease: the other gateway takes over meanwhile. */
const PAUSE_MS = 20_000

describe('the recount of alerts', () => {
  // Present from 0 s to 20 s of every 40 s.
  const event = (to: string, atMs: number) => ({ ruleId: 'r', to, atMs })
  const history = [event('firing', 5_000), event('resolved', 25_000), event('firing', 45_000)]

  it('accepts a history without faults, and sees a lost, a wrong and a repeated event', () => {
    expect(historyFaults(['r'], history, 55_000)).toEqual([])
    expect(historyFaults(['r'], history.slice(0, 2), 55_000)).toEqual(['r: lost firing at 45000'])
    expect(historyFaults(['r'], [...history, event('resolved', 55_000)], 55_000)).toEqual(['r: wrongly resolved at 55000'])
    expect(historyFaults(['r'], [...history, history[2]!], 55_000)).toEqual(['r: twice firing at 45000'])
    expect(historyFaults(['r'], [], 55_000)).toEqual(['r: no events'])
  })

  it('sees an id with two bodies, and deliveries that never arrived', () => {
    const hook = (id: string, body: string) => ({ path: '/', headers: { 'webhook-id': id }, body })
    const delivered = (id: string) => ({ id, state: 'delivered' })
    expect(countDeliveries([delivered('a')], [hook('a', 'x'), hook('a', 'x')])).toEqual({ faults: [], received: 1, repeated: 1 })
    const { faults } = countDeliveries(
      [delivered('a'), delivered('b'), { id: 'c', state: 'waiting' }],
      [hook('a', 'x'), hook('a', 'y'), hook('d', 'x')]
    )
    expect(faults).toEqual(['a: several bodies', 'd: arrived and is not in the log', 'b: never arrived', 'c: waiting'])
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
    expect(report.events).toBeGreaterThan(RULES * 4)
    expect(report.deliveries).toBeGreaterThan(RULES * 3)
    expect(report.faults).toEqual([])
  })
  it('send each message once before the first fault', () => {
    expect(report.repeatedBefore).toBe(0)
  })
  it('take over within 20 s', () => {
    expect(report.slowestMs).toBeLessThan(20_000)
  })
})
