import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals'
import { openPostgresControlStore } from '../../src/stores/control/open-postgres.js'
import type { UsageDelta } from '../../src/ports/usage-ledger.js'
import type { AccessDeps } from '../../src/access/access.js'
import { namespaceId, reservation } from '../contract/control-fixtures.js'
import type { ControlNews } from '../support/control-news.js'
import { collectNews } from '../support/control-news.js'
import type { OpenedAccess } from '../support/open-access.js'
import { openTestAccess, registered } from '../support/open-access.js'
import type { PostgresDatabases } from '../support/postgres-databases.js'
import { createPostgresDatabases } from '../support/postgres-databases.js'
import { describeOn } from '../support/servers.js'
import { quietJobs } from '../support/quiet-jobs.js'

const DAY_MS = 86_400_000

describeOn('postgres', 'identity on two gateways', server => {
  let databases: PostgresDatabases
  let gateways: readonly OpenedAccess[]
  let news: ControlNews
  beforeAll(async () => {
    databases = await createPostgresDatabases(server.url)
  })
  afterAll(() => databases?.drop())
  beforeEach(async () => {
    const url = await databases.empty()
    const open = async (changes: Partial<AccessDeps>): Promise<OpenedAccess> =>
      openTestAccess({ store: await openPostgresControlStore({ jobs: quietJobs(), url }), ...changes })
    news = collectNews()
    gateways = await Promise.all([open({}), open({ onChange: news.hear })])
  })
  afterEach(async () => {
    for (const gateway of gateways) await gateway.close()
  })

  it('keeps house at the same time without a fault', async () => {
    const [first, second] = gateways as readonly [OpenedAccess, OpenedAccess]
    const { principal } = await registered(first, 'ada')
    const { secret } = await first.access.apiKeys.create(principal, { name: 'k', kind: 'ingest' })
    await first.store.idempotency.reserve(reservation('old', { createdAtMs: first.clock.nowMs() }))
    for (const { clock } of gateways) clock.pass(31 * DAY_MS)
    for (const { access } of gateways) await access.keys.verify(secret, '::1')
    await Promise.all(gateways.map(({ access }) => access.housekeeping()))
    const keys = await first.store.signingKeys.all()
    expect(keys.map(key => key.retiredAtMs)).toEqual([first.clock.nowMs(), null])
    expect(await first.store.refreshTokens.isFamilyLive(principal.sessionId)).toBe(false)
    expect(await second.store.idempotency.reserve(reservation('old', { bodyHash: 'new' }))).toMatchObject({ bodyHash: 'new' })
    expect(gateways.map(({ faults }) => faults)).toEqual([[], []])
  })

  it('knows a key of the other that signs sessions as soon as it is made', async () => {
    const [first, second] = gateways as readonly [OpenedAccess, OpenedAccess]
    const from = news.all.length
    first.clock.pass(31 * DAY_MS)
    await first.access.housekeeping()
    const { grant } = await registered(first, 'ada')
    await news.next(change => change.kind === 'signing_keys', from)
    // Its clock is stopped, so that it has not looked for unknown keys by itself.
    expect(await second.access.sessions.verify(grant.accessToken)).toMatchObject({ userId: grant.user.id })
  })

  it('adds up what both count, whatever the order of their counts', async () => {
    const deltas = Array.from({ length: 50 }, (_, i): UsageDelta => ({
      namespaceId: namespaceId(`n${i}`),
      day: '2026-01-02',
      signal: 'logs',
      stored: 1,
      rejected: 2,
      deduplicated: 3,
      dropped: 0,
      bytes: 4
    }))
    const adding = Array.from({ length: 20 }, (_, i) =>
      gateways[i % 2]!.store.usage.add(i % 2 === 0 ? deltas : deltas.toReversed())
    )
    await Promise.all(adding)
    for (const { namespaceId: ns } of deltas) {
      expect(await gateways[0]!.store.usage.of(ns, '2026-01-02', '2026-01-02')).toMatchObject([
        { stored: 20, rejected: 40, deduplicated: 60, dropped: 0, bytes: 80 }
      ])
    }
  })

  it('reserves an idempotency key once between them', async () => {
    const reserving = Array.from({ length: 20 }, (_, i) =>
      gateways[i % 2]!.store.idempotency.reserve(reservation('one', { bodyHash: `body${i}` }))
    )
    expect(new Set((await Promise.all(reserving)).map(({ bodyHash }) => bodyHash)).size).toBe(1)
  })
})
