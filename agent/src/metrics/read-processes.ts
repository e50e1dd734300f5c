import { setImmediate as nextTurn } from 'node:timers/promises'
import { PROC_FILES, type ProcFiles } from '../proc-files.js'
import { parseProcess, parseUsers, type Process } from './processes.js'

const DEFAULT_PAGE_BYTES = 4096
/** Processes that are read before others run: about a millisecond. */
const AT_ONCE = 100

/** Size of a page of memory. */
export async function readPageBytes(): Promise<number> {
  const found = /^KernelPageSize:\s+(\d+) kB$/m.exec(PROC_FILES.read('/proc/self/smaps'))
  return found === null ? DEFAULT_PAGE_BYTES : Number(found[1]) * 1024
}

/** Null for a process that ended meanwhile. */
function userOf(files: ProcFiles, pid: string, users: ReadonlyMap<number, string>): string | null {
  const owner = files.owner(`/proc/${pid}`)
  return owner === null ? null : (users.get(owner) ?? String(owner))
}

/**
 * All processes of this machine, as far as this user can see them; those that end meanwhile are left out.
 * @param known of an earlier read: their users are not looked up again.
 */
export async function readProcesses(known: readonly Process[] = [], files: ProcFiles = PROC_FILES): Promise<readonly Process[]> {
  const before = new Map(known.map(process => [process.pid, process]))
  const users = parseUsers(files.read('/etc/passwd'))
  const pids = files.names('/proc').filter(name => /^\d/.test(name))
  const processes: Process[] = []
  for (const [i, pid] of pids.entries()) {
    if (i > 0 && i % AT_ONCE === 0) await nextTurn()
    const stat = parseProcess(files.record(`/proc/${pid}/stat`))
    if (stat === null) continue
    const { name, status, cpuSeconds, threads, startedAt, pages } = stat
    const same = before.get(stat.pid)
    const user = same?.startedAt === startedAt ? same.user : userOf(files, pid, users)
    const openFiles = files.openFiles(pid)
    if (user !== null) processes.push({ pid: stat.pid, name, status, cpuSeconds, threads, startedAt, pages, user, openFiles })
  }
  return processes
}
