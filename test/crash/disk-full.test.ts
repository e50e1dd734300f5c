import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { openTempFolder } from '../support/temp-folder.js'
import { CrashSite, TINY_LIMITS } from './crash-site.js'
import { countMessages } from './recount.js'

const DISK_MIB = 28
const BALLAST_MIB = 8
const MAX_BATCHES = 2_000
const LOGS_PER_BATCH = 200
// Random, since a segment of repeated text would take no room.
const PADDING_BYTES = 900

/** A disk of its own that can be full: needs the right to mount. */
function mountSmallDisk(path: string): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MIB}m`, 'tmpfs', path], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

async function probeMount(): Promise<boolean> {
  const folder = await openTempFolder()
  const isMounted = mountSmallDisk(folder.path)
  if (isMounted) execFileSync('umount', ['-l', folder.path])
  await folder.remove()
  return isMounted
}

interface Outcome {
  readonly status: number
  readonly code: string | null
  readonly retryAfter: string | null
}

/** Sends logs that take room and remembers which were acknowledged. */
class Filler {
  readonly acked: string[] = []
  #site: CrashSite

  constructor(site: CrashSite) {
    this.#site = site
  }

  async send(batch: string): Promise<Outcome> {
    const messages = Array.from({ length: LOGS_PER_BATCH }, (_, i) => `full ${batch} ${i}`)
    const logs = messages.map(message => ({
      message,
      service: 'full',
      log_fields: { padding: randomBytes(PADDING_BYTES).toString('base64') }
    }))
    const reply = await fetch(`${this.#site.service.url}/api/v1/logs/batch`, {
      method: 'POST',
      headers: { 'x-api-key': this.#site.target.apiKey, 'content-type': 'application/json' },
      body: JSON.stringify({ logs })
    })
    const response = (await reply.json()) as { code?: string }
    if (reply.status === 200) this.acked.push(...messages)
    return { status: reply.status, code: response.code ?? null, retryAfter: reply.headers.get('retry-after') }
  }

  /** The first response that is not an acknowledgement. */
  async fillUp(): Promise<Outcome> {
    for (let i = 0; i < MAX_BATCHES; i++) {
      const response = await this.send(`b${i}`)
      if (response.status !== 200) return response
    }
    throw new Error('the disk never filled up')
  }

  /** Acknowledged messages that are not there exactly once. */
  async lostOrDoubled(): Promise<string[]> {
    const counts = await countMessages(this.#site.session, 'full')
    return this.acked.filter(message => counts.get(message) !== 1)
  }
}

// Skipped, and counted as such in the last line of the run, where mounting is not allowed.
const describeWithMount = (await probeMount()) ? describe : describe.skip

describeWithMount('a full disk', () => {
  let folder: Awaited<ReturnType<typeof openTempFolder>>
  let site: CrashSite
  let filler: Filler

  beforeAll(async () => {
    folder = await openTempFolder()
    mountSmallDisk(folder.path)
    writeFileSync(join(folder.path, 'ballast'), Buffer.alloc(BALLAST_MIB * 1024 * 1024, 1))
    site = await CrashSite.open(join(folder.path, 'data'), { ...TINY_LIMITS, sealRows: 4_000, sealBytes: 4_000_000 })
    filler = new Filler(site)
  }, 60_000)
  afterAll(async () => {
    await site?.service.stop()
    execFileSync('umount', ['-l', folder.path])
    await folder.remove()
  }, 60_000)

  it('gets storage_full and a time to come back', async () => {
    const response = await filler.fillUp()
    expect([response.status, response.code]).toEqual([503, 'storage_full'])
    expect(Number(response.retryAfter)).toBeGreaterThan(0)
  }, 60_000)

  it('leaves the service alive and everything acknowledged readable', async () => {
    expect((await fetch(`${site.service.url}/health/live`)).status).toBe(200)
    expect(await filler.lostOrDoubled()).toEqual([])
  }, 60_000)

  it('is over as soon as there is room again, without a restart', async () => {
    rmSync(join(folder.path, 'ballast'))
    expect((await filler.send('after')).status).toBe(200)
    expect(await filler.lostOrDoubled()).toEqual([])
  }, 60_000)

  it('has lost nothing after a restart', async () => {
    await site.service.stop()
    await site.start()
    expect(await filler.lostOrDoubled()).toEqual([])
  }, 60_000)
})
