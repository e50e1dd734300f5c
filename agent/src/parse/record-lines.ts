import type { FileSource } from '../config/config.js'
import type { Line } from '../files/line-splitter.js'
import { LIMITS } from '../limits.js'
import { asWhole, messageOfCri, outputOfPart } from './cri.js'

/** Whether a line is the first one of a record. @param before the line before it; null when that is not known. */
export type BeginsRecord = (text: string, before: string | null) => boolean

/** The lines of a record as one. */
export interface RecordLines {
  /** Its first line, with the marks of all. */
  readonly line: Line
  /** Index of that line. */
  readonly index: number
  /** What its other lines add to the message. */
  readonly more: string
}

/** What decides which lines are a record. */
export type RecordSource = Pick<FileSource, 'format' | 'multiline'>

/** Runtimes cut long lines into parts, which may alternate with lines of the other output. */
function continuesPart(text: string, before: string | null): boolean {
  const output = before === null ? null : outputOfPart(before)
  return output !== null && text.startsWith(`${output} `, text.indexOf(' ') + 1)
}

/** How the lines of a source make records; null where each line is one. */
export function recordRule({ format, multiline }: RecordSource): BeginsRecord | null {
  const start = multiline?.start
  if (format !== 'cri') return start === undefined ? null : text => start.matches(text)
  const isStart = (text: string): boolean => start === undefined || start.matches(messageOfCri(text) ?? text)
  return (text, before) => !continuesPart(text, before) && isStart(text)
}

function messageOf(text: string, { format }: RecordSource): string {
  return format === 'cri' ? (messageOfCri(text) ?? text) : text
}

/** A record to which lines are added. */
class OpenRecord {
  readonly #source: RecordSource
  readonly #index: number
  #line: Line
  #more = ''
  #bytes: number
  #count = 1
  #last: string

  constructor(source: RecordSource, line: Line, index: number) {
    this.#source = source
    this.#index = index
    this.#line = line
    this.#bytes = line.bytes
    this.#last = line.text
  }

  get last(): string {
    return this.#last
  }

  /** Blank lines at the beginning of a batch belong to no record. */
  get isBlank(): boolean {
    return this.#count === 1 && this.#line.text === ''
  }

  hasRoomFor({ bytes }: Line): boolean {
    return this.#count < LIMITS.recordLines && this.#bytes + bytes <= LIMITS.recordBytes
  }

  add({ text, bytes, isPartial, isTruncated }: Line): void {
    const isPart = this.#source.format === 'cri' && continuesPart(text, this.#last)
    this.#more += `${isPart ? '' : '\n'}${messageOf(text, this.#source)}`
    this.#line = { ...this.#line, isPartial, isTruncated: this.#line.isTruncated || isTruncated }
    this.#bytes += bytes
    this.#count++
    this.#last = text
  }

  /** @param isCut the next line belongs to it, too. */
  end(isCut = false): RecordLines {
    const isWhole = this.#source.format === 'cri' && this.#count > 1 && outputOfPart(this.#last) === null
    const text = isWhole ? asWhole(this.#line.text) : this.#line.text
    const line = { ...this.#line, text, isPartial: this.#line.isPartial || isCut }
    return { line, index: this.#index, more: this.#more.replace(/\n+$/, '') }
  }
}

/** Joins the lines of a batch, the same each time; a batch begins with a record, or with the rest of one. */
export function joinLines(lines: readonly Line[], source: RecordSource, begins: BeginsRecord): readonly RecordLines[] {
  const records: RecordLines[] = []
  let open: OpenRecord | null = null
  for (const [index, line] of lines.entries()) {
    const isNew: boolean = open === null || open.isBlank || begins(line.text, open.last)
    if (open !== null && !isNew && open.hasRoomFor(line)) {
      open.add(line)
      continue
    }
    if (open !== null) records.push(open.end(!isNew))
    open = new OpenRecord(source, line, index)
  }
  return open === null ? records : [...records, open.end()]
}

/** Index at which lines are divided in about halves, so that the lines of a record stay together where they can. */
export function middleOf(lines: readonly Line[], source: RecordSource): number {
  const begins = recordRule(source)
  const middle = Math.floor(lines.length / 2)
  if (begins === null) return middle
  for (let distance = 0; distance <= middle; distance++)
    for (const at of [middle - distance, middle + distance])
      if (at > 0 && at < lines.length && begins(lines[at]!.text, lines[at - 1]!.text)) return at
  return middle
}
