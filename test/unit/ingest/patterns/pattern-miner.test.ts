import { describe, expect, it } from '@jest/globals'
import { seededRandom } from '../../../../bench/generate/random.js'
import { mine } from '../../../../bench/patterns/mine.js'
import { type LogPattern, OVERFLOW_ID, type PatternMerge, templateText } from '../../../../src/domain/log-pattern.js'
import { MAX_HEAD } from '../../../../src/ingest/patterns/message-head.js'
import { PatternMiner, VARYING_WORDS } from '../../../../src/ingest/patterns/pattern-miner.js'
import { templateId } from '../../../../src/ingest/patterns/template.js'
import { templatesOf } from './templates.js'

const NAMES = ['anna', 'bert', 'carl', 'dora', 'emil', 'frida', 'gerd', 'hans', 'ines', 'jule']
const CITIES = ['oslo', 'rome', 'bern', 'kyiv', 'riga', 'cork', 'metz', 'graz', 'york', 'lodz']

function login(name: string): string {
  return `user ${name} logged in`
}

describe('ids', () => {
  it('name one template also where the head of a message ends within a character', () => {
    const miner = new PatternMiner({ limit: 10, seed: 1 })
    const start = `disk${' '.repeat(MAX_HEAD - 8)}`
    miner.idOf(`${start}abc\u{1f300} end`)
    miner.idOf(`${start}abc\u{1f600} end`)
    const { added } = miner.drain()
    expect(added.every(({ tokens }) => tokens.every(token => token.isWellFormed()))).toBe(true)
    expect(new Set(added.map(({ id }) => id)).size).toBe(added.length)
  })
})

describe('words that vary', () => {
  it('become a variable part with the fifth word, not with the fourth', () => {
    const four = NAMES.slice(0, VARYING_WORDS - 1).map(login)
    expect(templatesOf(four)).toEqual(four)
    const five = NAMES.slice(0, VARYING_WORDS).map(login)
    expect(new Set(templatesOf(five))).toEqual(new Set(['user <*> logged in']))
  })

  it('become one where another message has a number in their place', () => {
    expect(new Set(templatesOf(['size of cache is unknown', 'size of cache is 5']))).toEqual(new Set(['size of cache is <*>']))
  })

  it('stay apart where fewer than two other words are left', () => {
    const greetings = NAMES.map(name => `hello ${name}`)
    expect(templatesOf(greetings)).toEqual(greetings)
  })

  it('at the first place need three other words', () => {
    const short = NAMES.map(name => `${name} went home`)
    expect(templatesOf(short)).toEqual(short)
    expect(new Set(templatesOf(NAMES.map(name => `${name} went home early`)))).toEqual(new Set(['<*> went home early']))
  })

  it('at two places become two variable parts', () => {
    const messages = NAMES.flatMap(name => CITIES.map(city => `user ${name} moved from home to ${city} today`))
    expect(new Set(templatesOf(messages))).toEqual(new Set(['user <*> moved from home to <*> today']))
  })

  it('are not stored one by one once they vary', () => {
    const miner = new PatternMiner({ limit: 1000, seed: 1 })
    for (const name of NAMES) miner.idOf(login(name))
    const { size } = miner
    const ids = CITIES.map(name => miner.idOf(login(name)))
    expect(new Set(ids).size).toBe(1)
    expect(miner.size).toBe(size)
  })

  it('leave the kinds of a variable part as they were seen', () => {
    const miner = new PatternMiner({ limit: 10, seed: 1 })
    miner.idOf('peer 10.1.2.3 is gone')
    const [pattern] = miner.drain().added
    expect(templateText(pattern!)).toBe('peer <ip> is gone')
    expect(miner.idOf('peer 7 is gone')).toBe(pattern!.id)
    expect(templateText(pattern!)).toBe('peer <*> is gone')
  })
})

