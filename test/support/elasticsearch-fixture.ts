import { randomBytes } from 'node:crypto'
import type { NamespaceId } from '../../src/domain/ids.js'
import { DEFAULT_RETENTION, type Namespace, type NamespaceState } from '../../src/domain/namespace.js'
import type { StoragePlan } from '../../src/domain/storage-plan.js'
import type { ControlStore } from '../../src/ports/control-store.js'
import type { NamespaceDirectory } from '../../src/ports/namespace-directory.js'
import { openSqliteControlStore } from '../../src/stores/control/open-sqlite.js'
import {
  openElasticsearchStores,
  type ElasticsearchOptions,
  type ElasticsearchStores
} from '../../src/stores/elasticsearch/elasticsearch-stores.js'
import type { ElasticsearchServer } from '../../src/stores/elasticsearch/client/node-transport.js'
import { systemClock } from '../../src/telemetry/system-clock.js'
import type { ServerAccess } from '../servers/variables.js'
import { openTempFolder } from './temp-folder.js'
import { quietJobs, SILENT_LOGGER } from './quiet-jobs.js'

/** The settings that reach a test server. */
export function serverOf({ url, username, password }: ServerAccess): ElasticsearchServer {
  return { urls: [url], cloudId: null, username: username ?? null, password: password ?? null, apiKey: null, ca: null }
}

/** One request to a server outside the adapter. */
export async function engineApi(access: ServerAccess, method: string, path: string, body?: unknown): Promise<unknown> {
  const { url, username, password } = access
  const headers = new Headers({ 'content-type': 'application/json' })
  if (username !== undefined) headers.set('authorization', `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`)
  const response = await fetch(url + path, { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
  return JSON.parse(text)
}

/** A directory in which every namespace is stored by one plan, until a test sets another one. */
export class PlannedNamespaces implements NamespaceDirectory {
  readonly #plan: StoragePlan
  readonly #plans = new Map<NamespaceId, StoragePlan>()
  readonly #states = new Map<NamespaceId, NamespaceState>()

  constructor(plan: StoragePlan) {
    this.#plan = plan
  }

  setPlan(ns: NamespaceId, plan: StoragePlan): void {
    this.#plans.set(ns, plan)
  }

  setState(ns: NamespaceId, state: NamespaceState): void {
    this.#states.set(ns, state)
  }

  byId(id: NamespaceId): Namespace {
    const state = this.#states.get(id) ?? 'active'
    const storage = this.#plans.get(id) ?? this.#plan
    return { id, name: id, kind: 'team', state, retention: DEFAULT_RETENTION, storage, createdAtMs: 0 }
  }

  byName(): null {
    return null
  }

  isNamed(namespace: Namespace, name: string): boolean {
    return namespace.name === name
  }
}

/** What a test may choose; the rest has defaults. */
export type ElasticsearchChoices = Partial<Pick<ElasticsearchOptions, 'limits' | 'clock' | 'server'>>

/** One server, one control database, and the gateways that a test opens on them. */
export interface ElasticsearchSite {
  readonly access: ServerAccess
  readonly control: ControlStore
  readonly namespaces: PlannedNamespaces
  /** A further gateway; closed with the site. */
  open(choices?: ElasticsearchChoices): Promise<ElasticsearchStores>
  /** Deletes all indices that were made, and closes everything. */
  close(): Promise<void>
}

/** Room for the names in the first line of a request. */
const NAMES_AT_ONCE = 40

async function deleteIndices(access: ServerAccess, control: ControlStore): Promise<void> {
  const names = (await control.indices.all()).map(({ index }) => index)
  for (let i = 0; i < names.length; i += NAMES_AT_ONCE) {
    const list = names.slice(i, i + NAMES_AT_ONCE).join(',')
    await engineApi(access, 'DELETE', `/${list}?ignore_unavailable=true`)
  }
}

/** Opens a control database of its own next to a server; no other test uses the indices of its pools. */
export async function openElasticsearchSite(access: ServerAccess, plan: StoragePlan): Promise<ElasticsearchSite> {
  const folder = await openTempFolder()
  const control = await openSqliteControlStore({ file: `${folder.path}/control.db` })
  const installation = `test${randomBytes(6).toString('hex')}`
  const namespaces = new PlannedNamespaces(plan)
  const opened: ElasticsearchStores[] = []
  const open = async ({ limits, ...choices }: ElasticsearchChoices = {}): Promise<ElasticsearchStores> => {
    const stores = await openElasticsearchStores({
      logger: SILENT_LOGGER,
      jobs: quietJobs(),
      ...{ server: serverOf(access), catalog: control.indices, namespaces, clock: systemClock, installation },
      ...choices,
      limits: { replicas: 0, ...limits }
    })
    opened.push(stores)
    return stores
  }
  const close = async (): Promise<void> => {
    await Promise.all(opened.map(stores => stores.close()))
    await deleteIndices(access, control)
    await control.close()
    await folder.remove()
  }
  return { access, control, namespaces, open, close }
}
