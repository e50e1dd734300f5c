import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { openTempFolder } from '../support/temp-folder.js'
import { openEmbeddedSite } from './rotation-site.js'
import { type RotationReport, RotationRun } from './rotation-run.js'

/** Its files are rotated in all ways. */
const SEED = 61
const LINES = 3_000
const KILLS = { agentKills: 2, stateLosses: 2, serviceKills: 2 }

describe('files that are rotated in all ways while agent and service are killed and the agent loses its state', () => {
  let removeFolder: () => Promise<void>
  let report: RotationReport

  beforeAll(async () => {
    const folder = await openTempFolder()
    removeFolder = () => folder.remove()
    report = await new RotationRun({ folder: folder.path, open: openEmbeddedSite, seed: SEED, lines: LINES, ...KILLS }).run()
  }, 240_000)
  afterAll(async () => {
    await removeFolder?.()
  })

  it('were rotated in all ways, and what was to be killed was killed', () => {
    expect(Object.keys(report.rotations).toSorted()).toEqual(['compress-later', 'compress-now', 'copy', 'remake', 'rename'])
    expect(report).toMatchObject(KILLS)
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
