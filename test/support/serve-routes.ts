import { randomBytes } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { pino } from 'pino'
import { createUlidSource } from '../../src/domain/ulid.js'
import { ByteBudget } from '../../src/ingest/byte-budget.js'
import { ConnectionLimit } from '../../src/http/connection-limit.js'
import { systemTimers } from '../../src/threads/system-timers.js'
import { openapiRoute } from '../../src/http/openapi.js'
import type { Upgrades } from '../../src/http/upgrades.js'
import { buildServer, type ServerDeps } from '../../src/http/server.js'

/** A running server with the routes under test alone. */
export interface ServedRoutes {
  readonly url: string
  readonly app: FastifyInstance
  close(): Promise<void>
}

/** Serves routes over real HTTP on a free loopback port, with the error handling and the OpenAPI document of the service. */
export async function serveRoutes(
  register: (app: FastifyInstance, upgrades: Upgrades) => void | Promise<void>,
  logger: Logger = pino({ level: 'silent' }),
  more: Partial<Pick<ServerDeps, 'shortRequests' | 'budget' | 'timers'>> = {}
): Promise<ServedRoutes> {
  const { app, upgrades } = await buildServer({
    logger,
    newRequestId: createUlidSource(Date.now, randomBytes),
    bodyLimitBytes: 10 * 1024 * 1024,
    trustedProxies: [],
    version: 'test',
    budget: new ByteBudget(256 * 1024 * 1024, systemTimers),
    timers: systemTimers,
    connections: new ConnectionLimit({ perNetwork: 1_000, trustedProxies: [] }),
    requestLog: null,
    keyPrefixOf: () => null,
    ...more
  })
  await register(app, upgrades)
  openapiRoute(app)
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, app, close: () => app.close() }
}
