import { packSeries, unpackSeries } from '../../query/promql/series-message.js'
import { writeGrid } from '../../query/promql/grid-bytes.js'
import type { PromqlJob, PromqlThreads } from '../../query/promql/promql-threads.js'
import { planRequest, runQuery } from '../../query/promql/run-query.js'

/** Evaluates PromQL on this thread: for commands, which have no other caller to delay. */
export class InlinePromql implements Pick<PromqlThreads, 'run'> {
  async run({ request, reads, bounds, select, signal }: PromqlJob): Promise<Uint8Array> {
    const found = []
    for (const read of reads) found.push(unpackSeries(packSeries(await select(read, signal))))
    const plan = planRequest(request, bounds)
    const result = runQuery(request, plan, { bounds, found, stop: () => (signal.aborted ? 'cancelled' : null) })
    return writeGrid(request, result, bounds.maxResultBytes)
  }
}
