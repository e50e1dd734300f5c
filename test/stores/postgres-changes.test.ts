import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals'
import pg from 'pg'
import type { ControlStore } from '../../src/ports/control-store.js'
import type { ControlChange } from '../../src/ports/control-changes.js'
import { openPostgresControlStore } from '../../src/stores/control/open-postgres.js'
import { shardOf } from '../../src/domain/alerts/shard.js'
import { alertGroup, alertRule, alertTransition, evaluationChange } from '../contract/alert-fixtures.js'
import { apiKey, namespace, namespaceId, NOW_MS, refreshToken, user, userId } from '../contract/control-fixtures.js'
import { collectNews } from '../support/control-news.js'
import type { PostgresDatabases } from '../support/postgres-databases.js'
import { createPostgresDatabases } from '../support/postgres-databases.js'
import { describeOn } from '../support/servers.js'
import { quietJobs } from '../support/quiet-jobs.js'

const BEGIN = 'begin'
const END = 'end'

describeOn('postgres', 'news of a control store on PostgreSQL', server => {
  let databases: PostgresDatabases
  let url: string
  let here: ControlStore
  let there: ControlStore
  beforeAll(async () => {
    databases = await createPostgresDatabases(server.url)
  })
  afterAll(() => databases?.drop())
  beforeEach(async () => {
    url = await databases.empty()
    here = await openPostgresControlStore({ jobs: quietJobs(), url })
    there = await openPostgresControlStore({ jobs: quietJobs(), url })
    await here.users.insert(user('ada'))
    await here.namespaces.insert(namespace('shop'))
    await here.apiKeys.insert(apiKey('a', { namespaces: [namespaceId('shop')] }))
  })
  afterEach(async () => {
    await here.close()
    await there.close()
  })

  /** What `work` here makes the other instance hear. */
  async function heard(work: () => Promise<unknown>): Promise<readonly ControlChange[]> {
    const news = collectNews()
    there.changes?.subscribe(news.hear)
    // News come in the order of commits: earlier changes are reported before this one, later changes after it.
    await here.users.insert(user(BEGIN))
    await work()
    await here.users.insert(user(END))
    const isOf = (name: string) => (change: ControlChange) => change.kind === 'user' && change.userId === userId(name)
    await news.next(isOf(END))
    return news.all.slice(news.all.findIndex(isOf(BEGIN)) + 1, news.all.findIndex(isOf(END)))
  }

  async function sql(text: string): Promise<unknown[]> {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    const { rows } = await client.query(text)
    await client.end()
    return rows as unknown[]
  }

  it('report namespaces, members, users and sessions, each once', async () => {
    const member = { namespaceId: namespaceId('shop'), userId: userId('ada'), role: 'admin', sinceMs: NOW_MS } as const
    const reported = await heard(async () => {
      await here.namespaces.setSearch(namespaceId('shop'), 'off')
      await here.members.add(member)
      await here.users.setPassword(userId('ada'), 'scrypt$new')
      await here.refreshTokens.insert(refreshToken('a'))
      await here.refreshTokens.insert(refreshToken('b'))
      await here.refreshTokens.revokeFamily('family', NOW_MS)
      await here.refreshTokens.revokeFamily('family', NOW_MS)
    })
    expect(reported).toEqual([
      { kind: 'namespace', namespaceId: namespaceId('shop') },
      { kind: 'member', namespaceId: namespaceId('shop'), userId: userId('ada') },
      { kind: 'user', userId: userId('ada') },
      { kind: 'session', familyId: 'family' }
    ])
  })

  it('report keys by all hashes that they had and have, and not of their use', async () => {
    const { id } = apiKey('a')
    const notices = await heard(async () => {
      await here.apiKeys.rotate(id, { hash: 'second', prefix: 'p' }, NOW_MS)
      await here.apiKeys.touch(new Map([[id, NOW_MS]]))
      await here.apiKeys.revoke(id, NOW_MS)
    })
    expect(notices).toEqual([
      { kind: 'key', hashes: ['hash-a', 'second'] },
      { kind: 'key', hashes: ['second', 'hash-a'] }
    ])
  })

  it('report rules and groups of alerts, and not their evaluations', async () => {
    const changed = { kind: 'alert_rules', namespaceId: namespaceId('shop') }
    const reported = await heard(async () => {
      await here.alertRules.putGroup(alertGroup('g'))
      await here.alertRules.putRule(alertRule('r'))
      const [lease] = await here.alertLeases.acquire([shardOf(namespaceId('shop'))], 'here', 60_000)
      await here.alertStates.commit(lease!, [evaluationChange('r', { transitions: [alertTransition('a')] })])
      await here.alertRules.putRule(alertRule('r', { version: 2 }))
      await here.alertRules.removeGroup(namespaceId('shop'), 'g')
    })
    expect(reported).toEqual([changed, changed, changed, changed])
  })

  it('report nothing of what was rolled back', async () => {
    const outcome = await heard(async () => {
      const work = here.transaction(async ports => {
        await ports.namespaces.setSearch(namespaceId('shop'), 'off')
        throw new Error('stop')
      })
      await expect(work).rejects.toThrow('stop')
    })
    expect(outcome).toEqual([])
  })

  it('report that anything may have changed once a lost connection is back, and not before that they are current', async () => {
    const news = collectNews()
    there.changes?.subscribe(news.hear)
    let wasCurrent: boolean | undefined
    there.changes?.subscribe(change => {
      if (change.kind === 'anything') wasCurrent = there.changes?.isCurrent()
    })
    expect(there.changes?.isCurrent()).toBe(true)
    const ended = await sql(
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'alidade news' and datname = current_database()"
    )
    expect(ended).toHaveLength(2)
    await news.next(change => change.kind === 'anything')
    expect(wasCurrent).toBe(false)
    expect(there.changes?.isCurrent()).toBe(true)
    await here.namespaces.setSearch(namespaceId('shop'), 'approximate')
    await news.next(change => change.kind === 'namespace')
  })

  it('end with the store', async () => {
    const news = collectNews()
    there.changes?.subscribe(news.hear)
    await there.close()
    expect(there.changes?.isCurrent()).toBe(false)
    const before = news.all.length
    await here.users.insert(user('eve'))
    expect(news.all).toHaveLength(before)
    const left = "select 1 from pg_stat_activity where application_name like 'alidade%' and datname = current_database()"
    await here.close()
    expect(await sql(left)).toEqual([])
  })
})
