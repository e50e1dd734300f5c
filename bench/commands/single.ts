import type { BenchOptions } from '../options.js'
import type { Report } from '../report.js'
import { loadRow, measureLoad, refusalNotes } from './measured-load.js'
import { targetOf, withService } from './with-service.js'

const CONNECTIONS = 64

/** One log a request on 64 connections, each waiting for its acknowledgement. */
export function measureSingle(options: BenchOptions): Promise<Report> {
  return withService(options, async service => {
    const measured = await measureLoad(service, {
      kind: 'logs',
      target: targetOf(service),
      batch: 1,
      seed: options.seed,
      warmUpSeconds: 2,
      pace: { connections: CONNECTIONS, rate: null, seconds: options.seconds }
    })
    const name = `${CONNECTIONS} connections`
    return { title: 'Single-log requests', rows: [loadRow(name, measured)], notes: refusalNotes(name, measured) }
  })
}
