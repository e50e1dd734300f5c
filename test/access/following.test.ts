import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals'
import { cacheAge } from '../../src/access/cache-age.js'
import type { FollowingDeps } from '../../src/access/follow-changes.js'
import { followChanges } from '../../src/access/follow-changes.js'
import type { ControlChange, ControlChanges } from '../../src/ports/control-changes.js'
import type { ControlStore } from '../../src/ports/control-store.js'
import type { OpenedAccess } from '../support/open-access.js'
import { openTestAccess, registered } from '../support/open-access.js'
import { quietJobs } from '../support/quiet-jobs.js'

/** News whose arrival the test decides. */
class TestChanges implements ControlChanges {
  isHearing = true
  notify: (change: ControlChange) => void = () => undefined

  isCurrent(): boolean {
    return this.isHearing
  }

  subscribe(listener: (change: ControlChange) => void): void {
    this.notify = listener
  }
}

/** The same database for another instance, which is not the one that closes it. */
function sharing(store: ControlStore, changes: ControlChanges): ControlStore {
  return {
    ...store,
    changes,
    transaction: work => store.transaction(work),
    health: () => store.health(),
    backup: folder => store.backup(folder),
    purge: () => store.purge(),
    close: () => Promise.resolve()
  }
}

describe('what is remembered of the control store', () => {
  it('may have any age on a single instance, a minute while news arrive and 200 ms while they do not', () => {
    const changes = new TestChanges()
    const age = cacheAge(changes)
    expect([cacheAge(null)(), age()]).toEqual([null, 60_000])
    changes.isHearing = false
    expect(age()).toBe(200)
  })

  describe('by two instances on one database', () => {
    let here: OpenedAccess
    let there: OpenedAccess
    let changes: TestChanges
    beforeEach(async () => {
      changes = new TestChanges()
      here = await openTestAccess()
      there = await openTestAccess({ store: sharing(here.store, changes) })
    })
    afterEach(async () => {
      await there.close()
      await here.close()
    })

    it('outlives a revocation by less than a second where no news arrive', async () => {
      const { principal } = await registered(here, 'ada')
      const { key, secret } = await here.access.apiKeys.create(principal, { name: 'k', kind: 'ingest' })
      changes.isHearing = false
      await there.access.keys.verify(secret, '::1')
      await here.access.apiKeys.revoke(principal, key.id)
      there.clock.pass(199)
      await there.access.keys.verify(secret, '::1')
      there.clock.pass(1)
      await expect(there.access.keys.verify(secret, '::1')).rejects.toMatchObject({ code: 'invalid_credential' })
    })

    it('learns of a deletion, after which each has removed the data and one has noted the end', async () => {
      const { principal } = await registered(here, 'ada')
      const { id } = await here.access.namespaces.create(principal, { name: 'team' })
      changes.notify({ kind: 'namespace', namespaceId: id })
      const isGone = new Promise(resolve => there.access.directory.whenGone(resolve))
      await here.access.namespaces.remove(principal, id)
      changes.notify({ kind: 'namespace', namespaceId: id })
      expect(await isGone).toBe(id)
      for (const { access } of [here, there]) await access.namespaces.deletionsSettled()
      expect([here.dropped, there.dropped]).toEqual([[id], [id]])
      const { entries } = await here.access.audit.list(principal, id, { limit: 10 })
      expect(entries.filter(({ action }) => action === 'namespace.deleted')).toHaveLength(1)
      expect([here.faults, there.faults]).toEqual([[], []])
    })

    it('removes the data later where that failed, though the other instance has ended the deletion', async () => {
      const { principal } = await registered(here, 'ada')
      const { id } = await here.access.namespaces.create(principal, { name: 'team' })
      changes.notify({ kind: 'namespace', namespaceId: id })
      const isGone = new Promise(resolve => there.access.directory.whenGone(resolve))
      there.failDrops(1)
      await here.access.namespaces.remove(principal, id)
      await here.access.namespaces.deletionsSettled()
      changes.notify({ kind: 'namespace', namespaceId: id })
      await isGone
      await there.access.namespaces.deletionsSettled()
      expect([there.dropped, there.faults]).toEqual([[], [new Error('down')]])
      await there.access.housekeeping()
      await there.access.namespaces.deletionsSettled()
      expect(there.dropped).toEqual([id])
      await there.access.housekeeping()
      await there.access.namespaces.deletionsSettled()
      expect(there.dropped).toEqual([id])
    })

    it('ends with the news of it, and with the news that anything may have changed', async () => {
      const { principal } = await registered(here, 'ada')
      const make = (): ReturnType<typeof here.access.apiKeys.create> =>
        here.access.apiKeys.create(principal, { name: 'k', kind: 'ingest' })
      const [first, second] = [await make(), await make()]
      for (const { secret } of [first, second]) await there.access.keys.verify(secret, '::1')
      for (const { key } of [first, second]) await here.access.apiKeys.revoke(principal, key.id)
      const { secretHash } = (await here.store.apiKeys.byId(first.key.id))!
      changes.notify({ kind: 'key', hashes: [secretHash] })
      await expect(there.access.keys.verify(first.secret, '::1')).rejects.toMatchObject({ code: 'invalid_credential' })
      await there.access.keys.verify(second.secret, '::1')
      changes.notify({ kind: 'anything' })
      await expect(there.access.keys.verify(second.secret, '::1')).rejects.toMatchObject({ code: 'invalid_credential' })
    })
  })
})

