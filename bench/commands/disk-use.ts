import { setTimeout as sleep } from 'node:timers/promises'
import { filesUnder } from '../service/proc.js'

/** Files of a data folder. */
export interface DiskUse {
  readonly segments: number
  /** Including their indexes. */
  readonly segmentBytes: number
  /** Hot file, its log, control database. */
  readonly otherBytes: number
}

/** How many rows are sealed, all signals together; the others still wait in the hot file. */
export interface SealedRows {
  readonly sealed: number
  readonly waiting: number
}

/** Reads the engine's own count of rows from the service's metrics. */
export async function sealedRows(url: string): Promise<SealedRows> {
  const text = await (await fetch(`${url}/metrics`)).text()
  const read = (name: string): number => Number(new RegExp(`^alidade_store_${name} (\\S+)$`, 'm').exec(text)?.[1] ?? Number.NaN)
  return { sealed: read('segment_rows'), waiting: read('hot_rows') }
}

const INDEX = /\.parquet\.\w+$/
const QUIET_MS = 4_000
const POLL_MS = 500
const GIVE_UP_MS = 180_000

export function diskUse(dataDir: string): DiskUse {
  const files = filesUnder(dataDir)
  const segments = files.filter(({ file }) => file.endsWith('.parquet'))
  const indexes = files.filter(({ file }) => INDEX.test(file))
  const sum = (list: typeof files): number => list.reduce((total, { bytes }) => total + bytes, 0)
  const segmentBytes = sum(segments) + sum(indexes)
  return { segments: segments.length, segmentBytes, otherBytes: sum(files) - segmentBytes }
}

/** Waits until no segment has come or gone for a while; gives the seconds until then. */
export async function waitUntilMerged(dataDir: string): Promise<number> {
  const startedAt = performance.now()
  let last = ''
  let since = startedAt
  while (performance.now() - startedAt < GIVE_UP_MS) {
    const { segments, segmentBytes } = diskUse(dataDir)
    const now = `${segments}/${segmentBytes}`
    if (now !== last) since = performance.now()
    if (performance.now() - since > QUIET_MS) break
    last = now
    await sleep(POLL_MS)
  }
  return (since - startedAt) / 1000
}
