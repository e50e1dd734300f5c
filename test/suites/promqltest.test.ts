import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from '@jest/globals'
import type { HistogramBuckets, NativeHistogram } from '../../src/domain/native-histogram/native-histogram.js'
import { type Cell, cellAt, type Steps, timeOf } from '../../src/query/promql/evaluate/values.js'
import { formatValue } from '../../src/query/promql/format-value.js'
import { formatHistogram } from '../../src/query/promql/histograms/format-histogram.js'
import type { PromqlResult } from '../../src/query/promql/promql-request.js'
import { describeWithSuite, suiteNames } from '../support/suite-cases.js'
import type { FixedSeries } from '../support/fixed-metrics.js'
import { suitePath } from '../support/suite-path.js'
import { PromqlBench } from '../support/promql.js'
import { parseScript, type ScriptEvaluation, type ScriptLoad, type ScriptSeries } from '../support/promql-script.js'
import { warningSentence } from '../../src/domain/warning.js'

// Prometheus's own test scripts are next to the repository where they are available at all.
const SUITE_FOLDER = 'promql/promqltest/'
const OWN = fileURLToPath(new URL('../fixtures/promqltest/', import.meta.url))

const TOLERANCE = 1e-6
const TINY = 2.2250738585072014e-308

/** As promqltest compares: relative to the sum of both. */
function isAlmost(a: number, b: number): boolean {
  if (Number.isNaN(a) || Number.isNaN(b)) return Number.isNaN(a) && Number.isNaN(b)
  if (a === b) return true
  const size = Math.abs(a) + Math.abs(b)
  const difference = Math.abs(a - b)
  if (a === 0 || b === 0 || size < TINY) return difference < TOLERANCE * TINY
  return difference / Math.min(size, Number.MAX_VALUE) < TOLERANCE
}

function areAlmost(a: HistogramBuckets, b: HistogramBuckets): boolean {
  return a.indexes.join() === b.indexes.join() && a.counts.every((count, i) => isAlmost(count, b.counts[i]!))
}

function isSameHistogram(a: NativeHistogram, b: NativeHistogram, checksHints: boolean): boolean {
  const scalars = (h: NativeHistogram): readonly number[] => [h.schema, h.count, h.sum, h.zeroThreshold, h.zeroCount, ...h.bounds]
  const others = scalars(b)
  return (
    scalars(a).length === others.length &&
    scalars(a).every((value, i) => isAlmost(value, others[i]!)) &&
    areAlmost(a.positive, b.positive) &&
    areAlmost(a.negative, b.negative) &&
    (!checksHints || a.hint === b.hint)
  )
}

function isSameCell(target: Cell, given: Cell | undefined, checksHints: boolean): boolean {
  if (typeof target === 'number') return typeof given === 'number' && isAlmost(target, given)
  return typeof given === 'object' && isSameHistogram(target, given, checksHints)
}

function keyOf(labels: Readonly<Record<string, string>>): string {
  return JSON.stringify(Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1)))
}

type Points = ReadonlyMap<number, Cell>

/** Points by series, in the order of the response. */
function pointsOf({ value }: PromqlResult, steps: Steps): Map<string, Points> {
  const found = new Map<string, Points>()
  if (value.type === 'scalar') {
    found.set(keyOf({}), new Map(Array.from(value.values, (number, i) => [timeOf(steps, i), number])))
  } else if (value.type === 'matrix') {
    for (const { labels, times, values, histograms } of value.series) {
      found.set(keyOf(labels.toObject()), new Map(Array.from(times, (ms, i) => [ms, histograms?.[i] ?? values[i]!])))
    }
  } else if (value.type === 'vector') {
    for (const series of value.series) {
      const here = [...series.present.keys()].filter(i => series.present[i] === 1)
      found.set(keyOf(series.labels.toObject()), new Map(here.map(i => [timeOf(steps, i), cellAt(series, i)])))
    }
  }
  return found
}

function expectedPoints({ range, samples, atMs }: ScriptEvaluation, { values }: ScriptSeries): Points {
  const { startMs, stepMs } = samples ?? range ?? { startMs: atMs, stepMs: 1 }
  const points = values.flatMap((value, i) =>
    value === null || value === 'stale' ? [] : [[startMs + i * stepMs, value] as const]
  )
  return new Map(points)
}

function show(points: Points): string {
  const text = (cell: Cell): string => (typeof cell === 'number' ? formatValue(cell) : `${formatHistogram(cell)} ${cell.hint}`)
  return [...points].map(([ms, cell]) => `${text(cell)}@${ms}`).join(' ')
}

