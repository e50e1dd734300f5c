import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ProcFiles } from '../proc-files.js'

/** The process that has a socket, and the number of its file in it. */
export interface SocketOwner {
  readonly pid: number
  readonly file: string
}

/** Dependencies of the search for the processes of sockets. */
export interface OwnersDeps {
  readonly files: ProcFiles
  /** Of a clock that does not jump. */
  readonly elapsedMs: () => number
  /** Files of processes that one search looks at. */
  readonly maxFiles: number
}

/** After so long others run. */
const SLICE_MS = 5
/** Collections after which sockets without a process are searched for again. */
const LOOKS_BETWEEN = 10

const socketLink = (inode: string): string => `socket:[${inode}]`

/**
 * Finds the processes of sockets. Those that are known are checked by one look each; for others the files of all processes
 * are looked at, in the order of their ids, until all are found: of a socket that several have, the oldest has it.
 */
export class SocketOwners {
  readonly #deps: OwnersDeps
  #known = new Map<string, SocketOwner>()
  /** Sockets for which all processes were looked at in vain: of other users, whose files this one may not see. */
  #absent = new Set<string>()
  #sinceAll = 0

  constructor(deps: OwnersDeps) {
    this.#deps = deps
  }

  /** @returns owners by inode, and whether the search ended at its limit. */
  async find(inodes: readonly string[]): Promise<{ readonly owners: ReadonlyMap<string, SocketOwner>; readonly isCut: boolean }> {
    const owners = new Map<string, SocketOwner>()
    for (const inode of inodes) {
      const known = this.#known.get(inode)
      if (known !== undefined && this.#has(known, inode)) owners.set(inode, known)
    }
    const unknown = inodes.filter(inode => !owners.has(inode))
    // A process may get its socket from another one later.
    const isDue = unknown.some(inode => !this.#absent.has(inode)) || (unknown.length > 0 && ++this.#sinceAll >= LOOKS_BETWEEN)
    const isCut = isDue && !(await this.#search(new Set(unknown), owners))
    this.#known = owners
    if (isDue) this.#absent = new Set(isCut ? [] : inodes.filter(inode => !owners.has(inode)))
    return { owners, isCut }
  }

  #has({ pid, file }: SocketOwner, inode: string): boolean {
    return this.#deps.files.link(`/proc/${pid}/fd/${file}`) === socketLink(inode)
  }

  /** Whether all processes were looked at, or all sockets found. */
  async #search(missing: Set<string>, owners: Map<string, SocketOwner>): Promise<boolean> {
    const { files, elapsedMs, maxFiles } = this.#deps
    this.#sinceAll = 0
    let looks = 0
    let sliceMs = elapsedMs()
    const pids = files.names('/proc').filter(name => /^\d+$/.test(name))
    for (const pid of pids.map(Number).sort((a, b) => a - b)) {
      for (const file of files.names(`/proc/${pid}/fd`)) {
        if (missing.size === 0) return true
        if (++looks > maxFiles) return false
        this.#look({ pid, file }, missing, owners)
        if (elapsedMs() - sliceMs < SLICE_MS) continue
        await nextTurn()
        sliceMs = elapsedMs()
      }
    }
    return true
  }

  #look(owner: SocketOwner, missing: Set<string>, owners: Map<string, SocketOwner>): void {
    const [, inode] = /^socket:\[(\d+)\]$/.exec(this.#deps.files.link(`/proc/${owner.pid}/fd/${owner.file}`)) ?? []
    if (inode !== undefined && missing.delete(inode)) owners.set(inode, owner)
  }
}
