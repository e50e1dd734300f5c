import { randomBytes } from 'node:crypto'
import type { NamespaceId } from '../../src/domain/ids.js'
import type { SeriesSamples } from '../../src/domain/metric-point.js'
import { isGatewayError } from '../../src/domain/errors.js'
import type { MetricStore, SampleWindows } from '../../src/ports/metric-store.js'
import { nextIngestId } from '../support/duckdb-fixture.js'
import { MetricWorld } from './metric-world.js'

/** The different results of two stores, and of which query. */
export interface MetricDifference {
  readonly seed: number
  readonly step: number
  readonly what: string
  readonly requests: string
  readonly results: readonly [string, string]
}

/** What a run of rounds did. */
export interface MetricTally {
  queries: number
  appends: number
  deletions: number
  differences: MetricDifference[]
}

const STEPS_PER_ROUND = 45
const { signal: NEVER } = new AbortController()

function comparable(samples: readonly SeriesSamples[], windows?: SampleWindows): unknown {
  return samples.map(({ name, type, labels, timestampsNs, values, isAggregated = false }) => ({
    ...{
      name,
      type,
      labels,
      isAggregated,
      times: Array.from(timestampsNs, ns => timeIn(ns, isAggregated ? undefined : windows))
    },
    // Which of many NaNs a sum becomes is up to the machine.
    bits: isAggregated ? Array.from(values, String) : [...new BigInt64Array(values.slice().buffer)]
  }))
}

/** The time, or the window where no more was requested. */
function timeIn(ns: bigint, windows: SampleWindows | undefined): bigint {
  if (windows?.isTimeFree !== true) return ns
  const { firstEndMs, stepMs, lengthMs } = windows
  const sinceNs = ns - BigInt(firstEndMs - lengthMs + 1) * 1_000_000n
  return sinceNs / (BigInt(stepMs) * 1_000_000n)
}

function written(value: unknown): string {
  return JSON.stringify(value, (_key, each: unknown) => (typeof each === 'bigint' ? `${each}n` : each)) ?? 'nothing'
}

/** The neighborhood of where two strings part. */
function parting([a, b]: readonly [string, string]): readonly [string, string] {
  let at = 0
  while (at < a.length && a[at] === b[at]) at++
  const from = Math.max(0, at - 200)
  return [a.slice(from, at + 200), b.slice(from, at + 200)]
}

async function outcome(work: () => Promise<unknown>): Promise<string> {
  try {
    return written(await work())
  } catch (error) {
    if (isGatewayError(error)) return error.code
    throw error
  }
}

type Step = (metrics: MetricStore, ns: NamespaceId) => Promise<unknown>

interface Chosen {
  readonly kind: 'queries' | 'appends' | 'deletions'
  readonly what: string
  readonly calls: unknown
  readonly run: Step
}

function append(world: MetricWorld): Chosen {
  const requested = world.batch()
  const run: Step = async (metrics, ns) => {
    const { accepted, deduplicated, failures } = await metrics.append(ns, requested)
    await metrics.settle(ns)
    return { accepted, deduplicated, failed: failures.map(({ index }) => index).sort((a, b) => a - b) }
  }
  return { kind: 'appends', what: 'append', calls: requested, run }
}

function request(world: MetricWorld): Chosen {
  const choice = world.below(10)
  if (choice < 2) {
    const requested = world.selectWindows()
    return {
      kind: 'queries',
      what: 'select of windows',
      calls: requested,
      run: async (metrics, ns) => comparable(await metrics.select(ns, requested, NEVER), requested.windows)
    }
  }
  if (choice < 7) {
    const requested = world.select()
    return {
      kind: 'queries',
      what: 'select',
      calls: requested,
      run: async (metrics, ns) => comparable(await metrics.select(ns, requested, NEVER))
    }
  }
  if (choice < 9) {
    const requested = { matchers: world.matchers(), range: world.range(), limit: world.below(30) }
    const run: Step = (metrics, ns) => metrics.series(ns, requested.matchers, requested.range, requested.limit)
    return { kind: 'queries', what: 'series', calls: requested, run }
  }
  const requested = world.catalog()
  return { kind: 'queries', what: 'metrics', calls: requested, run: (metrics, ns) => metrics.metrics(ns, requested) }
}

function choose(world: MetricWorld, step: number): Chosen {
  if (step === 0 || world.below(4) === 0) return append(world)
  if (world.below(25) > 0) return request(world)
  const requested = world.timeNs()
  return { kind: 'deletions', what: 'deleteBefore', calls: requested, run: (metrics, ns) => metrics.deleteBefore(ns, requested) }
}

/** One run of a namespace, on both stores; adds to the tally. */
export async function metricRound(
  seed: number,
  baseNs: bigint,
  stores: readonly [MetricStore, MetricStore],
  tally: MetricTally
): Promise<void> {
  const world = new MetricWorld(seed, baseNs, nextIngestId)
  const ns = `nsdiff${randomBytes(8).toString('hex')}` as NamespaceId
  for (let step = 0; step < STEPS_PER_ROUND; step++) {
    const { kind, what, calls: requested, run } = choose(world, step)
    const responses: [string, string] = await Promise.all([outcome(() => run(stores[0], ns)), outcome(() => run(stores[1], ns))])
    tally[kind]++
    if (responses[0] !== responses[1])
      tally.differences.push({ seed, step, what, requests: written(requested), results: parting(responses) })
  }
  await Promise.all(stores.map(store => store.dropNamespace(ns)))
}
