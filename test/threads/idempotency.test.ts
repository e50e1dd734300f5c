import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { join } from 'node:path'
import { ERROR_CODES, GatewayError, isGatewayError } from '../../src/domain/errors.js'
import { STATUS } from '../../src/http/error-reply.js'
import type { IngestId, KeyId } from '../../src/domain/ids.js'
import type { KeyPrincipal } from '../../src/domain/principal.js'
import { Idempotency, type IdempotencyScope, type StoredReply } from '../../src/ingest/idempotency.js'
import { FairScheduler } from '../../src/ingest/fair-scheduler.js'
import type { ControlStore } from '../../src/ports/control-store.js'
import { openSqliteControlStore } from '../../src/stores/control/open-sqlite.js'
import { openTempFolder } from '../support/temp-folder.js'
import { NS } from '../unit/ingest/items.js'

const HOUR_MS = 3_600_000
const principal: KeyPrincipal = { kind: 'key', keyId: 'key1' as KeyId, keyKind: 'ingest', namespaces: [NS], allowedOrigins: [] }
const scope: IdempotencyScope = { namespace: NS, principal, route: '/api/v1/logs', key: 'abc' }
const body = Buffer.from('{"message":"x"}')

let folder: Awaited<ReturnType<typeof openTempFolder>>
let store: ControlStore
let nowMs = 0
let made = 0
let errors: unknown[]
beforeEach(async () => {
  folder = await openTempFolder()
  store = await openSqliteControlStore({ file: join(folder.path, 'control.db') })
  nowMs = 1_000_000_000_000
  errors = []
})
afterEach(async () => {
  await store.close()
  await folder.remove()
})

/** One process's view; two of them are the processes before and after a crash. */
function process(keys = store.idempotency): Idempotency {
  return new Idempotency({
    keys,
    clock: { nowMs: () => nowMs, nowNs: () => 0n, monotonicMs: () => 0 },
    newIngestId: () => `id${made++}` as IngestId,
    scheduler: new FairScheduler(1),
    keptMs: 48 * HOUR_MS,
    onError: error => errors.push(error)
  })
}

const ids: IngestId[] = []
const stored =
  (wasStored = false) =>
  async (ingestId: IngestId): Promise<StoredReply> => {
    ids.push(ingestId)
    const reply = {
      status: 'ok',
      accepted: 1,
      rejected: 0,
      namespace: 'prod',
      namespace_source: 'api_key',
      ingest_id: ingestId
    } as const
    return { reply, wasStored }
  }
const failing =
  (error: Error) =>
  async (ingestId: IngestId): Promise<StoredReply> => {
    ids.push(ingestId)
    throw error
  }
const never = async (): Promise<StoredReply> => {
  throw new Error('must not run')
}
const codeOf = (error: unknown): string => (isGatewayError(error) ? error.code : String(error))

describe('an Idempotency-Key', () => {
  it('responds to a repeat with the first result and runs nothing, in this process and the next', async () => {
    const idempotency = process()
    const first = await idempotency.run(scope, body, stored())
    expect(first.isReplay).toBe(false)
    for (const repeat of [idempotency, process()]) {
      expect(await repeat.run(scope, body, never)).toEqual({ reply: first.reply, isReplay: true })
    }
  })

  it.each<[string, Partial<IdempotencyScope>]>([
    ['route', { route: '/api/v1/ingest' }],
    ['namespace', { namespace: 'bbbbbbbbbbbbbbbb' as typeof NS }],
    ['credential', { principal: { ...principal, keyId: 'key2' as KeyId } }],
    ['text', { key: 'abd' }]
  ])('is another one with another %s', async (_what, change) => {
    const idempotency = process()
    const first = await idempotency.run(scope, body, stored())
    const second = await idempotency.run({ ...scope, ...change }, body, stored())
    expect(second.isReplay).toBe(false)
    expect(second.reply.ingest_id).not.toBe(first.reply.ingest_id)
  })

  it('is refused with another body', async () => {
    const idempotency = process()
    await idempotency.run(scope, body, stored())
    expect(codeOf(await idempotency.run(scope, Buffer.from('{}'), never).catch((e: unknown) => e))).toBe('idempotency_mismatch')
  })

  it('is refused while the first request runs', async () => {
    const idempotency = process()
    const reply = await stored()('id' as IngestId)
    let start = (): void => undefined
    let finish = (_reply: StoredReply): void => undefined
    const started = new Promise<void>(resolve => (start = resolve))
    const first = idempotency.run(scope, body, () => {
      start()
      return new Promise(resolve => (finish = resolve))
    })
    await started
    expect(codeOf(await idempotency.run(scope, body, never).catch((e: unknown) => e))).toBe('idempotency_in_progress')
    finish(reply)
    expect(await first).toMatchObject({ isReplay: false })
    expect(await idempotency.run(scope, body, never)).toMatchObject({ isReplay: true })
  })
})

