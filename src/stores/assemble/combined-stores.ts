import type { NamespaceId } from '../../domain/ids.js'
import type { BackgroundJobs } from '../../ports/background-jobs.js'
import type { KnownSizes, NamespaceSize, SignalStores, StoreHealth, Stores } from '../../ports/stores.js'
import type { Engine } from '../shared/engine.js'
import { healthInTime, inTime } from '../shared/engine.js'
import { EMBEDDED } from '../shared/store-choice.js'

/** How long the sizes of an engine are waited for. */
const SIZES_TIMEOUT_MS = 10_000

/** A note is in the detail of its engine; when that does not run, as an entry of its own. */
function withNotes(health: readonly StoreHealth[], { engine, sentences }: HealthNotes): readonly StoreHealth[] {
  if (sentences.length === 0) return health
  const note = sentences.join('; ')
  const index = health.findIndex(({ name }) => name === engine)
  const found = health[index]
  if (!found) return [...health, { name: engine, healthy: true, latencyMs: null, detail: note }]
  return health.with(index, { ...found, detail: found.detail === '' ? note : `${found.detail}; ${note}` })
}

async function allHealth(engines: readonly Engine[], notes: HealthNotes): Promise<readonly StoreHealth[]> {
  const each = await Promise.all(engines.map(engine => healthInTime(engine.name, () => engine.health())))
  return withNotes(each.flat(), notes)
}

function sumOf(sizes: readonly NamespaceSize[]): readonly NamespaceSize[] {
  const sums = new Map<NamespaceId, NamespaceSize>()
  for (const size of sizes) {
    const { bytes, records } = sums.get(size.namespace) ?? { bytes: 0, records: 0 }
    sums.set(size.namespace, { namespace: size.namespace, bytes: bytes + size.bytes, records: records + size.records })
  }
  return [...sums.values()]
}

/** The result of `read`, or `otherwise` if it fails; the job's monitor gets the failure. */
async function monitored<T>(jobs: BackgroundJobs, name: string, read: () => Promise<T>, otherwise: T): Promise<T> {
  const job = jobs.monitor(name)
  try {
    const value = await read()
    job.succeeded()
    return value
  } catch (error) {
    job.failed(error)
    return otherwise
  }
}

// A sum that lacks an engine is marked so: the sizes of the others are useful while one is down.
async function allSizes(engines: readonly Engine[], jobs: BackgroundJobs): Promise<KnownSizes> {
  const read = (engine: Engine): Promise<readonly NamespaceSize[] | null> =>
    monitored(jobs, `${engine.name}_sizes`, () => inTime(() => engine.sizes(), SIZES_TIMEOUT_MS), null)
  const each = await Promise.all(engines.map(read))
  const missing = engines.filter((_, i) => each[i] === null).map(({ name }) => name)
  return { namespaces: sumOf(each.flatMap(sizes => sizes ?? [])), missing }
}

/** The gauges of the embedded engine keep their names; the others' begin with their engine's. */
function gaugeName(engine: string, name: string): string {
  return engine === EMBEDDED || name.startsWith(`${engine}_`) ? name : `${engine}_${name}`
}

// Each gauge is literal: those of an engine that does not respond are left out.
async function allGauges(engines: readonly Engine[], jobs: BackgroundJobs): Promise<Readonly<Record<string, number>>> {
  const each = await Promise.all(
    engines.map(async engine => {
      const read = await monitored(jobs, `${engine.name}_gauges`, () => engine.gauges(), {})
      return Object.entries<number>(read).map(([gauge, value]) => [gaugeName(engine.name, gauge), value] as const)
    })
  )
  return Object.fromEntries(each.flat())
}

/** The telemetry stores of all engines together. */
export type TelemetryStores = Omit<Stores, 'backup' | 'close' | 'sizes'> & { sizes(): Promise<KnownSizes> }

/** Added in health to the reports of the engines. */
export interface HealthNotes {
  readonly engine: string
  readonly sentences: readonly string[]
}

/** One set of stores over engines of any mix: health and gauges of each, sizes summed over those that report them. */
export function combineStores(
  signals: SignalStores,
  engines: readonly Engine[],
  notes: HealthNotes,
  jobs: BackgroundJobs
): TelemetryStores {
  return {
    ...signals,
    health: () => allHealth(engines, notes),
    sizes: () => allSizes(engines, jobs),
    gauges: () => allGauges(engines, jobs)
  }
}
