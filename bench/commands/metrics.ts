import type { BenchOptions } from '../options.js'
import type { Report } from '../report.js'
import { loadRow, measureLoad, refusalNotes } from './measured-load.js'
import { targetOf, withService } from './with-service.js'

const BATCH = 1000
const CONNECTIONS = 8

/** Metric points in batches of 1,000 over 1,000 series. */
export function measureMetrics(options: BenchOptions): Promise<Report> {
  return withService(options, async service => {
    const measured = await measureLoad(service, {
      kind: 'points',
      target: targetOf(service),
      batch: BATCH,
      seed: options.seed,
      warmUpSeconds: 2,
      pace: { connections: CONNECTIONS, rate: null, seconds: options.seconds }
    })
    const name = `${CONNECTIONS} connections`
    return { title: `Metric points in batches of ${BATCH}`, rows: [loadRow(name, measured)], notes: refusalNotes(name, measured) }
  })
}
