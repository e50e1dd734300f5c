import { randomBytes } from 'node:crypto'
import type { NamespaceId } from '../../src/domain/ids.js'
import type { ControlStore } from '../../src/ports/control-store.js'
import { openSqliteControlStore } from '../../src/stores/control/open-sqlite.js'
import { type InfluxOptions, type InfluxStores, openInfluxStores } from '../../src/stores/influxdb/influx-stores.js'
import { systemClock } from '../../src/telemetry/system-clock.js'
import type { ServerAccess } from '../servers/variables.js'
import { openTempFolder } from './temp-folder.js'
import { quietJobs } from './quiet-jobs.js'

const MAX_SERIES = 10_000

/** What a test may choose; the rest has defaults. */
export type InfluxChoices = Partial<
  Pick<InfluxOptions, 'maxSeries' | 'retentionOf' | 'nameOf' | 'limits' | 'clock' | 'readEntry'>
>

/** One server, one control database, and the gateways that a test opens on them. */
export interface InfluxSite {
  readonly control: ControlStore
  readonly poolBucket: string
  /** A further gateway; closed with the site. */
  open(choices?: InfluxChoices): Promise<InfluxStores>
  /** Drops all that was written, and closes everything. */
  close(): Promise<void>
}

/** A call of InfluxDB's API outside the adapter. */
export async function influxApi(access: ServerAccess, path: string, init: RequestInit = {}): Promise<unknown> {
  const headers = { authorization: `Token ${access.token}`, ...(init.headers as Record<string, string>) }
  const response = await fetch(`${access.url}${path}`, { ...init, headers })
  const text = await response.text()
  if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`)
  return text.startsWith('{') ? JSON.parse(text) : text
}

/** Names and ids of the buckets whose name begins so. */
export async function bucketsNamed(access: ServerAccess, prefix: string): Promise<{ name: string; id: string }[]> {
  const { buckets } = (await influxApi(access, `/api/v2/buckets?limit=100&org=${access.org}`)) as {
    buckets: { name: string; id: string }[]
  }
  return buckets.filter(({ name }) => name.startsWith(prefix))
}

/** Opens a control database of its own next to a server; no other test uses its pool. */
export async function openInfluxSite(access: ServerAccess): Promise<InfluxSite> {
  const folder = await openTempFolder()
  const control = await openSqliteControlStore({ file: `${folder.path}/control.db` })
  const poolBucket = `pool_${randomBytes(6).toString('hex')}`
  const opened: InfluxStores[] = []
  const open = async (choices: InfluxChoices = {}): Promise<InfluxStores> => {
    const { limits, ...rest } = choices
    const stores = await openInfluxStores({
      jobs: quietJobs(),
      ...{ url: access.url, org: access.org!, token: access.token!, poolBucket },
      ...{ catalog: control.series, places: control.places, clock: systemClock },
      ...{ maxSeries: MAX_SERIES, retentionOf: () => null, ...rest },
      limits: { catalogRefreshMs: null, ...limits }
    })
    opened.push(stores)
    return stores
  }
  const close = async (): Promise<void> => {
    const last = await open()
    for (const ns of (await control.places.all('influxdb')).keys()) await last.metrics.dropNamespace(ns)
    for (const { id } of await bucketsNamed(access, poolBucket)) {
      await influxApi(access, `/api/v2/buckets/${id}`, { method: 'DELETE' })
    }
    for (const stores of opened) await stores.close()
    await control.close()
    await folder.remove()
  }
  return { control, poolBucket, open, close }
}

/** An id that no other test has used. */
export function influxNamespace(): NamespaceId {
  return `nsinflux${randomBytes(6).toString('hex')}` as NamespaceId
}