describe('ids', () => {
  const random = seededRandom(11)
  const verbs = ['opened', 'closed', 'moved', 'lost', 'found', 'sold', 'kept']
  const messages = Array.from({ length: 2000 }, () =>
    random.pick([
      () => `user ${random.pick(NAMES)} ${random.pick(verbs)} item ${random.below(99)} in ${random.pick(CITIES)} store`,
      () => `shop ${random.pick(CITIES)} ${random.pick(['opens', 'shuts'])} at ${random.below(24)} o'clock sharp`,
      () => `${random.pick(NAMES)} failed to reach ${random.pick(['the bank', '10.0.0.1', 'no one'])}: timed out`,
      () => `job ${random.pick([...NAMES, ...CITIES])} done`
    ])()
  )

  it('do not depend on the order of messages or on restarts', () => {
    const { ids } = mine(messages)
    for (let seed = 1; seed <= 10; seed++) {
      const shuffle = seededRandom(seed)
      const order = messages.map((_, i) => [shuffle.next(), i] as const).toSorted((a, b) => a[0] - b[0])
      const again = mine(messages, { order: order.map(([, i]) => i), ...(seed > 5 ? { restartEvery: 500 } : {}) })
      const same = ids.filter((id, i) => again.ids[i] === id).length
      expect(same / ids.length).toBeGreaterThanOrEqual(0.97)
    }
  })

  it('are those of their templates, and each is explained by what was drained', () => {
    const { stored, patterns } = mine(messages)
    for (const id of stored) expect(patterns.has(id)).toBe(true)
    for (const { id, tokens } of patterns.values()) expect(id).toBe(templateId(tokens))
  })

  it('are those of another miner that was restored, which reports nothing new', () => {
    const first = new PatternMiner({ limit: 1000, seed: 1 })
    for (const message of messages) first.idOf(message)
    const { added, merges } = first.drain()
    const second = new PatternMiner({ limit: 1000, seed: 2 })
    second.restore(added, merges)
    expect(second.hasChanges).toBe(false)
    for (const message of messages) expect(second.idOf(message)).toBe(first.idOf(message))
    expect(second.hasChanges).toBe(false)
  })

  it('of two miners agree once each knows the merges of both', () => {
    const half = messages.length / 2
    const miners = [messages.slice(0, half), messages.slice(half)].map(part => {
      const miner = new PatternMiner({ limit: 1000, seed: 1 })
      for (const message of part) miner.idOf(message)
      return miner.drain()
    })
    const added = new Map<string, LogPattern>(miners.flatMap(changes => changes.added.map(pattern => [pattern.id, pattern])))
    const merges: PatternMerge[] = miners.flatMap(changes => [...changes.merges])
    const joined = new PatternMiner({ limit: 1000, seed: 3 })
    joined.restore([...added.values()], merges)
    const { ids } = mine(messages)
    const same = messages.filter((message, i) => joined.idOf(message) === ids[i]).length
    expect(same / messages.length).toBeGreaterThanOrEqual(0.97)
  })
})

describe('the limit', () => {
  it('gives messages beyond it the overflow pattern, and keeps the patterns before it', () => {
    const miner = new PatternMiner({ limit: 100, seed: 1 })
    const random = seededRandom(5)
    const word = (): string => random.hex(4).replaceAll(/\d/g, digit => 'ghijklmnop'[Number(digit)]!)
    const heads = Array.from({ length: 300 }, () => `${word()} ${word()} ${word()} ${word()}`)
    const ids = heads.map(head => miner.idOf(head))
    expect(ids.slice(0, 100)).not.toContain(OVERFLOW_ID)
    expect(new Set(ids.slice(100))).toEqual(new Set([OVERFLOW_ID]))
    expect(miner.size).toBe(100)
    expect(miner.overflowed).toBe(200)
    expect(heads.slice(0, 100).map(head => miner.idOf(head))).toEqual(ids.slice(0, 100))
  })
})
