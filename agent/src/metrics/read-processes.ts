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

/** All processes of this machine, as far as this user can see them; those that end meanwhile are left out. */
export async function readProcesses(files: ProcFiles = PROC_FILES): Promise<readonly Process[]> {
  const users = parseUsers(files.read('/etc/passwd'))
  const pids = files.names('/proc').filter(name => /^\d+$/.test(name))
  const processes: Process[] = []
  for (const [i, pid] of pids.entries()) {
    if (i > 0 && i % AT_ONCE === 0) await nextTurn()
    const folder = `/proc/${pid}`
    const [parsed, owner] = [parseProcess(files.read(`${folder}/stat`)), files.owner(folder)]
    if (parsed !== null && owner !== null) processes.push({ ...parsed, user: users.get(owner) ?? String(owner) })
  }
  return processes
}
