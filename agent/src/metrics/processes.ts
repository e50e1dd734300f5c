import { gauge, type MetricPoint } from './metric-point.js'

const TICKS_PER_SECOND = 100
const STATUS: Readonly<Record<string, string>> = {
  R: 'running',
  S: 'sleeping',
  I: 'idle',
  D: 'blocked',
  Z: 'zombies',
  T: 'stopped',
  t: 'stopped'
}

/** Parent of the threads of the kernel. */
const KTHREADD = 2

/** Behind the name: state, parent; then the 14th and 15th field, 20th, 22nd and 24th. */
const FIELDS = /^(\S) (-?\d+) (?:\S+ ){9}(\d+) (\d+) (?:\S+ ){4}(-?\d+) \S+ (\d+) \S+ (-?\d+)(?:\s|$)/

/** What `/proc/<pid>/stat` has of a process. */
export interface ProcessStat {
  readonly pid: number
  readonly name: string
  readonly status: string
  /** Time on processors since its start, seconds. */
  readonly cpuSeconds: number
  readonly threads: number
  /** Ticks after the start of the system; distinguishes two processes of one pid. */
  readonly startedAt: number
  readonly pages: number
}

export interface Process extends ProcessStat {
  readonly user: string
  /** Null where this user may not know it. */
  readonly openFiles: number | null
}

/**
 * Null for a text that is not `/proc/<pid>/stat`. The name may have spaces and parentheses. That of a thread of the kernel is
 * its kind: `kworker/1:1H-kblockd` would be a series for each work queue.
 */
export function parseProcess(text: string): ProcessStat | null {
  const [open, close] = [text.indexOf('('), text.lastIndexOf(')')]
  if (open < 0 || close < open) return null
  const found = FIELDS.exec(text.slice(close + 2))
  if (found === null) return null
  const [, status = '', parent, user, system, threads, startedAt, pages] = found
  const name = text.slice(open + 1, close)
  const pid = Number(text.slice(0, open))
  if (!Number.isInteger(pid)) return null
  return {
    pid,
    name: Number(parent) === KTHREADD ? name.replace(/[/:].*$/s, '') : name,
    status: STATUS[status] ?? 'unknown',
    cpuSeconds: (Number(user) + Number(system)) / TICKS_PER_SECOND,
    threads: Number(threads),
    startedAt: Number(startedAt),
    pages: Number(pages)
  }
}

/** Names of users by their id, of `/etc/passwd`. */
export function parseUsers(text: string): ReadonlyMap<number, string> {
  const entries = text.split('\n').map(line => line.split(':'))
  return new Map(entries.filter(({ length }) => length > 2).map(([name, , id]) => [Number(id), name!]))
}

/** Processes of one name and user. */
interface Group {
  readonly process: string
  readonly user: string
  cpu: number
  pages: number
  threads: number
  /** Null when it is not known of each. */
  openFiles: number | null
}

type Use = Omit<Group, 'process' | 'user'>

function emptyGroup(process: string, user: string): Group {
  return { process, user, cpu: 0, pages: 0, threads: 0, openFiles: 0 }
}

function addTo(group: Group, { cpu, pages, threads, openFiles }: Use): void {
  group.cpu += cpu
  group.pages += pages
  group.threads += threads
  group.openFiles = group.openFiles === null || openFiles === null ? null : group.openFiles + openFiles
}

const keyOf = ({ pid, startedAt }: ProcessStat): string => `${pid} ${startedAt}`

function groupsOf(before: readonly Process[], now: readonly Process[], seconds: number): readonly Group[] {
  const earlier = new Map(before.map(process => [keyOf(process), process.cpuSeconds]))
  const groups = new Map<string, Group>()
  for (const process of now) {
    const { name, user, cpuSeconds, pages, threads, openFiles } = process
    const key = `${user} ${name}`
    const group = groups.get(key) ?? emptyGroup(name, user)
    groups.set(key, group)
    // One that was not there before spent all of its time since then.
    addTo(group, { cpu: (cpuSeconds - (earlier.get(keyOf(process)) ?? 0)) / seconds, pages, threads, openFiles })
  }
  return [...groups.values()]
}

/** What processes are read with. */
export interface ProcessRead {
  readonly processes: readonly Process[]
  /** Of a clock that does not jump, milliseconds. */
  readonly atMs: number
}

/**
 * Processes summed by name and user, since each pid would be a series: those of the most CPU and memory, and the others as
 * `other`, so that sums stay right. CPU is in processors, since the read before.
 */
export function processPoints(
  before: ProcessRead | null,
  now: ProcessRead,
  { top, pageBytes }: { readonly top: number; readonly pageBytes: number }
): readonly MetricPoint[] {
  const statuses = new Map<string, number>()
  for (const { status } of now.processes) statuses.set(status, (statuses.get(status) ?? 0) + 1)
  const points = [...statuses].map(([status, count]) => gauge('system.processes.count', count, { status }))
  if (before === null || now.atMs <= before.atMs) return points
  const groups = groupsOf(before.processes, now.processes, (now.atMs - before.atMs) / 1000)
  const first = (of: (group: Group) => number): readonly Group[] =>
    groups
      .filter(group => of(group) > 0)
      .toSorted((a, b) => of(b) - of(a))
      .slice(0, top)
  const [byCpu, byMemory] = [first(({ cpu }) => cpu), first(({ pages }) => pages)]
  const named = new Set([...byCpu, ...byMemory])
  const other = emptyGroup('other', '')
  for (const group of groups) if (!named.has(group)) addTo(other, group)
  for (const { process, user, cpu, pages, threads, openFiles } of [...named, other]) {
    const labels = { process, ...(user !== '' && { user }) }
    points.push(
      gauge('process.cpu.utilization', cpu, labels),
      gauge('process.memory.usage', pages * pageBytes, labels),
      gauge('process.threads', threads, labels)
    )
    if (openFiles !== null) points.push(gauge('process.open_file_descriptors', openFiles, labels))
  }
  return points
}
