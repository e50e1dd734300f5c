import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from '@jest/globals'
import { formatValue } from '../../src/query/promql/format-value.js'
import { type Steps, timeOf } from '../../src/query/promql/evaluate/values.js'
import type { PromqlAnswer } from '../../src/query/promql/promql-question.js'
import type { FixedSeries } from '../support/fixed-metrics.js'
import { PromqlBench } from '../support/promql.js'

// Prometheus's own test scripts and a parser of them stand beside the repository where they are available at all.
const SCRIPTS = fileURLToPath(new URL('../../../shared/suites/promql/promqltest/', import.meta.url))
const PARSER = new URL('../../../shared/tools/promql/lib/promqltest.mjs', import.meta.url).href

/** A value of the scripts: a number, nothing, or a native histogram. */
type Expected = number | null | { readonly hist: unknown }
interface Load {
  readonly k: 'load'
  readonly hist: Iterable<string>
  readonly st?: unknown
  readonly series: readonly { readonly labels: Record<string, string>; readonly samples: readonly [number, unknown][] }[]
}
interface Evaluation {
  readonly k: 'eval'
  readonly line: number
  readonly expr: string
  readonly mod?: string
  readonly range: boolean
  readonly at: number
  readonly start: number
  readonly end: number
  readonly step: number
  readonly expect: readonly { readonly type: string }[]
  readonly string?: string
  readonly scalar?: number
  readonly rangeVector?: { readonly start: number; readonly step: number }
  readonly series: readonly { readonly labels: Record<string, string>; readonly values: readonly Expected[] }[]
}
type Command = Load | Evaluation | { readonly k: 'clear' }

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

function keyOf(labels: Readonly<Record<string, string>>): string {
  return JSON.stringify(Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1)))
}

type Points = ReadonlyMap<number, number>

/** Points by series, in the order of the answer. */
function pointsOf({ value }: PromqlAnswer, steps: Steps): Map<string, Points> {
  const found = new Map<string, Points>()
  if (value.type === 'scalar') {
    found.set(keyOf({}), new Map(Array.from(value.values, (number, i) => [timeOf(steps, i), number])))
  } else if (value.type === 'matrix') {
    for (const { labels, times, values } of value.series) {
      found.set(keyOf(labels.toObject()), new Map(Array.from(times, (ms, i) => [ms, values[i]!])))
    }
  } else if (value.type === 'vector') {
    for (const { labels, values, present } of value.series) {
      const points = Array.from(values, (number, i) => [timeOf(steps, i), number] as const)
      found.set(keyOf(labels.toObject()), new Map(points.filter((_, i) => present[i] === 1)))
    }
  }
  return found
}

function expectedPoints(command: Evaluation, values: readonly Expected[]): Points {
  const { start, step } = command.rangeVector ?? (command.range ? command : { start: command.at, step: 1 })
  return new Map(values.flatMap((value, i) => (typeof value === 'number' ? [[start + i * step, value] as const] : [])))
}

function differs(wanted: Points, given: Points | undefined): string | null {
  if (given === undefined) return 'missing'
  const show = (points: Points): string => [...points].map(([ms, value]) => `${formatValue(value)}@${ms}`).join(' ')
  const isSame = wanted.size === given.size && [...wanted].every(([ms, value]) => isAlmost(value, given.get(ms) ?? Number.NaN))
  return isSame ? null : `got ${show(given)}, expected ${show(wanted)}`
}

/** What is wrong with an answer, or null. */
function fault(command: Evaluation, answer: PromqlAnswer, steps: Steps): string | null {
  const { value } = answer
  if (command.string !== undefined) return value.type === 'string' && value.value === command.string ? null : 'another string'
  if (command.scalar !== undefined && !command.range) {
    return value.type === 'scalar' && isAlmost(value.values[0]!, command.scalar) ? null : 'another scalar'
  }
  const found = pointsOf(answer, steps)
  const order = [...found.keys()]
  const isOrdered = command.mod === 'ordered' || command.expect.some(({ type }) => type === 'ordered')
  for (const [i, { labels, values }] of command.series.entries()) {
    const key = keyOf(labels)
    if (isOrdered && order[i] !== key) return `${key} is not at ${i}`
    const difference = differs(expectedPoints(command, values), found.get(key))
    if (difference !== null) return `${key}: ${difference}`
    found.delete(key)
  }
  return found.size === 0 ? null : `${[...found.keys()][0]} was not expected`
}

async function run(command: Evaluation, series: readonly FixedSeries[]): Promise<string | null> {
  const bench = new PromqlBench(series)
  const steps = command.range
    ? { startMs: command.start, stepMs: command.step, count: Math.floor((command.end - command.start) / command.step) + 1 }
    : { startMs: command.at, stepMs: 1, count: 1 }
  const mustFail = command.mod === 'fail' || command.expect.some(({ type }) => type === 'fail')
  try {
    const answer = await bench.answer(command.expr, steps)
    return mustFail ? 'it should fail' : fault(command, answer, steps)
  } catch (error) {
    return mustFail ? null : (error as Error).message
  }
}

/** Whether an evaluation touches native histograms, which are not there yet. */
function needsHistograms({ expr, series }: Evaluation, names: ReadonlySet<string>, hasStartTimes: boolean): boolean {
  const inAnswer = series.some(({ values }) => values.some(value => typeof value === 'object' && value !== null))
  return hasStartTimes || inAnswer || [...names].some(name => expr.includes(name) || /__name__\s*(?:=~|!=|!~)/.test(expr))
}

async function runScript(file: string): Promise<{ readonly count: number; readonly faults: readonly string[] }> {
  const { parseTest } = (await import(PARSER)) as { parseTest: (text: string) => readonly Command[] }
  const faults: string[] = []
  let series: FixedSeries[] = []
  let histograms = new Set<string>()
  let hasStartTimes = false
  let count = 0
  for (const command of parseTest(readFileSync(SCRIPTS + file, 'utf8'))) {
    if (command.k === 'clear') [series, histograms, hasStartTimes] = [[], new Set(), false]
    else if (command.k === 'load') {
      for (const name of command.hist) histograms.add(name)
      hasStartTimes ||= Boolean(command.st)
      for (const { labels, samples } of command.series) {
        series.push({ labels, samples: samples.map(([ms, value]) => [ms, typeof value === 'number' ? value : 'stale'] as const) })
      }
    } else if (!needsHistograms(command, histograms, hasStartTimes)) {
      count++
      const found = await run(command, series)
      if (found !== null) faults.push(`${file}:${command.line} ${command.expr}: ${found}`)
    }
  }
  return { count, faults }
}

const describeScripts = existsSync(SCRIPTS) ? describe : describe.skip

describeScripts("Prometheus's own scripts, as far as they need no native histogram", () => {
  it.each(existsSync(SCRIPTS) ? readdirSync(SCRIPTS) : [''])('%s', async file => {
    const { count, faults } = await runScript(file)
    expect(faults).toEqual([])
    expect(count).toBeGreaterThan(0)
  })
})
