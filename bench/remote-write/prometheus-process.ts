import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { programPath } from '../../test/support/program-path.js'
import { freePort } from '../service/free-port.js'
import { cpuSeconds } from '../service/proc.js'

const READY_POLL_MS = 20
const READY_TIMEOUT_MS = 30_000

/** A Prometheus that takes remote writes; `PROMETHEUS` names the binary, else PATH finds it. */
export class PrometheusProcess {
  readonly url: string
  readonly #child: ChildProcess

  private constructor(child: ChildProcess, url: string) {
    this.#child = child
    this.url = url
  }

  static async start(folder: string): Promise<PrometheusProcess> {
    const path = programPath('prometheus')
    if (path === undefined) throw new Error('prometheus is neither named by PROMETHEUS nor found on PATH')
    const config = join(folder, 'prometheus.yml')
    writeFileSync(config, 'global: { scrape_interval: 1h }\n')
    const port = await freePort()
    const args = [
      `--config.file=${config}`,
      `--storage.tsdb.path=${join(folder, 'prometheus')}`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--web.enable-remote-write-receiver'
    ]
    const process = new PrometheusProcess(spawn(path, args, { stdio: 'ignore' }), `http://127.0.0.1:${port}`)
    await process.#ready()
    return process
  }

  /** CPU seconds so far. */
  cpu(): number {
    return cpuSeconds(this.#child.pid!)
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
      const isReady = await fetch(`${this.url}/-/ready`).then(
        async reply => (await reply.arrayBuffer(), reply.ok),
        () => false
      )
      if (isReady) return
      await sleep(READY_POLL_MS)
    }
    throw new Error('prometheus did not get ready')
  }
}
