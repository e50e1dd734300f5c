import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ServerGuard } from './server-guard.js'
import type { ServerPlan } from './server-plan.js'

const STOP_TIMEOUT_MS = 30_000
const LOG_TAIL_CHARS = 3_000

/** The server's process group: launchers keep the server as a child, so signals go to the group. */
export class ServerProcess {
  readonly pid: number
  readonly #child: ChildProcess
  readonly #guard: ServerGuard
  readonly #log: string
  #error: Error | undefined
  #isOver = false

  constructor(plan: ServerPlan, folder: string, port: number) {
    const { file, args, cwd, env } = plan.command(port)
    this.#log = join(folder, 'output.log')
    const log = openSync(this.#log, 'w')
    this.#child = spawn(file, args, {
      ...plan.account,
      cwd,
      env: { ...process.env, ...env },
      stdio: ['ignore', log, log],
      detached: true
    })
    closeSync(log)
    this.#child.on('error', error => (this.#error = error))
    this.pid = this.#child.pid ?? 0
    this.#guard = new ServerGuard(this.pid, folder)
  }

  get hasEnded(): boolean {
    return this.#error !== undefined || this.#child.exitCode !== null || this.#child.signalCode !== null
  }

  output(): Promise<string> {
    return readFile(this.#log, 'utf8')
  }

  async tail(): Promise<string> {
    return this.#error?.message ?? (await this.output()).slice(-LOG_TAIL_CHARS)
  }

  /** Stops it and its children from running until `resume`, as a machine that hangs. */
  pause(): void {
    signalGroup(this.pid, 'SIGSTOP')
  }

  resume(): void {
    signalGroup(this.pid, 'SIGCONT')
  }

  /** Ends the server and its children; the folder stays guarded. */
  async end(signal: NodeJS.Signals): Promise<void> {
    if (this.#isOver) return
    if (!this.hasEnded) {
      const exit = once(this.#child, 'exit')
      signalGroup(this.pid, signal)
      const timer = setTimeout(() => signalGroup(this.pid, 'SIGKILL'), STOP_TIMEOUT_MS)
      await exit
      clearTimeout(timer)
    }
    // What outlived its launcher: the group's id stays taken as long as a member lives.
    if (this.pid > 0) signalGroup(this.pid, 'SIGKILL')
    this.#isOver = true
    this.#guard.serverEnded()
  }

  /** The folder is gone, or another process of the server guards it now. */
  release(): void {
    this.#guard.release()
  }
}

function signalGroup(leader: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-leader, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
