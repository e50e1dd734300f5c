import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { cpuSeconds, rssMb } from './proc.js'

const MAIN = fileURLToPath(new URL('../../agent/dist/main.js', import.meta.url))
/** As `npm run agent` sets them. */
const NODE_ARGS = ['--max-semi-space-size=8', '--single-threaded-gc', '--max-old-space-size=128']

/** The compiled host agent as a process of its own. */
export class AgentProcess {
  readonly #child: ChildProcess
  /** What it wrote to its log. */
  log = ''

  private constructor(child: ChildProcess) {
    this.#child = child
    child.stderr!.on('data', (chunk: Buffer) => {
      this.log += chunk.toString()
    })
  }

  /** @param config in JSON, which is YAML. @param folder for the configuration. */
  static async start(config: object, folder: string, nodeArgs: readonly string[] = []): Promise<AgentProcess> {
    const path = join(folder, 'agent.yaml')
    await writeFile(path, JSON.stringify(config))
    const args = [...NODE_ARGS, ...nodeArgs, MAIN, '--config', path]
    return new AgentProcess(spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'] }))
  }

  get cpuSeconds(): number {
    return cpuSeconds(this.#child.pid!)
  }

  get rssMb(): number {
    return rssMb(this.#child.pid!)
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return
    this.#child.kill('SIGTERM')
    await once(this.#child, 'exit')
  }
}
