import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { openTempFolder } from '../support/temp-folder.js'
import { type AlertPointReport, AlertPointRun } from './alert-point-run.js'

const SEED = 21
/** A gateway starts sixteen times. */
const START_LIMIT_MS = 480_000

/** Cases of kill -9 at each fail point; `open` returns the URL of the control database, null for the embedded one. */
export function alertPointCases(open: () => Promise<string | null>): void {
  let folder: Awaited<ReturnType<typeof openTempFolder>>
  let report: AlertPointReport

  beforeAll(async () => {
    folder = await openTempFolder()
    report = await new AlertPointRun({ folder: folder.path, databaseUrl: await open(), seed: SEED }).run()
  }, START_LIMIT_MS)
  afterAll(() => folder?.remove())

  it('loses no step and no sample, and leaves no alert in two states', () => {
    expect(report.events).toBeGreaterThan(0)
    expect(report.deliveries).toBeGreaterThan(0)
    expect(report.faults).toEqual([])
  })
  it('sends a message again, with its id and body, when its outcome was not stored', () => {
    expect(report.repeatedAfter.get('attempt.ended')).toBeGreaterThan(0)
    expect(report.repeatedAfter.get('attempt.written')).toBeGreaterThan(0)
  })
  it('sends a message once when its outcome was stored', () => {
    expect(report.wronglyRepeated).toEqual([])
  })
}
