import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { programPath } from '../../test/support/program-path.js'
import { freePort } from '../service/free-port.js'
import { cpuSeconds, pssMb } from '../service/proc.js'

const READY_POLL_MS = 20
const READY_TIMEOUT_MS = 30_000

/** A VictoriaLogs with its default settings; `VICTORIA_LOGS` names the binary, else PATH finds `victoria-logs`. */
export class VictoriaLogsProcess {
  readonly port: number
  /** Where its data is. */
  readonly folder: string
  readonly #child: ChildProcess

  private constructor(child: ChildProcess, port: number, folder: string) {
    this.#child = child
    this.port = port
    this.folder = folder
  }

  static async start(folder: string): Promise<VictoriaLogsProcess> {
    const path = programPath('victoria-logs')
    if (path === undefined) throw new Error('victoria-logs is neither named by VICTORIA_LOGS nor found on PATH')
    const port = await freePort()
    const args = [`-storageDataPath=${folder}`, `-httpListenAddr=127.0.0.1:${port}`, '-loggerLevel=ERROR']
    const process = new VictoriaLogsProcess(spawn(path, args, { stdio: 'ignore' }), port, folder)
    await process.#ready()
    return process
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`
  }

  /** CPU seconds so far. */
  cpu(): number {
    return cpuSeconds(this.#child.pid!)
  }

  memoryMb(): number {
    return pssMb(this.#child.pid!)
  }

  /** One query (https://docs.victoriametrics.com/victorialogs/querying/); throws with the response if it is not a success. */
  async query(path: string, params: Readonly<Record<string, string>>): Promise<string> {
    const response = await fetch(`${this.url}${path}?${new URLSearchParams(params).toString()}`)
    const text = await response.text()
    if (!response.ok) throw new Error(`${path}: ${response.status} ${text.slice(0, 300)}`)
    return text
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null) return
    const exited = once(this.#child, 'exit')
    this.#child.kill()
    await exited
  }

  async #ready(): Promise<void> {
    const ends = performance.now() + READY_TIMEOUT_MS
    while (performance.now() < ends && this.#child.exitCode === null) {
      const isReady = await fetch(`${this.url}/health`).then(
        async reply => (await reply.arrayBuffer(), reply.ok),
        () => false
      )
      if (isReady) return
      await sleep(READY_POLL_MS)
    }
    throw new Error('victoria-logs did not get ready')
  }
}
