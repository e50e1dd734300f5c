import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { seededRandom } from '../../bench/generate/random.js'
import { MEASURE_FAIL_POINTS } from '../../src/alerting/fail-points.js'
import { openTempFolder } from '../support/temp-folder.js'
import { expectedSeries, stepFaults } from './measure-recount.js'
import { MeasureSite } from './measure-site.js'

const SEED = 88
/** Each point is reached in a backfill and in the present. */
const ROUNDS = 2
/** How often a point is passed before it kills, at most. */
const MAX_SKIPPED = 4
const REACH_LIMIT_MS = 120_000
/** A gateway starts fourteen times. */
const RUN_LIMIT_MS = 480_000

/** Cases of kill -9 at each fail point of saved measures; `open` returns settings of the stores, none for embedded ones. */
export function measurePointCases(open: () => Promise<Readonly<Record<string, string>>>): void {
  let folder: Awaited<ReturnType<typeof openTempFolder>>
  let site: MeasureSite
  const random = seededRandom(SEED)

  beforeAll(async () => {
    folder = await openTempFolder()
    site = await MeasureSite.open({ folder: folder.path, gateways: 1, env: await open() }, random)
    for (let round = 0; round < ROUNDS; round++) {
      for (const point of MEASURE_FAIL_POINTS) {
        await site.sendNext(0)
        await site.backfill(0)
        await site.gateways.kill()
        await site.database.expireLeases()
        const armed = { point, signal: 'SIGKILL', skip: random.below(MAX_SKIPPED + 1) } as const
        await site.gateways.spawnAndDie(0, armed, REACH_LIMIT_MS)
        await site.database.expireLeases()
        await site.gateways.start(0)
      }
    }
  }, RUN_LIMIT_MS)
  afterAll(async () => {
    await site?.gateways.stop()
    await folder?.remove()
  })

  it(
    'leaves each step with the samples that its records give, and no other samples',
    async () => {
      const steps = await site.computed(0)
      expect(stepFaults(expectedSeries(site.records, steps), await site.samples(0, steps))).toEqual([])
    },
    RUN_LIMIT_MS
  )
}
