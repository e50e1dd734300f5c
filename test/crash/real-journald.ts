import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, watch } from 'node:fs'
import { mkdir, readFile, rm } from 'node:fs/promises'
import { promisify } from 'node:util'

const run = promisify(execFile)
const DAEMON = '/usr/lib/systemd/systemd-journald'
const START_MS = 10_000

/** Whether a journald of a namespace can be run here: by root, where systemd is installed, also where it does not run. */
export function hasJournald(): boolean {
  return process.getuid?.() === 0 && existsSync(DAEMON) && existsSync('/usr/bin/logger') && existsSync('/etc/machine-id')
}

/** A journald of an own namespace. It ends by itself when it is idle, and is started again by what is written. */
export class RealJournald {
  readonly namespace: string
  readonly #sockets: string
  #daemon: ChildProcess | null = null

  constructor(namespace: string) {
    this.namespace = namespace
    this.#sockets = `/run/systemd/journal.${namespace}`
  }

  async start(): Promise<void> {
    if (this.#daemon !== null && this.#daemon.exitCode === null && this.#daemon.signalCode === null) return
    await mkdir(this.#sockets, { recursive: true })
    const ready = AbortSignal.timeout(START_MS)
    const watcher = watch(this.#sockets)
    try {
      this.#daemon = spawn(DAEMON, [this.namespace], { stdio: 'ignore' })
      while (!existsSync(`${this.#sockets}/io.systemd.journal`)) await once(watcher, 'change', { signal: ready })
    } finally {
      watcher.close()
    }
  }

  /** Writes lines to the socket of syslog. */
  async write(lines: readonly string[]): Promise<void> {
    await this.start()
    const logger = spawn(
      'logger',
      ['--socket', `${this.#sockets}/dev-log`, '--udp', '--tag', 'shop', '--priority', 'user.warning'],
      {
        stdio: ['pipe', 'ignore', 'inherit']
      }
    )
    logger.stdin.end(lines.map(line => `${line}\n`).join(''))
    const [code] = (await once(logger, 'exit')) as [number | null]
    if (code !== 0) throw new Error(`logger ended with ${code}`)
    await this.#journalctl('--sync')
  }

  /** Removes what was written before, all of it that is in files that are full. */
  async vacuum(): Promise<void> {
    await this.start()
    await this.#journalctl('--rotate')
    await this.#journalctl('--vacuum-files=1')
  }

  /** Number of the latest entry in its numbering. */
  async lastNumber(): Promise<number> {
    const { stdout } = await run('journalctl', [`--namespace=${this.namespace}`, '--lines=1', '--output=json', '--quiet'])
    const { __CURSOR: cursor } = JSON.parse(stdout) as { readonly __CURSOR: string }
    return Number.parseInt(/;i=([0-9a-f]+)/.exec(cursor)![1]!, 16)
  }

  async remove(): Promise<void> {
    const daemon = this.#daemon
    if (daemon !== null && daemon.exitCode === null && daemon.signalCode === null) {
      daemon.kill('SIGTERM')
      await once(daemon, 'exit')
    }
    const machine = (await readFile('/etc/machine-id', 'utf8')).trim()
    for (const root of ['/var/log/journal', '/run/log/journal'])
      await rm(`${root}/${machine}.${this.namespace}`, { recursive: true, force: true })
    await rm(this.#sockets, { recursive: true, force: true })
  }

  async #journalctl(command: string): Promise<void> {
    await run('journalctl', [`--namespace=${this.namespace}`, command])
  }
}
