import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { describeOn } from '../support/servers.js'
import { openTempFolder } from '../support/temp-folder.js'
import type { OutageReport } from './outage-run.js'
import { OutageRun } from './outage-run.js'

const OUTAGE_MS = 4_000
const RATE = 1_000

for (const store of ['es8', 'influx'] as const) {
  describeOn(store, `${store} killed with kill -9 under load, and the gateway in the middle of it`, () => {
    let folder: Awaited<ReturnType<typeof openTempFolder>>
    let report: OutageReport

    beforeAll(async () => {
      folder = await openTempFolder()
      report = await new OutageRun({ dataDir: folder.path, store, outageMs: OUTAGE_MS, rate: RATE }).run()
    }, 300_000)
    afterAll(() => folder?.remove())

    it('acknowledges on, from the spool', () => {
      expect(report.spooled).toBeGreaterThan(0)
      expect(report.surprises).toEqual([])
    })
    it('loses nothing and doubles nothing', () => {
      expect(report.acked).toBeGreaterThan(report.spooled)
      expect([report.lost, report.doubled]).toEqual([0, 0])
    })
  })
}
