/** Where an entry is in a journal: the id of a numbering, and its number in it. */
export interface JournalPlace {
  readonly sequence: string
  readonly number: number
}

/** An entry of the system journal. */
export interface JournalEntry extends JournalPlace {
  /** As journalctl takes it. */
  readonly cursor: string
  /** Its fields that are sent as JSON, the same each time it is read. */
  readonly text: string
}

const CURSOR = /^s=([0-9a-f]{32});i=([0-9a-f]{1,13})(?:;|$)/
/** Of fields that journald adds; those of programs have no underscore. */
const TRUSTED: ReadonlySet<string> = new Set([
  '__REALTIME_TIMESTAMP',
  '_SOURCE_REALTIME_TIMESTAMP',
  '_HOSTNAME',
  '_SYSTEMD_UNIT',
  '_COMM',
  '_PID',
  '_UID',
  '_TRANSPORT'
])

/** Null for a text that is not a cursor with a numbering. */
export function parseCursor(cursor: string): JournalPlace | null {
  const [, sequence, number] = CURSOR.exec(cursor) ?? []
  return sequence === undefined ? null : { sequence, number: Number.parseInt(number!, 16) }
}

/** A cursor of which journalctl finds the entry while its numbering is there. */
export function cursorOf({ sequence, number }: JournalPlace): string {
  return `s=${sequence};i=${number.toString(16)}`
}

function parseFields(line: string): Readonly<Record<string, unknown>> | null {
  try {
    return JSON.parse(line) as Record<string, unknown> | null
  } catch {
    // The follower makes a gap of what is not an entry.
    return null
  }
}

/** An entry of `journalctl -o json`, whose fields come in any order; null for a line that is not one. */
export function parseEntry(line: string): JournalEntry | null {
  const fields = parseFields(line)
  if (fields === null) return null
  const cursor = fields['__CURSOR']
  const place = typeof cursor === 'string' ? parseCursor(cursor) : null
  if (place === null) return null
  const names = Object.keys(fields).filter(name => !name.startsWith('_') || TRUSTED.has(name))
  const text = JSON.stringify(Object.fromEntries(names.sort().map(name => [name, fields[name]])))
  return { ...place, cursor: cursor as string, text }
}
