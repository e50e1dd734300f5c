import { ComposeServices, type NamedContainers } from '../docker/compose-services.js'
import { LIMITS } from '../limits.js'
import { oneLine } from '../one-line.js'
import { parseProcess, parseUsers } from '../metrics/processes.js'
import { parseCgroup } from './cgroup.js'
import type { Listener } from './listener.js'
import { MaskedCommands } from './masked-commands.js'
import type { ProcFiles } from '../proc-files.js'
import { guessService, MAX_SERVICE_CHARS } from './service-guess.js'
import { SocketOwners } from './socket-owners.js'
import { type ListeningSocket, parseSockets, type Protocol } from './socket-table.js'

/** Dependencies of the search for listening sockets. */
export interface ListenerDeps {
  readonly files: ProcFiles
  /** Of a clock that does not jump. */
  readonly elapsedMs: () => number
  readonly isLittleEndian: boolean
  /** Called where listeners of containers are found. */
  readonly namedContainers: NamedContainers
  readonly onFault: (event: string, fields: Readonly<Record<string, unknown>>) => void
}

/** Files of a network namespace, in the order in which `ss` shows them. */
const TABLES: readonly (readonly [string, Protocol])[] = [
  ['udp', 'udp'],
  ['udp6', 'udp'],
  ['tcp', 'tcp'],
  ['tcp6', 'tcp']
]
const MAX_CMDLINE_BYTES = 16 * 1024
const MAX_ENVIRON_BYTES = 64 * 1024

/** Without an argument that the end of the read cut: half a secret is not recognized. */
function readCommand(files: ProcFiles, folder: string): string {
  const text = files.read(`${folder}/cmdline`, MAX_CMDLINE_BYTES)
  const isCut = Buffer.byteLength(text) >= MAX_CMDLINE_BYTES
  return isCut ? text.slice(0, text.lastIndexOf('\0') + 1) : text
}

/** Null without the right to read it, and for kernel threads. A path that is cut would be another one. */
function readExe(files: ProcFiles, folder: string): string | null {
  const path = files.link(`${folder}/exe`)
  return path === '' || path.length > LIMITS.exeChars ? null : oneLine(path)
}

/** Of several sockets on one address those of one process count once. */
function identityOf({ protocol, address, port, process, container }: Listener): string {
  return JSON.stringify([protocol, address, port, process, container])
}

function order(a: Listener, b: Listener): number {
  return a.port - b.port || a.protocol.localeCompare(b.protocol) || a.address.localeCompare(b.address)
}

/** Collects the listening sockets of all network namespaces that a process is in: what `ss -ltnup` shows. */
export class ListenerCollector {
  readonly #deps: ListenerDeps
  readonly #owners: SocketOwners
  readonly #commands = new MaskedCommands()
  readonly #compose: ComposeServices

  constructor(deps: ListenerDeps) {
    this.#deps = deps
    const { files, elapsedMs, namedContainers } = deps
    this.#compose = new ComposeServices(namedContainers)
    this.#owners = new SocketOwners({ files, elapsedMs, maxFiles: LIMITS.processFiles })
  }

  /** Sorted by port; at most `LIMITS.listeners`, those of the lowest ports. */
  async collect(): Promise<readonly Listener[]> {
    const { files, onFault } = this.#deps
    const sockets = this.#namespaces().flatMap(folder => this.#socketsIn(folder))
    const byInode = new Map(sockets.map(socket => [socket.inode, socket]))
    const { owners, isCut } = await this.#owners.find([...byInode.keys()])
    if (isCut) onFault('processes of some listeners not found', { limit: LIMITS.processFiles })
    const users = parseUsers(files.read('/etc/passwd'))
    this.#commands.begin()
    const found = new Map<string, Listener>()
    for (const socket of byInode.values()) {
      const listener = this.#listener(socket, owners.get(socket.inode)?.pid ?? null, users)
      const known = found.get(identityOf(listener))
      if (known === undefined || (listener.pid ?? 0) < (known.pid ?? 0)) found.set(identityOf(listener), listener)
    }
    const all = [...found.values()].sort(order)
    if (all.length > LIMITS.listeners) onFault('too many listeners', { listeners: all.length, limit: LIMITS.listeners })
    return this.#withServices(all.slice(0, LIMITS.listeners))
  }

  /** Listeners of containers with the services of Compose; what the environment of a process names takes precedence. */
  async #withServices(listeners: readonly Listener[]): Promise<readonly Listener[]> {
    const isOpen = ({ container, serviceBasis }: Listener): boolean => container !== null && serviceBasis !== 'environment'
    if (!listeners.some(isOpen)) return listeners
    const services = await this.#compose.read()
    return listeners.map(listener => {
      const service = isOpen(listener) ? services.get(listener.container!) : undefined
      return service === undefined
        ? listener
        : { ...listener, service: service.slice(0, MAX_SERVICE_CHARS), serviceBasis: 'label' }
    })
  }

  /** A folder `net` of each network namespace; that of this process is the first. */
  #namespaces(): readonly string[] {
    const { files, onFault } = this.#deps
    const folders = new Map([[files.link('/proc/self/ns/net'), '/proc/self/net']])
    for (const pid of files.names('/proc')) {
      const namespace = /^\d+$/.test(pid) ? files.link(`/proc/${pid}/ns/net`) : ''
      if (namespace !== '' && !folders.has(namespace)) folders.set(namespace, `/proc/${pid}/net`)
    }
    const all = [...folders.values()]
    if (all.length > LIMITS.networks) onFault('too many network namespaces', { networks: all.length, limit: LIMITS.networks })
    return all.slice(0, LIMITS.networks)
  }

  #socketsIn(folder: string): readonly ListeningSocket[] {
    const { files, isLittleEndian } = this.#deps
    return TABLES.flatMap(([table, protocol]) => parseSockets(files.read(`${folder}/${table}`), protocol, isLittleEndian))
  }

  #listener(socket: ListeningSocket, pid: number | null, users: ReadonlyMap<number, string>): Listener {
    const { protocol, address, port } = socket
    const place = { protocol, address, port, pid }
    if (pid === null) {
      const group = { unit: null, container: null }
      return {
        ...place,
        process: null,
        exe: null,
        command: null,
        user: null,
        ...group,
        ...guessService(port, { name: null, environ: '', group })
      }
    }
    const { files } = this.#deps
    const folder = `/proc/${pid}`
    const name = parseProcess(files.record(`${folder}/stat`))?.name ?? null
    const group = parseCgroup(files.read(`${folder}/cgroup`))
    const environ = files.read(`${folder}/environ`, MAX_ENVIRON_BYTES)
    const owner = files.owner(folder)
    return {
      ...place,
      process: name,
      exe: readExe(files, folder),
      command: this.#commands.masked(readCommand(files, folder)),
      user: owner === null ? null : (users.get(owner) ?? String(owner)),
      ...group,
      ...guessService(port, { name, environ, group })
    }
  }
}
