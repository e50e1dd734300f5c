import { snappyBlock, STALE_VALUE, writeRequest } from '../support/remote-write.js'
import { END_MS, oracleWorld } from './world.js'

const SLICE_MS = 600_000

/** Writes the series into a Prometheus. In slices of time: a Prometheus takes nothing far behind its newest sample. */
export async function fillPrometheus(url: string): Promise<void> {
  for (let fromMs = END_MS - 2 * 3_600_000; fromMs <= END_MS + SLICE_MS; fromMs += SLICE_MS) {
    const parts = oracleWorld().map(({ labels, samples }) => {
      const sorted = Object.fromEntries(Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1)))
      const points = samples
        .filter(([ms]) => ms >= fromMs && ms < fromMs + SLICE_MS)
        .flatMap(([ms, value]) => (typeof value === 'object' ? [] : [[ms, value === 'stale' ? STALE_VALUE : value] as const]))
      return points.length === 0 ? Buffer.alloc(0) : writeRequest(sorted, ...points)
    })
    const reply = await fetch(`${url}/api/v1/write`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-protobuf', 'content-encoding': 'snappy' },
      body: snappyBlock(Buffer.concat(parts))
    })
    if (!reply.ok) throw new Error(`${reply.status} ${await reply.text()}`)
  }
}