describe('following changes', () => {
  beforeEach(() => {
    jest.useFakeTimers()
  })
  afterEach(() => {
    jest.useRealTimers()
  })

  function follow(changes: ControlChanges): {
    stop: () => Promise<void>
    calls: string[]
    faults: string[]
    fail: (isOn: boolean) => void
  } {
    const calls: string[] = []
    const faults: string[] = []
    let isFailing = false
    const note = (call: string) => async (): Promise<void> => {
      calls.push(call)
      if (isFailing) throw new Error('down')
    }
    const remembered = {
      directory: { load: note('load'), refresh: note('refresh') },
      signer: { reload: note('reload') },
      roles: { forgetAll: note('roles') },
      keys: { forgetAll: note('keys') },
      sessions: { forgetAll: note('sessions') }
    }
    const deps = { ...remembered, jobs: quietJobs(job => faults.push(job)) }
    const following = followChanges(changes, deps as unknown as FollowingDeps)
    return { stop: () => following.stop(), calls, faults, fail: isOn => (isFailing = isOn) }
  }

  it('reads everything each half second while no news arrive, and nothing otherwise', async () => {
    const changes = new TestChanges()
    const { calls, stop } = follow(changes)
    await jest.advanceTimersByTimeAsync(10_000)
    expect(calls).toEqual([])
    changes.isHearing = false
    await jest.advanceTimersByTimeAsync(1_000)
    expect(calls).toEqual(['load', 'reload', 'load', 'reload'])
    await stop()
  })

  it('reads everything again after something could not be read, and logs the first failure and the first repetition', async () => {
    const changes = new TestChanges()
    const { calls, faults, stop, fail } = follow(changes)
    fail(true)
    changes.notify({ kind: 'signing_keys' })
    await jest.advanceTimersByTimeAsync(1_000)
    expect(calls).toEqual(['reload', 'load', 'reload', 'load', 'reload'])
    fail(false)
    await jest.advanceTimersByTimeAsync(5_000)
    expect(calls.slice(5)).toEqual(['load', 'reload'])
    expect(faults).toEqual(['control_following', 'control_following'])
    await stop()
  })

  it('does nothing more once it is stopped', async () => {
    const changes = new TestChanges()
    const { calls, stop } = follow(changes)
    await stop()
    changes.isHearing = false
    changes.notify({ kind: 'anything' })
    await jest.advanceTimersByTimeAsync(5_000)
    expect(calls).toEqual([])
  })
})
