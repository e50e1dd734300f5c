import { randomBytes } from 'node:crypto'
import type { NamespaceId } from '../../src/domain/ids.js'
import type { LogRecord } from '../../src/domain/records/log.js'
import { createUlidSource } from '../../src/domain/ulid.js'
import { NOTHING_SHARED } from '../../src/ingest/ingest-request.js'
import { isRefused, ItemCheck } from '../../src/ingest/item-check.js'
import { DEFAULT_INGEST_LIMITS } from '../../src/ingest/limits.js'
import { parseLog } from '../../src/ingest/parse-log.js'
import { NO_DEFAULTS } from '../../src/ingest/log-defaults.js'
import { DEFAULT_LOG_OPTIONS } from '../../src/ingest/recognize-log/log-options.js'
import type { IndexGeneration } from '../../src/ports/index-catalog.js'
import { LOGS } from '../../src/stores/elasticsearch/document/record-kinds.js'
import { encodeBatch } from '../../src/stores/elasticsearch/write/encode-batch.js'
import type { Piece } from '../../src/stores/elasticsearch/write/piece.js'
import type { LogSource } from '../generate/logs.js'

const NS_PER_S = 1_000_000_000n
const ONE_US = 1_000n
const newIngestId = createUlidSource(() => Date.now(), randomBytes)

/** The same logs twice over: as JSON for the gateway, and as the finished documents of an index. */
export interface LogBatches {
  readonly json: readonly Buffer[]
  readonly bulks: readonly Piece[]
}

function toRecords(lines: readonly string[], namespaceId: NamespaceId): readonly LogRecord[] {
  const [oldestNs, newestNs] = [0n, 2n ** 63n]
  const limits = DEFAULT_INGEST_LIMITS
  const times = { nowNs: 0n, oldestNs, newestNs }
  const request = {
    namespaceId,
    namespace: 'direct',
    country: null,
    shared: NOTHING_SHARED,
    logs: DEFAULT_LOG_OPTIONS,
    defaults: NO_DEFAULTS,
    isDryRun: false,
    ...{ fields: null, redact: null }
  }
  const check = new ItemCheck({ limits, ...times, ...request })
  return lines.map((line, index) => {
    check.begin(index)
    const parsed = parseLog(JSON.parse(line), check)
    if (isRefused(parsed)) throw new Error(`a generated log was refused: ${parsed.detail}`)
    return parsed
  })
}

/** One bulk of the documents as the gateway itself would write them. */
async function toBulk(lines: readonly string[], index: IndexGeneration): Promise<Piece> {
  const ns = index.owner as NamespaceId
  const pieces = await encodeBatch(ns, { ingestId: newIngestId(), items: toRecords(lines, ns) }, index, LOGS.toDocument)
  return { ns, bytes: Buffer.concat(pieces.map(({ bytes }) => bytes)), count: lines.length }
}

/** `batches` requests of `batch` logs of about 300 bytes, a microsecond apart from `startNs` on; documents for `index`. */
export async function logBatches(
  source: LogSource,
  { batches, batch, startNs, index }: { batches: number; batch: number; startNs: bigint; index: IndexGeneration }
): Promise<LogBatches> {
  let atNs = startNs
  const line = (): string => {
    atNs += ONE_US
    return source.next(Number(atNs / NS_PER_S), Number(atNs % NS_PER_S))
  }
  const json: Buffer[] = []
  const bulks: Piece[] = []
  for (let i = 0; i < batches; i++) {
    const lines = Array.from({ length: batch }, line)
    json.push(Buffer.from(`{"logs":[${lines.join(',')}]}`))
    bulks.push(await toBulk(lines, index))
  }
  return { json, bulks }
}
