import { appendFile, rename, truncate, writeFile } from 'node:fs/promises'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import type { FileSource } from '../../agent/src/config/config.js'
import type { Line } from '../../agent/src/files/line-splitter.js'
import { LIMITS } from '../../agent/src/limits.js'
import { LinePattern } from '../../agent/src/line-pattern/line-pattern.js'
import { seededRandom } from '../../bench/generate/random.js'
import { openTempFolder } from '../support/temp-folder.js'
import { FollowedFolder } from './followed-folder.js'
import { itemsOfLines } from './items-of-lines.js'

const START = new LinePattern('^\\d')
const SEALED_MS = Date.UTC(2026, 0, 1)

function line(text: string, marks: Partial<Line> = {}): Line {
  return { text, bytes: text.length + 1, isPartial: false, isTruncated: false, ...marks }
}

function itemsOf(lines: readonly Line[], source: Partial<FileSource> = {}) {
  const file = { path: '/a', service: null, format: 'plain', startAt: 'end', exclude: [], level: null, tags: {} } as const
  return itemsOfLines(lines, { ...file, multiline: { start: START }, ...source }, SEALED_MS)
}

const messages = (written: readonly string[], source: Partial<FileSource> = {}): readonly string[] =>
  itemsOf(
    written.map(text => line(text)),
    source
  ).map(({ message }) => message)

describe('records of several lines', () => {
  it('begin with a line that has the pattern', () => {
    expect(messages(['1 failed', '\tat f', '\tat g', '2 ok', '3 failed', 'Caused by: x'])).toEqual([
      '1 failed\n\tat f\n\tat g',
      '2 ok',
      '3 failed\nCaused by: x'
    ])
  })

  it('keep blank lines between their lines, and lose those at their ends', () => {
    expect(messages(['', '', '1 a', '', 'b', '', '', '2 c', ''])).toEqual(['1 a\n\nb', '2 c'])
    expect(messages(['', ''])).toEqual([])
  })

  it('have the rest of a record that an earlier batch has as a record of its own', () => {
    expect(messages(['\tat f', '\tat g', '1 a'])).toEqual(['\tat f\n\tat g', '1 a'])
  })

  it('have the time of their first line', () => {
    const items = itemsOf(['1 a', 'b', '2 c'].map(text => line(text)))
    expect(items.map(({ timestamp }) => timestamp)).toEqual(['2026-01-01T00:00:00.000000000Z', '2026-01-01T00:00:00.000000002Z'])
  })

  it('have what their format has in the first line', () => {
    const start = { multiline: { start: new LinePattern('^time=') } }
    const items = itemsOf([line('time=2026-01-01T00:00:00Z level=error msg=failed'), line('\tat f')], {
      format: 'logfmt',
      ...start
    })
    expect(items).toEqual([{ message: 'failed\n\tat f', timestamp: '2026-01-01T00:00:00Z', level: 'error' }])
    const json = { format: 'json', multiline: { start: new LinePattern('^\\{') } } as const
    expect(messages(['{', '  "msg": "a"', '}', '{', '}'], json)).toEqual(['{\n  "msg": "a"\n}', '{\n}'])
  })

  it('are cut at the limits of lines and bytes, and marked', () => {
    const many = ['1', ...Array.from({ length: LIMITS.recordLines }, (_, i) => `at ${i}`)].map(text => line(text))
    const [first, rest, ...others] = itemsOf(many)
    expect([first!.message.split('\n').length, first!.log_fields]).toEqual([LIMITS.recordLines, { _partial: true }])
    expect([rest, others]).toEqual([expect.objectContaining({ message: `at ${LIMITS.recordLines - 1}` }), []])
    const half = 'x'.repeat(LIMITS.recordBytes / 2 - 1)
    expect(itemsOf([line('1', { bytes: 0 }), line(half), line(half)])).toHaveLength(1)
    expect(itemsOf([line('1', { bytes: 1 }), line(half), line(half)])).toHaveLength(2)
  })

  it('are marked when one of their lines was cut, and when the file ended within the last one', () => {
    expect(itemsOf([line('1'), line('b', { isTruncated: true }), line('c', { isPartial: true })])).toMatchObject([
      { message: '1\nb\nc', log_fields: { _truncated: true, _partial: true } }
    ])
  })
})

describe('lines of a container runtime', () => {
  const cri = (tag: string, message: string, output = 'stdout'): string => `2026-01-01T00:00:00Z ${output} ${tag} ${message}`
  const ofCri = (written: readonly string[], multiline: FileSource['multiline'] = null) =>
    itemsOf(
      written.map(text => line(text)),
      { format: 'cri', multiline }
    )

  it('are joined where they are parts of one', () => {
    expect(ofCri([cri('P', 'a '), cri('P', 'b'), cri('F', 'c'), cri('F', 'd')])).toMatchObject([
      { message: 'a bc', log_fields: { stream: 'stdout' } },
      { message: 'd', log_fields: { stream: 'stdout' } }
    ])
    expect(ofCri([cri('P', 'a'), cri('F', '')])).toEqual([expect.objectContaining({ message: 'a' })])
    expect(ofCri([cri('P', 'a'), cri('F', 'b')])[0]!.log_fields).toEqual({ stream: 'stdout' })
  })

  it('are marked where the rest is not behind them', () => {
    expect(ofCri([cri('P', 'a'), cri('F', 'b', 'stderr'), cri('F', 'c')])).toMatchObject([
      { message: 'a', log_fields: { stream: 'stdout', _partial: true } },
      { message: 'b', log_fields: { stream: 'stderr' } },
      { message: 'c', log_fields: { stream: 'stdout' } }
    ])
    expect(ofCri([cri('P', 'a'), cri('P', 'b')])).toMatchObject([{ message: 'ab', log_fields: { _partial: true } }])
  })

  it('make records of several lines by their messages', () => {
    const written = [cri('P', '1 a'), cri('F', 'b'), cri('F', '\tat f'), 'of no runtime', cri('F', ''), cri('F', '2 c')]
    expect(ofCri(written, { start: START }).map(({ message }) => message)).toEqual(['1 ab\n\tat f\nof no runtime', '2 c'])
  })
})

