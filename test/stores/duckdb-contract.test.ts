import { join } from 'node:path'
import type { Clock } from '../../src/ports/clock.js'
import { openDuckDbStores } from '../../src/stores/duckdb/duckdb-stores.js'
import type { DuckDbLimits } from '../../src/stores/duckdb/limits.js'
import { telemetryContract } from '../contract/telemetry-stores.contract.js'
import { storeEntry } from '../support/store-entry.js'
import { openTempFolder } from '../support/temp-folder.js'

const clock: Clock = {
  nowNs: () => BigInt(Date.now()) * 1_000_000n,
  nowMs: () => Date.now(),
  monotonicMs: () => performance.now()
}

/** Seals after nearly every append, so that one namespace lies in both tiers and in many small files. */
const SEALING: Partial<DuckDbLimits> = {
  sealRows: 3,
  minSegmentRows: 1,
  maxWaitingRows: 1,
  upkeepIntervalMs: 50
}

function openIn(limits: Partial<DuckDbLimits>) {
  return async () => {
    const folder = await openTempFolder()
    const stores = await openDuckDbStores({ dataDir: join(folder.path, 'telemetry'), entry: storeEntry(), clock, limits })
    const close = async () => {
      await stores.close()
      await folder.remove()
    }
    return { stores, close }
  }
}

telemetryContract('DuckDB, hot tier', openIn({}))
telemetryContract('DuckDB, hot tier and segments', openIn(SEALING))
