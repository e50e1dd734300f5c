import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { openTempFolder } from '../support/temp-folder.js'
import { openEmbeddedSite } from './rotation-site.js'
import { type RotationReport, RotationRun } from './rotation-run.js'

/** Its files are rotated in all ways. */
const SEED = 61
const LINES = 3_000
// Apart: a stream's first batch comes twice when the service dies before its ledger has it and the agent's state is lost
// before it was sent again (docs/agent.md). `npm run crash -- agent` kills all at once.
const RUNS = [
  { what: 'the agent is killed and loses its state', agentKills: 2, stateLosses: 2, serviceKills: 0 },
  { what: 'agent and service are killed', agentKills: 2, stateLosses: 0, serviceKills: 2 }
]

describe.each(RUNS)('files that are rotated in all ways while $what', options => {
  let removeFolder: () => Promise<void>
  let report: RotationReport

  beforeAll(async () => {
    const folder = await openTempFolder()
    removeFolder = () => folder.remove()
    report = await new RotationRun({ folder: folder.path, open: openEmbeddedSite, seed: SEED, lines: LINES, ...options }).run()
  }, 240_000)
  afterAll(async () => {
    await removeFolder?.()
  })

  it('were rotated in all ways, and what was to be killed was killed', () => {
    expect(Object.keys(report.rotations).toSorted()).toEqual(['compress-later', 'compress-now', 'copy', 'remake', 'rename'])
    const { agentKills, stateLosses, serviceKills } = options
    expect(report).toMatchObject({ agentKills, stateLosses, serviceKills })
    expect(report.written).toBeGreaterThanOrEqual(3 * LINES)
  })

  it('are stored line by line, each once, in the order of its file', () => {
    const { missing, doubled, strange, outOfOrder } = report
    expect({ missing, doubled, strange, outOfOrder }).toEqual({ missing: [], doubled: [], strange: [], outOfOrder: [] })
  })

  it('have no gap in the ledger', () => {
    expect(report.streams).toBeGreaterThan(3)
    expect(report.gaps).toEqual([])
  })
})
