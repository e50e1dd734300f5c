import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { NamespaceId } from '../../src/domain/ids.js'
import { createUlidSource } from '../../src/domain/ulid.js'
import type { Clock } from '../../src/ports/clock.js'
import { TELEMETRY_FOLDER } from '../../src/stores/assemble/backup.js'
import { type DuckDbStores, openDuckDbStores } from '../../src/stores/duckdb/duckdb-stores.js'
import type { Span } from '../../src/domain/span.js'
import { waitUntilMerged } from '../commands/disk-use.js'
import { quietJobs, SILENT_LOGGER } from '../../test/support/quiet-jobs.js'

const AT_ONCE = 4
const PROGRESS_EVERY = 500_000
const ENTRY = join(import.meta.dirname, '../../dist/bin/store-process.js')

const clock: Clock = {
  nowNs: () => BigInt(Date.now()) * 1_000_000n,
  nowMs: () => Date.now(),
  monotonicMs: () => performance.now()
}

async function appendAll({ traces }: DuckDbStores, ns: NamespaceId, batches: Iterable<readonly Span[]>): Promise<number> {
  const newIngestId = createUlidSource(() => Date.now(), randomBytes)
  let [loaded, reported] = [0, 0]
  let inFlight: Promise<unknown>[] = []
  for (const items of batches) {
    inFlight.push(traces.append(ns, { ingestId: newIngestId(), items }))
    loaded += items.length
    if (inFlight.length < AT_ONCE) continue
    await Promise.all(inFlight)
    inFlight = []
    if (loaded - reported < PROGRESS_EVERY) continue
    reported = loaded
    process.stderr.write(`loaded ${loaded.toLocaleString('en-US')} spans\n`)
  }
  await Promise.all(inFlight)
  return loaded
}

/**
 * Puts spans into a namespace of a service that is not running, through the port of its store, which is faster than OTLP,
 * and seals and merges them. Returns spans a second.
 */
export async function fillSpans(dataDir: string, ns: NamespaceId, batches: Iterable<readonly Span[]>): Promise<number> {
  const folder = join(dataDir, TELEMETRY_FOLDER)
  const stores = await openDuckDbStores({ logger: SILENT_LOGGER, jobs: quietJobs(), dataDir: folder, entry: ENTRY, clock })
  try {
    const startedAt = performance.now()
    const loaded = await appendAll(stores, ns, batches)
    const seconds = (performance.now() - startedAt) / 1000
    await stores.client.call('sealAll', [])
    await waitUntilMerged(folder)
    return loaded / seconds
  } finally {
    await stores.close()
  }
}
