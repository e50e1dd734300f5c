import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { seededRandom } from '../../bench/generate/random.js'
import { childrenOf } from '../../bench/service/proc.js'
import { ServiceProcess } from '../../bench/service/service-process.js'
import { openTempFolder } from '../support/temp-folder.js'
import { AckedLoad } from './acked-load.js'
import { CrashSite } from './crash-site.js'
import { auditSegments } from './orphans.js'
import { countMessages, countPoints, findViolations } from './recount.js'

/** Acknowledged requests before the service is stopped. */
const LOAD = 30
const LOCK_WAIT_MS = 40_000

let folder: Awaited<ReturnType<typeof openTempFolder>>
const started: ServiceProcess[] = []
beforeEach(async () => {
  folder = await openTempFolder()
})
afterEach(async () => {
  for (const service of started.splice(0)) await service.stop()
  await folder.remove()
})

describe('a stop signal under load', () => {
  it('loses nothing that was acknowledged and leaves no process behind', async () => {
    const site = await CrashSite.open(folder.path)
    started.push(site.service)
    const load = new AckedLoad(seededRandom(1), 'stop')
    load.start(site.target)
    await load.acked(LOAD)
    const store = site.service.storePid
    await site.service.stop('SIGTERM')
    await load.stop()
    expect(site.service.exitCode).toBe(0)
    expect(store !== null && childrenOf(1).includes(store)).toBe(false)
    await site.start()
    started.push(site.service)
    const found = { messages: await countMessages(site.session, 'stop'), points: await countPoints(site.session, 'stop') }
    expect(load.requests.filter(request => request.isAcked).length).toBeGreaterThan(20)
    expect(findViolations(load.requests, found)).toEqual([])
    expect(load.surprises).toEqual([])
    await site.service.stop()
    expect(await auditSegments(folder.path)).toMatchObject({ orphans: [], missing: [] })
  }, 60_000)
})

describe('a second process on the same data', () => {
  it(
    'ends with a sentence while the first one goes on',
    async () => {
      const site = await CrashSite.open(folder.path)
      started.push(site.service)
      const second = await ServiceProcess.spawn({ dataDir: folder.path })
      started.push(second)
      await expect(second.ready(LOCK_WAIT_MS)).rejects.toThrow(/another process/)
      expect(second.exitCode).toBe(1)
      const load = new AckedLoad(seededRandom(2), 'second')
      load.start(site.target)
      await load.acked(10)
      await load.stop()
      expect(load.requests.every(request => request.isAcked)).toBe(true)
    },
    LOCK_WAIT_MS + 20_000
  )

  it(
    'lets one of two first starts win, with one operator',
    async () => {
      const both = await Promise.all([1, 2].map(() => ServiceProcess.spawn({ dataDir: folder.path })))
      started.push(...both)
      const outcomes = await Promise.allSettled(both.map(service => service.ready(LOCK_WAIT_MS)))
      expect(outcomes.map(outcome => outcome.status).sort()).toEqual(['fulfilled', 'rejected'])
      const winner = both[outcomes.findIndex(outcome => outcome.status === 'fulfilled')]!
      const reply = await fetch(`${winner.url}/api/v1/logs`, {
        method: 'POST',
        headers: { 'x-api-key': winner.firstRun().apiKey, 'content-type': 'application/json' },
        body: JSON.stringify({ message: 'from the winner' })
      })
      expect(reply.status).toBe(200)
    },
    LOCK_WAIT_MS + 20_000
  )
})
