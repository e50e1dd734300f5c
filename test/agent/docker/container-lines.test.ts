import { describe, expect, it } from '@jest/globals'
import { type ContainerLine, lineDecoder } from '../../../agent/src/docker/container-lines.js'
import { LIMITS } from '../../../agent/src/limits.js'
import { at, framed } from './fake-docker.js'

const PART = 'x'.repeat(16 * 1024)

/** Lines of a log that comes in chunks of a size. */
function decode(bytes: Buffer, isTty: boolean, size = bytes.length): readonly ContainerLine[] {
  const decoder = lineDecoder(isTty)
  const lines: ContainerLine[] = []
  for (let from = 0; from < bytes.length; from += size) lines.push(...decoder(bytes.subarray(from, from + size)))
  return lines
}

function log(isTty: boolean, ...messages: readonly string[]): Buffer {
  return Buffer.concat(messages.map((text, i) => framed({ time: at(i), output: 'stdout', text }, isTty)))
}

const messagesOf = (lines: readonly ContainerLine[]): readonly string[] => lines.map(({ text }) => text.slice(at(0).length + 10))

describe.each([
  ['with frames', false],
  ['of a terminal', true]
])('a log %s', (_, isTty) => {
  it.each([1, 3, 7, 1_000])('is the same in chunks of %d bytes', size => {
    const lines = decode(log(isTty, 'one\n', '\n', 'zwölf\r\n', 'half'), isTty, size)
    expect(messagesOf(lines)).toEqual(['one', '', 'zwölf'])
    expect(lines.map(({ time }) => time)).toEqual([at(0), at(1), at(2)])
  })

  it('joins the parts of a long line', () => {
    const lines = decode(log(isTty, PART, PART, 'end\n', 'next\n'), isTty, 999)
    expect(messagesOf(lines)).toEqual([`${PART}${PART}end`, 'next'])
    expect(lines.map(({ time }) => time)).toEqual([at(0), at(3)])
  })

  it('cuts a line at its limit, in parts or not', () => {
    const parts = LIMITS.lineBytes / PART.length + 3
    const lines = decode(log(isTty, ...Array<string>(parts).fill(PART), 'end\n', 'next\n'), isTty)
    expect(lines.map(({ isTruncated }) => isTruncated)).toEqual([true, false])
    expect(lines[0]!.text.length).toBeLessThanOrEqual(LIMITS.lineBytes + 100)
    expect(messagesOf(lines)[1]).toBe('next')
  })
})

describe('frames', () => {
  it('of two outputs are joined apart', () => {
    const entry = (output: 'stdout' | 'stderr', text: string): Buffer => framed({ time: at(1), output, text }, false)
    const lines = decode(Buffer.concat([entry('stdout', 'out '), entry('stderr', 'err\n'), entry('stdout', 'put\n')]), false)
    expect(lines.map(({ text }) => text)).toEqual([`${at(1)} stderr F err`, `${at(1)} stdout F out put`])
  })

  it('of a hundred megabytes are a line of the greatest length', () => {
    const header = Buffer.from([1, 0, 0, 0, 0, 0, 0, 0])
    const chunk = Buffer.alloc(1024 * 1024, 'x')
    header.writeUInt32BE(at(0).length + 1 + 100 * chunk.length, 4)
    const decoder = lineDecoder(false)
    decoder(Buffer.concat([header, Buffer.from(`${at(0)} `)]))
    for (let i = 0; i < 100; i++) expect(decoder(chunk)).toEqual([])
    const [line] = decoder(log(false, '\n'))
    expect(line).toMatchObject({ time: at(0), isTruncated: true })
    expect(line!.text.length).toBeLessThanOrEqual(LIMITS.lineBytes + 100)
  })

  it('with the end of a line that is longer than a line may be are one line', () => {
    const text = `${'y'.repeat(LIMITS.lineBytes + 1_000)}\n`
    const lines = decode(log(false, text, 'next\n'), false, 65_536)
    expect(lines.map(({ isTruncated }) => isTruncated)).toEqual([true, false])
  })

  it('may be empty', () => {
    expect(messagesOf(decode(Buffer.concat([Buffer.from([1, 0, 0, 0, 0, 0, 0, 0]), log(false, 'a\n')]), false))).toEqual(['a'])
  })

  it.each([
    ['of an unknown kind', Buffer.from([9, 0, 0, 0, 0, 0, 0, 1, 97])],
    ['in whose place are lines', Buffer.from('plain text\n')]
  ])('%s end the log', (_, bytes) => {
    expect(() => decode(bytes, false)).toThrow(/no frame/)
  })
})