describe('an Idempotency-Key after a failure', () => {
  it('is free again after a refusal', async () => {
    const idempotency = process()
    const refusal = new GatewayError('missing_field', 'message is required')
    expect(codeOf(await idempotency.run(scope, body, failing(refusal)).catch((e: unknown) => e))).toBe('missing_field')
    expect(await idempotency.run(scope, Buffer.from('{"other":1}'), stored())).toMatchObject({ isReplay: false })
  })

  it('keeps its ingest id when it is not known whether the records were stored', async () => {
    ids.length = 0
    const idempotency = process()
    await idempotency.run(scope, body, failing(new GatewayError('store_unavailable', 'gone'))).catch(() => undefined)
    await idempotency.run(scope, body, failing(new Error('bug'))).catch(() => undefined)
    const response = await idempotency.run(scope, body, stored(true))
    expect(new Set(ids).size).toBe(1)
    // The store had the records: this the response of the request that never got one.
    expect(response.isReplay).toBe(true)
  })

  it.each(ERROR_CODES.filter(code => STATUS[code] >= 500))('keeps its ingest id over %s in any attempt', async code => {
    ids.length = 0
    const fault = new GatewayError(code, 'not now')
    for (const attempt of [process(), process()]) {
      await attempt.run(scope, body, failing(fault)).catch(() => undefined)
      // Some records may be stored under the key: another body does not get it.
      const other = attempt.run(scope, Buffer.from('{"other":1}'), never)
      expect(codeOf(await other.catch((e: unknown) => e))).toBe('idempotency_mismatch')
    }
    await process().run(scope, body, stored())
    expect(new Set(ids).size).toBe(1)
  })

  it.each(['overloaded', 'storage_full', 'missing_field'] as const)(
    'keeps its ingest id when the outcome of the first attempt is unknown and the second ends in %s',
    async code => {
      ids.length = 0
      await process()
        .run(scope, body, failing(new GatewayError('store_unavailable', 'late')))
        .catch(() => undefined)
      await process()
        .run(scope, body, failing(new GatewayError(code, 'no')))
        .catch(() => undefined)
      const other = process().run(scope, Buffer.from('{}'), never)
      expect(codeOf(await other.catch((e: unknown) => e))).toBe('idempotency_mismatch')
      await process().run(scope, body, stored(true))
      expect(new Set(ids).size).toBe(1)
    }
  )

  it('keeps its ingest id when the gateway that reserved it refuses what another one stores meanwhile', async () => {
    ids.length = 0
    const refusal = new GatewayError('missing_field', 'message is required')
    const refusing = process().run(scope, body, async id => {
      ids.push(id)
      await process().run(scope, body, stored())
      throw refusal
    })
    expect(codeOf(await refusing.catch((e: unknown) => e))).toBe('missing_field')
    expect(await process().run(scope, body, never)).toMatchObject({ isReplay: true })
    expect(new Set(ids).size).toBe(1)
  })

  it('keeps its ingest id for the same body while a refusal leaves it free for another', async () => {
    ids.length = 0
    const refusal = new GatewayError('missing_field', 'message is required')
    await process()
      .run(scope, body, failing(refusal))
      .catch(() => undefined)
    await process()
      .run(scope, body, failing(refusal))
      .catch(() => undefined)
    expect(new Set(ids).size).toBe(1)
    await process().run(scope, Buffer.from('{"other":1}'), stored())
    expect(new Set(ids).size).toBe(2)
    expect(
      codeOf(
        await process()
          .run(scope, body, never)
          .catch((e: unknown) => e)
      )
    ).toBe('idempotency_mismatch')
  })

  it('keeps its ingest id over a crash between storing and remembering', async () => {
    ids.length = 0
    const crashed = {
      ...store.idempotency,
      reserve: store.idempotency.reserve.bind(store.idempotency),
      complete: () => Promise.reject(new Error('killed'))
    }
    const before = await process(crashed).run(scope, body, stored())
    expect([before.isReplay, errors.length]).toEqual([false, 1])
    await process().run(scope, body, stored(true))
    expect(new Set(ids).size).toBe(1)
  })

  it('is forgotten after 48 hours and not before', async () => {
    const idempotency = process()
    const first = await idempotency.run(scope, body, stored())
    nowMs += 48 * HOUR_MS
    expect(await idempotency.run(scope, body, never)).toMatchObject({ isReplay: true })
    nowMs += 1
    const second = await idempotency.run(scope, Buffer.from('{"other":1}'), stored())
    expect(second.isReplay).toBe(false)
    expect(second.reply.ingest_id).not.toBe(first.reply.ingest_id)
  })

  it('is swept when it is older than it is kept', async () => {
    const idempotency = process()
    await idempotency.run(scope, body, stored())
    nowMs += 48 * HOUR_MS + 1
    await idempotency.sweep()
    nowMs -= 48 * HOUR_MS
    expect(await idempotency.run(scope, body, stored())).toMatchObject({ isReplay: false })
  })

  it('is valid with 255 characters', async () => {
    const idempotency = process()
    await idempotency.run({ ...scope, key: 'k'.repeat(255) }, body, stored())
    expect(codeOf(await idempotency.run({ ...scope, key: 'k'.repeat(256) }, body, never).catch((e: unknown) => e))).toBe(
      'invalid_field'
    )
  })
})
