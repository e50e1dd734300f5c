import { LIMITS } from '../limits.js'
import { type Line, LineSplitter } from '../files/line-splitter.js'

/** A line that a container wrote. */
export interface ContainerLine {
  /** RFC 3339 in UTC with nine decimals: equal times are equal strings, and later ones are greater. */
  readonly time: string
  /** As a line of a file of a container runtime (`parseCri`). */
  readonly text: string
  readonly isTruncated: boolean
}

/** Takes the bytes of a log as they come, and returns the lines that they complete. */
export type LineDecoder = (chunk: Buffer) => readonly ContainerLine[]

type Output = 'stdout' | 'stderr'

const HEADER_BYTES = 8
/** Kinds of frames; what a container reads is reported as what it writes. The last is a message of the daemon. */
const OUTPUTS: readonly (Output | 'error')[] = ['stdout', 'stdout', 'stderr', 'error']
const TIME = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(?:\.(\d{1,9}))?Z ?/
const TIME_BYTES = 31
/** A longer line is several messages, each with its time. */
const MESSAGE_BYTES = 16 * 1024
const LF = 0x0a

interface Timed {
  readonly time: string
  readonly rest: string
}

/** The time before a message; null where it has none. */
function timed(text: string): Timed | null {
  const found = TIME.exec(text)
  return found === null ? null : { time: `${found[1]!}.${(found[2] ?? '').padEnd(9, '0')}Z`, rest: text.slice(found[0].length) }
}

function lineOf(time: string, output: Output, message: string, isTruncated: boolean): ContainerLine {
  const text = message.endsWith('\r') ? message.slice(0, -1) : message
  return { time, text: `${time} ${output} F ${text}`, isTruncated }
}

/** Joins the messages of one output to lines. */
class Joined {
  readonly #output: Output
  #time: string | null = null
  #text = ''
  #isTruncated = false

  constructor(output: Output) {
    this.#output = output
  }

  /** @param payload of a frame. @param isCut it was longer. */
  push(payload: Buffer, endsLine: boolean, isCut: boolean, lines: ContainerLine[]): void {
    const parts = payload.toString('utf8').split('\n')
    const hasEnd = endsLine && !isCut
    // Behind the last line feed there is nothing.
    if (hasEnd) parts.pop()
    for (const [i, part] of parts.entries()) {
      this.#add(part)
      if (i < parts.length - 1 || endsLine) this.#end(isCut && i === parts.length - 1, lines)
    }
    this.#isTruncated ||= isCut && !endsLine
  }

  #add(part: string): void {
    const found = timed(part)
    if (found === null && this.#time === null) throw new Error('a message of the log has no time')
    this.#time ??= found!.time
    const room = LIMITS.lineBytes - this.#text.length
    const rest = found?.rest ?? part
    if (rest.length > room) this.#isTruncated = true
    this.#text += rest.slice(0, room)
  }

  #end(isCut: boolean, lines: ContainerLine[]): void {
    lines.push(lineOf(this.#time!, this.#output, this.#text, this.#isTruncated || isCut))
    this.#time = null
    this.#text = ''
    this.#isTruncated = false
  }
}

/** Payload of the frame that is being read; of a long one, its beginning. */
class Frame {
  readonly output: Output | 'error'
  readonly #kept: Buffer[] = []
  #keptBytes = 0
  #left: number
  #last = 0

  constructor(header: Buffer) {
    const output = OUTPUTS[header[0]!]
    if (output === undefined || header[1] !== 0 || header[2] !== 0 || header[3] !== 0)
      throw new Error(`the log has no frame where one was expected (${header.toString('hex')})`)
    this.output = output
    this.#left = header.readUInt32BE(4)
    this.isCut = this.#left > LIMITS.lineBytes + TIME_BYTES
  }

  /** It is longer than a line may be. */
  readonly isCut: boolean

  get isWhole(): boolean {
    return this.#left === 0
  }

  get endsLine(): boolean {
    return this.#last === LF
  }

  get payload(): Buffer {
    return Buffer.concat(this.#kept)
  }

  /** Takes its part of a chunk; returns what is left. */
  take(chunk: Buffer): Buffer {
    const part = chunk.subarray(0, this.#left)
    const room = LIMITS.lineBytes + TIME_BYTES - this.#keptBytes
    if (room > 0) this.#kept.push(Buffer.from(part.subarray(0, room)))
    this.#keptBytes += Math.min(room, part.length)
    this.#left -= part.length
    if (part.length > 0) this.#last = part[part.length - 1]!
    return chunk.subarray(part.length)
  }
}

/** Decodes a log in frames: eight bytes with output and length before each message. Memory is bounded, whatever they claim. */
function framedLines(): LineDecoder {
  const joined = { stdout: new Joined('stdout'), stderr: new Joined('stderr') }
  let header: Buffer = Buffer.alloc(0)
  let frame: Frame | null = null
  return chunk => {
    const lines: ContainerLine[] = []
    for (let rest = chunk; rest.length > 0 || frame?.isWhole === true;) {
      if (frame === null) {
        const taken = rest.subarray(0, HEADER_BYTES - header.length)
        header = Buffer.concat([header, taken])
        rest = rest.subarray(taken.length)
        if (header.length < HEADER_BYTES) break
        frame = new Frame(header)
        header = Buffer.alloc(0)
      }
      rest = frame.take(rest)
      if (!frame.isWhole) break
      const { output, payload, endsLine, isCut }: Frame = frame
      frame = null
      if (output === 'error') throw new Error(`the daemon reports: ${payload.toString('utf8').slice(0, 300).trim()}`)
      if (payload.length > 0) joined[output].push(payload, endsLine, isCut, lines)
    }
    return lines
  }
}

/** The message of a line of a terminal, whose parts have times between them. */
function withoutTimes(message: string): string {
  let bytes = Buffer.from(message)
  if (bytes.length <= MESSAGE_BYTES) return message
  for (let at = MESSAGE_BYTES; at < bytes.length; at += MESSAGE_BYTES) {
    const found = TIME.exec(bytes.toString('latin1', at, at + TIME_BYTES))
    if (found === null) break
    bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + found[0].length)])
  }
  return bytes.toString('utf8')
}

/** Decodes the log of a container with a terminal: lines with their time. */
function terminalLines(): LineDecoder {
  const splitter = new LineSplitter(LIMITS.lineBytes + TIME_BYTES)
  return chunk => {
    const lines: Line[] = []
    splitter.push(chunk, lines)
    return lines.map(({ text, isTruncated }) => {
      const found = timed(text)
      if (found === null) throw new Error('a line of the log has no time')
      return lineOf(found.time, 'stdout', withoutTimes(found.rest), isTruncated)
    })
  }
}

/** @param isTty the container has a terminal: its log has no frames. */
export function lineDecoder(isTty: boolean): LineDecoder {
  return isTty ? terminalLines() : framedLines()
}
