import { randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import type { Access } from '../../src/access/access.js'
import { openAccess } from '../../src/access/access.js'
import { SecretBox } from '../../src/access/secret-box.js'
import type { SecretKeys } from '../../src/access/secret-box.js'
import type { ControlStore } from '../../src/ports/control-store.js'
import { openSqliteControlStore } from '../../src/stores/control/open-sqlite.js'
import { ManualTime } from '../support/manual-time.js'
import { TEST_COST } from '../support/open-access.js'
import { quietJobs } from '../support/quiet-jobs.js'
import { openTempFolder } from '../support/temp-folder.js'

const FIRST = 'first secrets key of 32 characters'
const SECOND = 'second secrets key of 32 characters'
const NONE: SecretKeys = { current: null, previous: null }

describe('a box for secrets', () => {
  const box = (current: string | null, previous: string | null = null): SecretBox =>
    new SecretBox({ current, previous }, randomBytes)

  it('opens what it sealed, in the same place only', () => {
    const sealed = box(FIRST).seal('place a', 'a secret')
    expect(sealed).toMatch(/^sealed:v1:[\w-]{8}:/)
    expect(sealed).not.toContain('a secret')
    expect(box(FIRST).open('place a', sealed)).toBe('a secret')
    expect(() => box(FIRST).open('place b', sealed)).toThrow('damaged')
  })

  it('never seals alike twice', () => {
    expect(box(FIRST).seal('a', 'x')).not.toBe(box(FIRST).seal('a', 'x'))
  })

  it.each([0, 20, -1])('refuses a value that was changed at %i', position => {
    const parts = box(FIRST).seal('a', 'a longer secret').split(':')
    const bytes = Buffer.from(parts[4]!, 'base64url')
    bytes[position === -1 ? bytes.length - 1 : position]! ^= 1
    expect(() => box(FIRST).open('a', [...parts.slice(0, 4), bytes.toString('base64url')].join(':'))).toThrow('damaged')
  })

  it('names the key that is missing and what to set', () => {
    const sealed = box(FIRST).seal('a', 'x')
    const id = sealed.split(':')[2]!
    expect(() => box(null).open('a', sealed)).toThrow(`sealed by the secrets key ${id}, but secrets_key is not set`)
    expect(() => box(SECOND).open('a', sealed)).toThrow('set secrets_key to that key, or secrets_key_previous')
  })

  it('knows what must be sealed again', () => {
    const sealed = box(FIRST).seal('a', 'x')
    expect([box(FIRST).isStale(sealed), box(SECOND, FIRST).isStale(sealed), box(null, FIRST).isStale(sealed)]).toEqual([
      false,
      true,
      true
    ])
    expect([box(FIRST).isStale('plain'), box(null).isStale('plain')]).toEqual([true, false])
    expect(box(SECOND, FIRST).open('a', sealed)).toBe('x')
  })
})

describe('private signing keys', () => {
  let folder: Awaited<ReturnType<typeof openTempFolder>>
  let store: ControlStore
  const clock = new ManualTime()
  beforeEach(async () => {
    folder = await openTempFolder()
    store = await open()
  })
  afterEach(async () => {
    await store.close()
    await folder.remove()
  })

  function open(): Promise<ControlStore> {
    return openSqliteControlStore({ file: join(folder.path, 'control.db') })
  }

  function start(secretKeys: SecretKeys): Promise<Access> {
    return openAccess({
      store,
      clock,
      timers: clock,
      randomBytes,
      registration: 'open',
      issuer: 'alidade',
      dropData: () => Promise.resolve(),
      sizes: () => Promise.resolve({ namespaces: [], missing: [] }),
      jobs: quietJobs(),
      scryptCost: TEST_COST,
      secretKeys
    })
  }

  async function stored(): Promise<readonly string[]> {
    return (await store.signingKeys.all()).map(key => key.privateKey)
  }

  /** Whether the bytes are anywhere in the files of the database, its log included. */
  async function isOnDisk(text: string): Promise<boolean> {
    const files = await Promise.all((await readdir(folder.path)).map(name => readFile(join(folder.path, name))))
    return files.some(file => file.includes(text))
  }

  it('are plain without a key, sealed by the first start with one, and leave no plain byte behind', async () => {
    const access = await start(NONE)
    const person = { email: 'ada@example.com', password: 'correct horse battery', address: '::1' }
    const grant = await access.signIn.register(person)
    await access.close()
    const [plain] = await stored()
    const { d } = JSON.parse(plain!) as { readonly d: string }
    expect(await isOnDisk(d)).toBe(true)
    const sealed = await start({ current: FIRST, previous: null })
    expect([await stored(), await isOnDisk(d)]).toEqual([[expect.stringMatching(/^sealed:v1:/)], false])
    // It is the same key: sessions go on, and new ones begin.
    expect(await sealed.sessions.verify(grant.accessToken)).toMatchObject({ userId: grant.user.id })
    expect(await sealed.signIn.login(person)).toBeDefined()
    await sealed.close()
  })

  it('are sealed again by the next key, and plain again without one, when the previous key is given', async () => {
    await (await start({ current: FIRST, previous: null })).close()
    const [first] = await stored()
    await (await start({ current: SECOND, previous: FIRST })).close()
    const [second] = await stored()
    expect(second!.split(':')[2]).not.toBe(first!.split(':')[2])
    await (await start({ current: SECOND, previous: null })).close()
    await (await start({ current: null, previous: SECOND })).close()
    expect((await stored())[0]).toMatch(/^\{/)
  })

  it('keep the service from starting with another key or none', async () => {
    await (await start({ current: FIRST, previous: null })).close()
    await expect(start({ current: SECOND, previous: null })).rejects.toThrow('sealed by the secrets key')
    await expect(start(NONE)).rejects.toThrow('secrets_key is not set')
    await (await start({ current: FIRST, previous: null })).close()
  })

  it('of a rotation are sealed too', async () => {
    const access = await start({ current: FIRST, previous: null })
    clock.pass(31 * 86_400_000)
    await access.housekeeping()
    await access.close()
    const all = await stored()
    expect([all.length, all.every(text => text.startsWith('sealed:'))]).toEqual([2, true])
  })

  it('are purged by the next start when a crash came between sealing and purging', async () => {
    await (await start(NONE)).close()
    const { d } = JSON.parse((await stored())[0]!) as { readonly d: string }
    const purge = store.purge.bind(store)
    store.purge = () => Promise.reject(new Error('killed'))
    await expect(start({ current: FIRST, previous: null })).rejects.toThrow('killed')
    store.purge = purge
    await (await start({ current: FIRST, previous: null })).close()
    expect(await isOnDisk(d)).toBe(false)
  })
})