describe('a file with records of several lines', () => {
  let temp: Awaited<ReturnType<typeof openTempFolder>>
  let agent: FollowedFolder
  let log: string
  beforeEach(async () => {
    temp = await openTempFolder()
    agent = new FollowedFolder(temp.path, { multiline: { start: START } })
    log = agent.path('a.log')
  })
  afterEach(async () => {
    await agent.crash().catch(() => undefined)
    await temp.remove()
    expect(agent.sentUnsynced).toBe(0)
  })
  const stored = (): readonly string[] => agent.batches.flatMap(lines => itemsOf(lines)).map(({ message }) => message)

  it('is sent up to the record that may go on, and that when the next one begins', async () => {
    await writeFile(log, '1 a\n\tat f\n2 b\n')
    await agent.start()
    expect(agent.lines).toEqual([['1 a', '\tat f']])
    await appendFile(log, '\tat g\n3')
    await agent.settle()
    expect(agent.lines).toEqual([['1 a', '\tat f']])
    await appendFile(log, ' c\n')
    await agent.settle()
    expect(agent.lines).toEqual([['1 a', '\tat f', '2 b', '\tat g']])
  })

  it('is sent to its end when it is quiet', async () => {
    await writeFile(log, '1 a\n\tat f\n')
    await agent.start()
    agent.nowMs += LIMITS.recordWaitMs - 1
    await agent.settle()
    expect(agent.lines).toEqual([])
    agent.nowMs += 1
    await agent.settle()
    expect(agent.lines).toEqual([['1 a', '\tat f']])
  })

  it('is read again from the record that was not sent after a crash', async () => {
    await writeFile(log, '1 a\n2 b\n\tat f\n')
    await agent.start()
    await agent.crash()
    await appendFile(log, '\tat g\n3 c\n')
    await agent.start()
    expect(stored()).toEqual(['1 a', '2 b\n\tat f\n\tat g'])
  })

  it('is sent to its end when it was rotated', async () => {
    await writeFile(log, '1 a\n\tat f\n')
    await agent.start()
    await rename(log, agent.path('a.log.1'))
    await appendFile(agent.path('a.log.1'), '\tat g')
    await writeFile(log, '2 b\n')
    await agent.pass()
    expect(stored()).toEqual(['1 a\n\tat f\n\tat g', '2 b'])
  })

  it('is sent as far as it was read when it is truncated', async () => {
    await writeFile(log, '1 a\n2 b\n\tat f\n')
    await agent.start()
    await truncate(log)
    await appendFile(log, '3 c\n')
    await agent.pass()
    expect(stored().toSorted()).toEqual(['1 a', '2 b\n\tat f', '3 c'])
  })

  it('is divided between records when a batch is too large', async () => {
    agent.maxLines = 4
    await writeFile(log, '1 a\n\tat f\n\tat g\n\tat h\n2 b\n3 c\n')
    await agent.start()
    expect(agent.batches.map(lines => lines.map(({ text }) => text))).toEqual([['1 a', '\tat f', '\tat g', '\tat h'], ['2 b']])
    agent.maxLines = 2
    await appendFile(log, '\tat f\n\tat g\n4 d\n')
    await agent.settle()
    expect(stored()).toEqual(['1 a\n\tat f\n\tat g\n\tat h', '2 b', '3 c', '\tat f\n\tat g'])
  })

  it('is sent when a record has more lines than a batch', async () => {
    await writeFile(log, `1 a\n${'\tat f\n'.repeat(25)}2 b\n3 c\n`)
    await agent.start()
    expect(agent.lines[0]).toHaveLength(27)
    expect(agent.batches.map(({ length }) => length)).toEqual([10, 10, 7])
  })

  it('has each line once, and no record is cut, over crashes at any time', async () => {
    const random = seededRandom(7)
    const expected: string[] = []
    let written = ''
    agent.nowMs = Date.now()
    await writeFile(log, '')
    await agent.start()
    for (let i = 0; i < 120; i++) {
      const record = [
        `${i} begins`,
        ...Array.from({ length: random.below(7) }, (_, n) => `\tat ${i}.${n} ${'é'.repeat(random.below(60))}`)
      ]
      expected.push(record.join('\n'))
      written += `${record.join('\n')}\n`
      if (random.below(3) > 0) continue
      const cut = random.below(written.length)
      await appendFile(log, written.slice(0, cut))
      written = written.slice(cut)
      await agent.settle()
      if (random.below(4) > 0) continue
      agent.losesResponses = random.below(2) === 0
      await agent.settle()
      await agent.crash()
      agent.losesResponses = false
      await agent.start()
    }
    await appendFile(log, `${written}999 end\n`)
    await agent.settle()
    expect(stored()).toEqual(expected)
  })
})
