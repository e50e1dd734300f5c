import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

// USER_HZ is 100 on every Linux that Node runs on.
const TICKS_PER_SECOND = 100
const PAGE_BYTES = 4096

/** CPU seconds (user + system) that the process has used; 0 when it is gone. */
export function cpuSeconds(pid: number): number {
  const fields = statFields(pid)
  return fields ? (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND : 0
}

/** CPU seconds of a process and all below it: launchers keep the server as a child. */
export function treeCpuSeconds(pid: number): number {
  return childrenOf(pid).reduce((sum, child) => sum + treeCpuSeconds(child), cpuSeconds(pid))
}

const LOOKED_AT_MS = 2_000
const CALM_CORES = 0.1
const GIVE_UP_MS = 300_000

/** Waits until the process hardly works any more: engines go on merging what they were given. Gives the seconds until then. */
export async function waitUntilCalm(pid: number): Promise<number> {
  const startedAt = performance.now()
  for (let elapsedMs = 0; elapsedMs < GIVE_UP_MS; elapsedMs = performance.now() - startedAt) {
    const before = cpuSeconds(pid)
    await sleep(LOOKED_AT_MS)
    if (cpuSeconds(pid) - before < (CALM_CORES * LOOKED_AT_MS) / 1_000) break
  }
  return (performance.now() - startedAt) / 1_000
}

/** Proportional set size in MB; 0 when the process is gone. */
export function pssMb(pid: number): number {
  try {
    const kb = /^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? '0'
    return Number(kb) / 1024
  } catch {
    return 0
  }
}

/** Resident memory of a process in MB; 0 when it is gone. Cheap enough to be read many times a second. */
export function rssMb(pid: number): number {
  try {
    return (Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) * PAGE_BYTES) / 2 ** 20
  } catch {
    return 0
  }
}

/** Processes whose parent is `pid`. */
export function childrenOf(pid: number): number[] {
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .map(Number)
    .filter(candidate => Number(statFields(candidate)?.[1]) === pid)
}

// Fields after the command name, which may itself hold spaces and parentheses: state is [0], parent [1], utime [11].
function statFields(pid: number): string[] | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return text.slice(text.lastIndexOf(')') + 2).split(' ')
  } catch {
    return null
  }
}

/** Every file under a folder with its size; files that vanish meanwhile are left out. */
export function filesUnder(folder: string): { file: string; bytes: number }[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .flatMap(entry => {
      const file = join(entry.parentPath, entry.name)
      try {
        return [{ file, bytes: statSync(file).size }]
      } catch {
        return []
      }
    })
}
