import type { LogRecord } from '../../../src/domain/records/log.js'
import { formatNs, parseRfc3339Ns } from '../../../src/domain/timestamp.js'
import { parseJson } from '../../../src/wire/json/lossless-json.js'
import { parseLog } from '../../../src/ingest/parse-log.js'
import { parseLogOverrides } from '../../../src/ingest/recognize-log/log-overrides.js'
import type { LogOverrides } from '../../../src/ingest/recognize-log/override-names.js'
import { accepted, itemCheckAt } from './items.js'

export const NOW_NS = parseRfc3339Ns('2026-11-23T12:00:00Z')!

export const check = (overrides: LogOverrides = {}) => itemCheckAt(NOW_NS, parseLogOverrides(overrides))

export const parse = (raw: unknown, overrides: LogOverrides = {}): LogRecord =>
  accepted<LogRecord>(parseLog(raw, check(overrides)))

export const sent = (json: string): Record<string, unknown> => parseJson(Buffer.from(json)) as Record<string, unknown>

export const timeOf = (log: LogRecord): string => formatNs(log.timestampNs)
