import { readdir, readFile, stat } from 'node:fs/promises'
import { parseProcess, parseUsers, type Process } from './processes.js'

const DEFAULT_PAGE_BYTES = 4096

/** Size of a page of memory. */
export async function readPageBytes(): Promise<number> {
  const text = await readFile('/proc/self/smaps', 'utf8').catch(() => '')
  const found = /^KernelPageSize:\s+(\d+) kB$/m.exec(text)
  return found === null ? DEFAULT_PAGE_BYTES : Number(found[1]) * 1024
}

/** All processes of this machine, as far as this user can see them; those that end meanwhile are left out. */
export async function readProcesses(): Promise<readonly Process[]> {
  const users = parseUsers(await readFile('/etc/passwd', 'utf8').catch(() => ''))
  const pids = (await readdir('/proc')).filter(name => /^\d+$/.test(name))
  const processes: Process[] = []
  for (const pid of pids) {
    const folder = `/proc/${pid}`
    const [text, owner] = await Promise.all([readFile(`${folder}/stat`, 'utf8').catch(() => ''), stat(folder).catch(() => null)])
    const parsed = parseProcess(text)
    if (parsed !== null && owner !== null) processes.push({ ...parsed, user: users.get(owner.uid) ?? String(owner.uid) })
  }
  return processes
}
