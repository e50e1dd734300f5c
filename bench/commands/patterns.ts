import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { MAX_PATTERNS } from '../../src/ingest/patterns/limits.js'
import { PatternMiner } from '../../src/ingest/patterns/pattern-miner.js'
import { LogSource } from '../generate/logs.js'
import { seededRandom } from '../generate/random.js'
import type { BenchOptions } from '../options.js'
import { groupingAccuracy, parsingAccuracy, sameIds } from '../patterns/accuracy.js'
import { labelledLogs, type LabelledLogs } from '../patterns/labelled-logs.js'
import { mine } from '../patterns/mine.js'
import type { Report, Row } from '../report.js'

const ORDERS = 10
const RESTART_EVERY = 250
const GENERATED = 50_000
const MEMORY_PATTERNS = 200_000

function shuffled(length: number, seed: number): number[] {
  const random = seededRandom(seed)
  const order = Array.from({ length }, (_, i) => i)
  for (let i = length - 1; i > 0; i--) {
    const other = random.below(i + 1)
    const kept = order[i]!
    order[i] = order[other]!
    order[other] = kept
  }
  return order
}

function accuracyRow(logs: LabelledLogs, seed: number): Row {
  const { messages } = logs
  const mined = mine(messages)
  const orders = Array.from({ length: ORDERS }, (_, i) => shuffled(messages.length, seed + i))
  const shares = orders.map(order => sameIds(mined.ids, mine(messages, { order }).ids))
  const restarts = orders.map(order => sameIds(mined.ids, mine(messages, { order, restartEvery: RESTART_EVERY }).ids))
  return {
    set: logs.name,
    grouping: groupingAccuracy(mined.ids, logs.events),
    parsing: parsingAccuracy(mined, logs),
    patterns: new Set(mined.ids).size,
    events: new Set(logs.events).size,
    'same id, worst of 10 orders': Math.min(...shares),
    'with restarts': Math.min(...restarts),
    'stored under that id': sameIds(mined.ids, mined.stored)
  }
}

function mean(rows: readonly Row[], column: string): number {
  return rows.reduce((sum, row) => sum + Number(row[column]), 0) / rows.length
}

/** Lines a second of one thread, by CPU time, over lines that were all seen once. */
function speedRow(name: string, messages: readonly string[], rounds: number): Row {
  const miner = new PatternMiner({ limit: MAX_PATTERNS, seed: 1 })
  for (const message of messages) miner.idOf(message)
  const start = process.cpuUsage()
  for (let round = 0; round < rounds; round++) for (const message of messages) miner.idOf(message)
  const { user, system } = process.cpuUsage(start)
  const lines = rounds * messages.length
  const characters = messages.reduce((sum, message) => sum + message.length, 0) / messages.length
  return { lines: name, 'lines/s': (lines / (user + system)) * 1e6, 'us a line': (user + system) / lines, characters }
}

function generatedMessages(seed: number): string[] {
  const source = new LogSource(seed)
  return Array.from({ length: GENERATED }, () => (JSON.parse(source.next(1, 0)) as { message: string }).message)
}

function memoryNote(seed: number): string {
  const child = fileURLToPath(new URL('../patterns/memory-process.ts', import.meta.url))
  const flags = ['--expose-gc', '--max-old-space-size=2048', '--import', 'tsx', child]
  const output = execFileSync(process.execPath, [...flags, String(MEMORY_PATTERNS), String(seed)], { encoding: 'utf8' })
  const { patterns, bytes } = JSON.parse(output) as { patterns: number; bytes: number }
  return `${patterns.toLocaleString('en-US')} patterns in memory: ${Math.round(bytes / 1e6)} MB`
}

/** Log patterns: accuracy over the labelled sets, stability of ids, lines a second, memory. */
export async function measurePatterns({ seed }: BenchOptions): Promise<Report> {
  const sets = labelledLogs()
  const rows = sets.map(logs => accuracyRow(logs, seed))
  const speeds = [speedRow('generated', generatedMessages(seed), 20)]
  const labelled = sets.flatMap(({ messages }) => messages)
  if (labelled.length > 0) speeds.push(speedRow('labelled', labelled, 50))
  const notes = [
    sets.length === 0
      ? 'no labelled sets next to the repository: accuracy was not measured'
      : `mean grouping accuracy ${mean(rows, 'grouping').toFixed(4)}, parsing ${mean(rows, 'parsing').toFixed(4)}`,
    memoryNote(seed)
  ]
  return { title: 'Log patterns', rows: [...rows, ...speeds], notes }
}
