import { pino } from 'pino'
import type { AppOptions } from '../../src/app/app-options.js'
import { createApp } from '../../src/app.js'
import type { FirstCredentials } from '../../src/access/first-start.js'
import { loadConfig } from '../../src/config/config.js'
import { isGatewayError } from '../../src/domain/errors.js'
import type { App } from '../../src/app/running-app.js'
import type { ApiFetch } from './api-fetch.js'
import { createApiFetch } from './api-fetch.js'
import type { ServiceStores } from './service-profile.js'
import type { ServiceStores as OpenedStores } from '../../src/app/open-service-stores.js'
import { IS_MANAGED, openServiceStores } from './service-profile.js'
import { TEST_COST } from './open-access.js'
import { cleanWithFolder, openTempFolder } from './temp-folder.js'

/** What a test may set. */
export interface ServiceOptions {
  /** Settings as flags, e.g. `['--registration', 'closed']`; the host, a free port and the data folder are given. */
  readonly flags?: readonly string[]
  /** Settings that cannot be flags, as environment variables. */
  readonly env?: Readonly<Record<string, string>>
  /** A data folder that outlives the service; a temporary one otherwise. */
  readonly dataDir?: string
  readonly app?: AppOptions
}

/** The real service in this process, over real stores, on a free loopback port. */
export interface RunningService {
  readonly app: App
  readonly url: string
  readonly ingestUrl: string
  readonly dataDir: string
  /** Credentials of the first start. */
  readonly first: FirstCredentials
  /** Sends to the API and checks every response against the OpenAPI document. */
  readonly api: ApiFetch
  /** Sends to the ingest address, checked likewise. */
  readonly ingest: ApiFetch
  /** Signs in (the operator by default) and returns the header to send. */
  login(email?: string, password?: string): Promise<{ readonly authorization: string }>
  /** Resolves when everything that was acknowledged is visible to reads: what was spooled, too. */
  settle(): Promise<void>
  /** Stops the service and removes its temporary folder. */
  close(): Promise<void>
}

/** Servers that all tests share can be busy for longer than an operator would wait: what is late shall not be spooled. */
const PATIENT = { responseTimeoutMs: 60_000 }
const NO_CREDENTIALS: FirstCredentials = { email: '', password: null, namespace: '', namespaceId: '', ingestKey: '' }

function noFile(path: string): string {
  throw new Error(`${path}: tests give settings as flags`)
}

/** Places of services on folders that outlive them: a later service on such a folder finds its data again. */
const kept = new Map<string, ServiceStores>()

async function storesOf(dataDir: string): Promise<ServiceStores> {
  const known = kept.get(dataDir)
  if (known) return known
  const made = await openServiceStores()
  kept.set(dataDir, made)
  cleanWithFolder(dataDir, async () => {
    kept.delete(dataDir)
    await made.remove()
  })
  return made
}

async function startApp(options: ServiceOptions, dataDir: string, onStores: (stores: OpenedStores) => void): Promise<App> {
  const alone = ['--otlp-http-port', '0', '--otlp-grpc-port', '0', '--stop-grace', '5s']
  const flags = ['--host', '127.0.0.1', '--port', '0', '--data-dir', dataDir, ...alone, ...(options.flags ?? [])]
  const { env } = await storesOf(dataDir)
  const app = await createApp(loadConfig(flags, { ...env, ...options.env }, noFile), {
    logger: pino({ level: 'silent' }),
    scryptCost: TEST_COST,
    ...(IS_MANAGED && { spoolLimits: PATIENT }),
    onStores,
    ...options.app
  })
  await app.listen().catch(async (error: unknown) => {
    await app.close()
    throw error
  })
  return app
}

const INGEST = /^\/(?:api\/v1\/)?(?:logs|logs\/batch|ingest|ingest\/batch|apm\/rum|apm\/metrics|apm\/errors)(?=\?|$)/

/**
 * A search store shows what it acknowledged a little later. The tests are about other things than that little time, so
 * their writes request to be acknowledged when they can be found.
 */
function untilSearchable(send: ApiFetch): ApiFetch {
  return (path, init = {}) => {
    const isIngest = init.method === 'POST' && INGEST.test(path) && !path.includes('ack=')
    return send(isIngest ? `${path}${path.includes('?') ? '&' : '?'}ack=searchable` : path, init)
  }
}

async function fetchOf(url: string, settings: string): Promise<ApiFetch> {
  const send = await createApiFetch(url, settings)
  return IS_MANAGED ? untilSearchable(send) : send
}

/** A busy server may not store in time what waits in the spool; each attempt stores a part of it. */
const SETTLE_ATTEMPTS = 20

async function settled(settle: () => Promise<void>, attempts = SETTLE_ATTEMPTS): Promise<void> {
  try {
    await settle()
  } catch (error) {
    if (attempts === 1 || !isGatewayError(error, 'store_unavailable')) throw error
    await settled(settle, attempts - 1)
  }
}

async function settleAll({ telemetry, directory }: OpenedStores): Promise<void> {
  const { logs, metrics, traces, events } = telemetry
  const open = directory.all().filter(({ state }) => state === 'active' || state === 'suspended')
  await Promise.all(open.flatMap(({ id }) => [logs, metrics, traces, events].map(store => settled(() => store.settle(id)))))
}

/** Starts the service; close it when the test is done. */
export async function startService(options: ServiceOptions = {}): Promise<RunningService> {
  const folder = options.dataDir === undefined ? await openTempFolder() : null
  const dataDir = options.dataDir ?? folder!.path
  let stores: OpenedStores
  const app = await startApp(options, dataDir, opened => {
    stores = opened
  })
  const first = app.firstCredentials ?? NO_CREDENTIALS
  const settings = JSON.stringify([options.flags, options.env, options.app?.consoleFolder])
  const api = await fetchOf(app.url, `api ${settings}`)
  const ingest = app.ingestUrl === app.url ? api : await fetchOf(app.ingestUrl, `ingest ${settings}`)
  return {
    app,
    url: app.url,
    ingestUrl: app.ingestUrl,
    dataDir,
    first,
    api,
    ingest,
    login: async (email = first.email, password = first.password ?? '') => {
      const response = await api('/api/v1/auth/login', { method: 'POST', json: { email, password } })
      if (response.status !== 200) throw new Error(`login as ${email}: ${response.text}`)
      return { authorization: `Bearer ${String(response.json['access_token'])}` }
    },
    settle: () => (IS_MANAGED ? settleAll(stores) : Promise.resolve()),
    close: async () => {
      await app.close()
      await folder?.remove()
    }
  }
}
