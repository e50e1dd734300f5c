import { appendFile, copyFile, readFile, rename, rm, truncate, utimes, writeFile } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from '@jest/globals'
import { type Random, seededRandom } from '../../bench/generate/random.js'
import { openTempFolder } from '../support/temp-folder.js'
import { FollowedFolder } from './followed-folder.js'

/** The same in every file, and longer than the head by which a file could be taken for another one. */
const BANNER = Array.from({ length: 7 }, (_, i) => `# line ${i} of every file ${'='.repeat(220)}\n`).join('')
const STEPS = 60
const SEEDS = Array.from({ length: 10 }, (_, i) => i)

/** Writes numbered lines into one file and rotates it, at the times of the agent's clock. */
class Writer {
  readonly #agent: FollowedFolder
  readonly #random: Random
  readonly #later: { readonly atMs: number; readonly path: string }[] = []
  #file = 0
  #next = 0
  #rotations = 0
  readonly lines: string[] = []

  constructor(agent: FollowedFolder, random: Random) {
    this.#agent = agent
    this.#random = random
  }

  get #path(): string {
    return this.#agent.path('a.log')
  }

  async begin(): Promise<void> {
    this.#file++
    this.#next = 0
    await this.#add(this.#path, BANNER)
  }

  async write(): Promise<void> {
    for (const one of this.#later.filter(({ atMs }) => atMs <= this.#agent.nowMs)) await this.#compress(one.path)
    if (this.#next === 0 || this.#random.next() < 0.75) await this.#burst(this.#path)
    else await this.#rotate()
  }

  async #add(path: string, text: string): Promise<void> {
    await appendFile(path, text)
    await this.#touch(path)
  }

  async #touch(path: string): Promise<void> {
    const now = new Date(this.#agent.nowMs)
    await utimes(path, now, now)
  }

  async #burst(path: string): Promise<void> {
    const added = Array.from({ length: 1 + this.#random.below(12) }, () => {
      return `file ${this.#file} line ${this.#next++} ${this.#random.hex(8 + this.#random.below(60))}`
    })
    this.lines.push(...added)
    await this.#add(path, added.map(line => `${line}\n`).join(''))
  }

  async #compress(path: string): Promise<void> {
    const at = this.#later.findIndex(one => one.path === path)
    if (at >= 0) this.#later.splice(at, 1)
    await writeFile(`${path}.gz`, gzipSync(await readFile(path)))
    await this.#touch(`${path}.gz`)
    await rm(path)
  }

  async #rotate(): Promise<void> {
    const to = `${this.#path}.${++this.#rotations}`
    const how = this.#random.pick(['copy', 'rename', 'late', 'compress', 'compress-later'])
    if (how === 'copy') {
      await copyFile(this.#path, to)
      await this.#touch(to)
      await truncate(this.#path, 0)
      return this.begin()
    }
    await rename(this.#path, to)
    if (how === 'late') await this.#burst(to)
    if (how === 'compress') await this.#compress(to)
    if (how === 'compress-later') this.#later.push({ atMs: this.#agent.nowMs + this.#random.below(10_000), path: to })
    return this.begin()
  }
}

/** The service, which may respond late. */
class Responses {
  readonly #agent: FollowedFolder
  #respond: (() => void) | null = null

  constructor(agent: FollowedFolder) {
    this.#agent = agent
  }

  hold(): void {
    if (this.#respond === null) this.#agent.outage = new Promise(resolve => (this.#respond = resolve))
  }

  release(): void {
    this.#agent.outage = null
    this.#respond?.()
    this.#respond = null
  }
}

/** Kills the agent, with or without its last responses and its state folder, and writes while it is down. */
async function kill(agent: FollowedFolder, writer: Writer, random: Random): Promise<void> {
  agent.losesResponses = random.next() < 0.5
  await agent.crash()
  agent.losesResponses = false
  const isLost = random.next() < 0.4
  if (isLost) await rm(agent.path('state'), { recursive: true })
  for (let i = random.below(5); i > 0; i--) {
    agent.nowMs += random.below(1_500)
    await writer.write()
  }
  await agent.begin(isLost ? agent.ledger : [])
}

async function run(agent: FollowedFolder, random: Random): Promise<readonly string[]> {
  const writer = new Writer(agent, random)
  const responses = new Responses(agent)
  await writer.begin()
  await agent.start()
  for (let step = 0; step < STEPS; step++) {
    const chance = random.next()
    if (chance < 0.35) await writer.write()
    else if (chance < 0.65) for (let i = random.below(4); i >= 0; i--) await agent.round()
    else if (chance < 0.75) responses.hold()
    else responses.release()
    agent.nowMs += random.below(3_000)
    if (random.next() > 0.1) continue
    responses.release()
    await kill(agent, writer, random)
  }
  responses.release()
  await agent.pass(20)
  await agent.crash()
  return writer.lines
}

describe('files that are rotated while the agent is killed and loses its state', () => {
  it.each(SEEDS)('are stored line by line, each once (seed %d)', async seed => {
    const temp = await openTempFolder()
    try {
      const agent = new FollowedFolder(temp.path)
      const written = await run(agent, seededRandom(seed))
      const stored = agent.lines.flat().filter(line => !line.startsWith('#'))
      expect(stored.toSorted()).toEqual(written.toSorted())
      expect(agent.sentUnsynced).toBe(0)
    } finally {
      await temp.remove()
    }
  })
})
