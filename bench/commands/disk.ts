import { fill } from '../load/fill.js'
import type { BenchOptions } from '../options.js'
import type { Report } from '../report.js'
import { diskUse, sealedRows, waitUntilMerged } from './disk-use.js'
import { targetOf, withService } from './with-service.js'

const NS_PER_DAY = 86_400_000_000_000n

/** Bytes a log once sealed and merged. */
export function measureDisk(options: BenchOptions): Promise<Report> {
  return withService(options, async service => {
    const endNs = BigInt(Date.now()) * 1_000_000n
    const filled = await fill({
      target: targetOf(service),
      rows: options.rows,
      seed: options.seed,
      startNs: endNs - NS_PER_DAY,
      endNs,
      batch: 1000,
      connections: 6
    })
    const quietSeconds = await waitUntilMerged(service.dataDir)
    const disk = diskUse(service.dataDir)
    const rows = await sealedRows(service.url)
    const row = {
      logs: options.rows,
      'bytes/log sent': filled.bytes / options.rows,
      'bytes/log in segments': disk.segmentBytes / rows.sealed,
      'rows in segments': rows.sealed,
      'rows in the hot file': rows.waiting,
      segments: disk.segments,
      'other files MB': disk.otherBytes / 1e6,
      'quiet after s': quietSeconds
    }
    return { title: 'Bytes on disk', rows: [row], notes: [] }
  })
}
