import { DETECTORS, type LogRules, NO_LOG_RULES } from '../../src/domain/log-rules.js'
import type { LogRecord } from '../../src/domain/records/log.js'
import { redactLog } from '../../src/ingest/redact/redact-records.js'
import { compileRules } from '../../src/ingest/rules/compile-rules.js'
import { RulePass } from '../../src/ingest/rules/rule-pass.js'
import { LogSource } from '../generate/logs.js'
import { median } from '../load/latencies.js'
import type { BenchOptions } from '../options.js'
import { formatNumber, type Report, type Row } from '../report.js'

const LOGS = 20_000
const ROUNDS_OF_STEP = 5
const RULES = { redact: redactLog, logOf: (log: LogRecord) => log }
const SECRET_EVERY = 100

type Redacted = LogRules['redact']

const NO_REDACTION: Redacted = { detectors: [], keys: [], literals: [] }

/** Rules by name; each is measured apart. */
const CASES: Readonly<Record<string, LogRules>> = {
  'no rules': NO_LOG_RULES,
  'five detectors': { ...NO_LOG_RULES, redact: { ...NO_REDACTION, detectors: DETECTORS } },
  '20 keys': { ...NO_LOG_RULES, redact: { ...NO_REDACTION, keys: Array.from({ length: 20 }, (_, i) => `secret_${i}`) } },
  '50 literals': { ...NO_LOG_RULES, redact: { ...NO_REDACTION, literals: Array.from({ length: 50 }, (_, i) => `literal-${i}`) } },
  'a drop rule': { ...NO_LOG_RULES, drop: [{ name: 'health', query: 'service:gateway "GET /healthz"', keep: 0.01 }] },
  'all of them': {
    redact: { detectors: DETECTORS, keys: ['password', 'authorization'], literals: ['literal-0', 'literal-1'] },
    drop: [{ name: 'health', query: 'service:gateway "GET /healthz"', keep: 0.01 }],
    fields: []
  }
}

function recordsOf(seed: number): readonly LogRecord[] {
  const source = new LogSource(seed)
  return Array.from({ length: LOGS }, (_, index) => {
    const {
      message,
      level,
      service,
      host,
      log_fields: fields,
      trace_id,
      span_id
    } = JSON.parse(source.next(1, index)) as {
      readonly [Name in 'message' | 'level' | 'service' | 'host' | 'trace_id' | 'span_id']: string
    } & { readonly log_fields: LogRecord['fields'] }
    // One line in a hundred has a secret.
    const text = index % SECRET_EVERY === 0 ? `${message} of ada@example.com` : message
    return {
      ...{ index, timestampNs: 1_000_000_000n, message: text, level, levelText: level, severityNumber: 9, service, host },
      ...{ environment: null, source: null, traceId: trace_id ?? null, spanId: span_id ?? null, patternId: null },
      ...{ isServerTime: false, isTruncated: false, fields, tags: {} }
    }
  })
}

/** Microseconds of CPU a log, of one pass over all logs, and how many strings were replaced. */
function timed(records: readonly LogRecord[], rules: LogRules): { readonly us: number; readonly replaced: number } {
  const pass = new RulePass(compileRules(rules), RULES)
  const start = process.cpuUsage()
  for (const record of records) pass.droppedBy(pass.redact(record))
  const { user, system } = process.cpuUsage(start)
  return { us: (user + system) / records.length, replaced: pass.redactedCount }
}

/** Microseconds of CPU that `JSON.parse` takes for a log: the calibration of other figures, too. */
function parseUs(lines: readonly string[]): number {
  const start = process.cpuUsage()
  for (const line of lines) JSON.parse(line)
  const { user, system } = process.cpuUsage(start)
  return (user + system) / lines.length
}

/** CPU that the rules of a namespace add to each log, in one process, all cases in turn. */
export async function measureRules({ seed, repeats }: BenchOptions): Promise<Report> {
  const records = recordsOf(seed)
  const lines = records.map(record => JSON.stringify({ ...record, timestampNs: Number(record.timestampNs) }))
  const parsing: number[] = []
  const times = new Map<string, number[]>(Object.keys(CASES).map(name => [name, []]))
  const replaced = new Map<string, number>()
  for (let round = 0; round <= ROUNDS_OF_STEP * repeats; round++) {
    const parsed = parseUs(lines)
    if (round > 0) parsing.push(parsed)
    for (const [name, rules] of Object.entries(CASES)) {
      const found = timed(records, rules)
      replaced.set(name, found.replaced)
      // The first round warms up.
      if (round > 0) times.get(name)!.push(found.us)
    }
  }
  const table: Row[] = [...times].map(([rules, all]) => {
    return { rules, 'us a log, median': median(all), lowest: Math.min(...all), replaced: replaced.get(rules)! }
  })
  const notes = [
    `JSON.parse of the same logs: ${formatNumber(median(parsing))} us a log`,
    `${LOGS.toLocaleString('en-US')} logs of the generator, one in ${SECRET_EVERY} with an address; CPU of one process`
  ]
  return { title: 'Log rules at ingest', rows: table, notes }
}