function differs(selected: Points, given: Points | undefined, checksHints: boolean): string | null {
  if (given === undefined) return 'missing'
  const isSame = selected.size === given.size && [...selected].every(([ms, cell]) => isSameCell(cell, given.get(ms), checksHints))
  return isSame ? null : `got ${show(given)}, expected ${show(selected)}`
}

/** What is wrong with the warnings and infos of a response. */
function noteFault({ expect: expected }: ScriptEvaluation, { warnings, infos }: PromqlResult): string | null {
  for (const [type, notes] of [
    ['warn', warnings.map(warningSentence)],
    ['info', infos]
  ] as const) {
    const annotations = expected.filter(each => each.type === type)
    if (annotations.length > 0 && notes.length === 0) return `no ${type}, expected ${annotations[0]!.text}`
    if (expected.some(each => each.type === `no_${type}`) && notes.length > 0) return `${type}: ${notes[0]}`
  }
  return null
}

/** What is wrong with a response, or null. */
function fault(command: ScriptEvaluation, response: PromqlResult, steps: Steps): string | null {
  const { value } = response
  if (command.string !== undefined) return value.type === 'string' && value.value === command.string ? null : 'another string'
  if (command.scalar !== undefined && command.range === null) {
    return value.type === 'scalar' && isAlmost(value.values[0]!, command.scalar) ? null : 'another scalar'
  }
  const found = pointsOf(response, steps)
  const order = [...found.keys()]
  const isOrdered = command.modifier === 'ordered' || command.expect.some(({ type }) => type === 'ordered')
  for (const [i, series] of command.series.entries()) {
    const key = keyOf(series.labels)
    if (isOrdered && order[i] !== key) return `${key} is not at ${i}`
    const difference = differs(expectedPoints(command, series), found.get(key), series.hasHints)
    if (difference !== null) return `${key}: ${difference}`
    found.delete(key)
  }
  return found.size === 0 ? null : `${[...found.keys()][0]} was not expected`
}

async function run(command: ScriptEvaluation, series: readonly FixedSeries[], checksNotes: boolean): Promise<string | null> {
  const bench = new PromqlBench(series)
  const { range, atMs } = command
  const steps =
    range === null
      ? { startMs: atMs, stepMs: 1, count: 1 }
      : { ...range, count: Math.floor((range.endMs - range.startMs) / range.stepMs) + 1 }
  const mustFail = command.modifier === 'fail' || command.expect.some(({ type }) => type === 'fail')
  try {
    const response = await bench.run(command.expr, steps)
    if (mustFail) return 'it should fail'
    return fault(command, response, steps) ?? (checksNotes ? noteFault(command, response) : null)
  } catch (error) {
    return mustFail ? null : (error as Error).message
  }
}

function toFixed({ stepMs, series }: ScriptLoad): readonly FixedSeries[] {
  return series.map(({ labels, values }) => ({
    labels,
    samples: values.flatMap((value, i) => (value === null ? [] : [[i * stepMs, value] as const]))
  }))
}

async function runScript(
  file: string,
  checksNotes: boolean
): Promise<{ readonly count: number; readonly faults: readonly string[] }> {
  const faults: string[] = []
  let series: FixedSeries[] = []
  let isPartial = false
  let count = 0
  for (const command of parseScript(readFileSync(file, 'utf8'))) {
    if (command.k === 'clear') [series, isPartial] = [[], false]
    else if (command.k === 'load') {
      isPartial ||= command.isPartial
      series.push(...toFixed(command))
    } else if (!isPartial) {
      count++
      const found = await run(command, series, checksNotes)
      if (found !== null) faults.push(`${command.line} ${command.expr}: ${found}`)
    }
  }
  return { count, faults }
}

describe('own scripts in the notation of promqltest', () => {
  it.each(readdirSync(OWN))('%s', async file => {
    const { count, faults } = await runScript(OWN + file, true)
    expect(faults).toEqual([])
    expect(count).toBeGreaterThan(0)
  })
})

describeWithSuite(SUITE_FOLDER, "Prometheus's own scripts, as far as they need no start times", () => {
  it.each(suiteNames(SUITE_FOLDER))('%s', async file => {
    const { count, faults } = await runScript(suitePath(SUITE_FOLDER) + file, false)
    expect(faults).toEqual([])
    expect(count).toBeGreaterThan(0)
  })
})
