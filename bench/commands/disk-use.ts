import { setTimeout as sleep } from 'node:timers/promises'
import { filesUnder } from '../service/proc.js'

/** Files of a data folder. */
export interface DiskUse {
  readonly segments: number
  readonly segmentBytes: number
  /** Hot file, its log, control database. */
  readonly otherBytes: number
}

const QUIET_MS = 4_000
const POLL_MS = 500
const GIVE_UP_MS = 180_000

export function diskUse(dataDir: string): DiskUse {
  const files = filesUnder(dataDir)
  const segments = files.filter(({ file }) => file.endsWith('.parquet'))
  const sum = (list: typeof files): number => list.reduce((total, { bytes }) => total + bytes, 0)
  return { segments: segments.length, segmentBytes: sum(segments), otherBytes: sum(files) - sum(segments) }
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
