import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { RunningService } from '../support/running-service.js'
import { startService } from '../support/running-service.js'

const CONNECTIONS = 100
/** Client and service share this process: on a busy machine their hundred connections take their time. */
const FLOOD_MS = 120_000

let service: RunningService

interface Caller {
  readonly localAddress?: string
  readonly forwardedFor?: string
}

function signIn(email: string, password: string, { localAddress, forwardedFor }: Caller): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = {
      'content-type': 'application/json',
      ...(forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor })
    }
    const options = { method: 'POST', headers, ...(localAddress === undefined ? {} : { localAddress }) }
    const sent = request(`${service.url}/api/v1/auth/login`, options, response => {
      response.resume().on('end', () => resolve(response.statusCode!))
    })
    sent.on('error', reject).end(JSON.stringify({ email, password }))
  })
}

interface Flood {
  /** Resolves when the flood has had its first responses, one for each connection. */
  readonly started: Promise<void>
  /** Ends it; resolves to the statuses seen. */
  stop(): Promise<ReadonlySet<number>>
}

/** Tries again and again on each of 100 connections. */
function flood(callerOf: (connection: number) => Caller): Flood {
  const state = { isOver: false }
  let responses = 0
  let begin = (): void => undefined
  const started = new Promise<void>(resolve => (begin = resolve))
  const seen = new Set<number>()
  const loops = Array.from({ length: CONNECTIONS }, async (_, connection) => {
    for (let i = 0; !state.isOver; i++) {
      const email = i % 2 === 0 ? service.first.email : `invented-${connection}-${i}@example.com`
      seen.add(await signIn(email, `wrong password ${i}`, callerOf(connection)))
      if (++responses === CONNECTIONS) begin()
    }
  })
  const stop = async (): Promise<ReadonlySet<number>> => {
    state.isOver = true
    await Promise.all(loops)
    return seen
  }
  return { started, stop }
}

async function fourRight(caller: Caller): Promise<readonly number[]> {
  const { email, password } = service.first
  return Promise.all([1, 2, 3, 4].map(() => signIn(email, password!, caller)))
}

describe('during a flood of 100 connections', () => {
  beforeAll(async () => {
    service = await startService({ flags: ['--trusted-proxies', '127.0.0.1'] })
  })
  afterAll(() => service.close())

  it(
    'from one address, right passwords from another are let in',
    async () => {
      const attack = flood(() => ({ localAddress: '127.0.0.2' }))
      await attack.started
      const statuses = await fourRight({ localAddress: '127.0.0.3' })
      expect([statuses, [...(await attack.stop())]]).toEqual([[200, 200, 200, 200], expect.arrayContaining([429])])
    },
    FLOOD_MS
  )

  it(
    'from a hundred addresses, on the same account, too',
    async () => {
      const attack = flood(connection => ({ forwardedFor: `203.0.113.${connection}` }))
      await attack.started
      const statuses = await fourRight({ forwardedFor: '198.51.100.7' })
      const seen = await attack.stop()
      expect(statuses).toEqual([200, 200, 200, 200])
      expect([...seen].every(status => [401, 429, 503].includes(status))).toBe(true)
    },
    FLOOD_MS
  )
})
