import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { openTempFolder } from '../support/temp-folder.js'
import { openEmbeddedSite } from './rotation-site.js'
import { type RotationReport, RotationRun } from './rotation-run.js'

const OPTIONS = { seed: 61, lines: 3_000, agentKills: 3, stateLosses: 2, serviceKills: 1 }

describe('files that are rotated in all ways while agent and service are killed', () => {
  let removeFolder: () => Promise<void>
  let report: RotationReport

  beforeAll(async () => {
    const folder = await openTempFolder()
    removeFolder = () => folder.remove()
    report = await new RotationRun({ folder: folder.path, open: openEmbeddedSite, ...OPTIONS }).run()
  }, 240_000)
  afterAll(async () => {
    await removeFolder?.()
  })

  it('were rotated in all ways, and both were killed', () => {
    expect(Object.keys(report.rotations).toSorted()).toEqual(['compress-later', 'compress-now', 'copy', 'remake', 'rename'])
    const { agentKills, stateLosses, serviceKills } = report
    expect({ agentKills, stateLosses, serviceKills }).toMatchObject({ agentKills: 3, stateLosses: 2, serviceKills: 1 })
    expect(report.written).toBeGreaterThanOrEqual(3 * OPTIONS.lines)
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
