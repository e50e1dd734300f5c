import { spawn } from 'node:child_process'
import { LIMITS } from '../limits.js'
import { type Line, LineSplitter } from '../files/line-splitter.js'
import { type JournalEntry, parseEntry } from './journal-entry.js'

/** Entries of one read, in order; null for one that is too large or damaged. */
export type JournalChunk = readonly (JournalEntry | null)[]

/** Reads the system journal. */
export interface JournalReader {
  /**
   * Entries from a cursor on, the one at the cursor included, and those that come, until the signal. Ends when the reader
   * ends. Rejects when it cannot be run. @param cursor empty: from the beginning.
   */
  follow(cursor: string, signal: AbortSignal): AsyncIterable<JournalChunk>
  /** The latest entry; null for an empty journal. */
  last(signal: AbortSignal): Promise<JournalEntry | null>
}

const MAX_STDERR_CHARS = 300

/** Runs `journalctl`. Rejects when it cannot be run and when it fails. */
async function* run(args: readonly string[], signal: AbortSignal): AsyncGenerator<JournalChunk> {
  const child = spawn('journalctl', ['--output=json', '--all', '--quiet', '--no-pager', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    signal
  })
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr = (stderr + text).slice(0, MAX_STDERR_CHARS)))
  const ended = new Promise<number | null>((resolve, reject) => child.once('error', reject).once('close', resolve))
  // It is awaited after the output.
  ended.catch(() => undefined)
  const splitter = new LineSplitter(LIMITS.journalEntryBytes)
  for await (const bytes of child.stdout as AsyncIterable<Buffer>) {
    const lines: Line[] = []
    splitter.push(bytes, lines)
    if (lines.length > 0) yield lines.map(({ text, isTruncated }) => (isTruncated ? null : parseEntry(text)))
  }
  const code = await ended
  if (code !== 0) throw new Error(`journalctl ended with ${code}: ${stderr.trim()}`)
}

/** The journal of this machine. @param namespace of journald; null: the default one. */
export function journalctl(namespace: string | null): JournalReader {
  const place = namespace === null ? [] : [`--namespace=${namespace}`]
  return {
    follow: (cursor, signal) => {
      const from = cursor === '' ? [] : [`--cursor=${cursor}`]
      return run([...place, '--follow', '--no-tail', ...from], signal)
    },
    last: async signal => {
      let last: JournalEntry | null = null
      for await (const entries of run([...place, '--lines=1'], signal)) last = entries.at(-1) ?? last
      return last
    }
  }
}
