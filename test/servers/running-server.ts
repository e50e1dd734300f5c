import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { ServerPlan, ServerRecipe, StartOptions } from './server-plan.js'
import { ServerProcess } from './server-process.js'
import type { ServerAccess } from './variables.js'

const READY_TIMEOUT_MS = 300_000
const POLL_MS = 100
const START_ATTEMPTS = 4

/** A server of one's own: it may be killed, overloaded and started again. */
export class RunningServer {
  readonly access: ServerAccess
  readonly #folder: string
  readonly #plan: ServerPlan
  readonly #port: number
  #process: ServerProcess

  private constructor(folder: string, plan: ServerPlan, port: number, process: ServerProcess) {
    this.#folder = folder
    this.#plan = plan
    this.#port = port
    this.#process = process
    this.access = plan.accessOn(port)
  }

  /** Fetches what is missing, starts the server on a free port with an empty data folder, and waits until it is healthy. */
  static async start(recipe: ServerRecipe, options: StartOptions = {}): Promise<RunningServer> {
    await recipe.fetch()
    const folder = await mkdtemp(join(tmpdir(), 'alidade-server-'))
    await chmod(folder, 0o755)
    try {
      const plan = await recipe.prepare(folder, options)
      const { process, port } = await startHealthy(plan, folder, () => plan.choosePort())
      return new RunningServer(folder, plan, port, process)
    } catch (error) {
      await rm(folder, { recursive: true, force: true })
      throw error
    }
  }

  get pid(): number {
    return this.#process.pid
  }

  /** The server keeps its connections and returns nothing until `resume`. */
  pause(): void {
    this.#process.pause()
  }

  resume(): void {
    this.#process.resume()
  }

  /** Ends the server and its children at once, as a crash would; the data stays. */
  async kill(): Promise<void> {
    await this.#process.end('SIGKILL')
  }

  /** Starts a killed server again, on the same port and data, and waits until it is healthy. */
  async startAgain(): Promise<void> {
    const { process } = await startHealthy(this.#plan, this.#folder, () => Promise.resolve(this.#port))
    this.#process.release()
    this.#process = process
  }

  /** Ends the server in an orderly way and deletes its folder. */
  async stop(): Promise<void> {
    await this.#process.end(this.#plan.stopSignal)
    await rm(this.#folder, { recursive: true, force: true, maxRetries: 3 })
    this.#process.release()
  }
}

/**
 * A start that fails by itself is tried again: a free port may be taken before the server binds it, and the children of a
 * killed server may lock its data for a moment.
 */
async function startHealthy(
  plan: ServerPlan,
  folder: string,
  choosePort: () => Promise<number>
): Promise<{ process: ServerProcess; port: number }> {
  for (let attempt = 1; ; attempt++) {
    const process = new ServerProcess(plan, folder, await choosePort())
    try {
      const port = await untilReady(plan, process)
      await plan.setUp?.(plan.accessOn(port))
      return { process, port }
    } catch (error) {
      const hasDied = process.hasEnded
      await process.end('SIGKILL')
      process.release()
      if (!hasDied || attempt === START_ATTEMPTS) throw error
    }
  }
}

/** Waits until the server has named its port and is healthy there. */
async function untilReady(plan: ServerPlan, process: ServerProcess): Promise<number> {
  const deadline = Date.now() + READY_TIMEOUT_MS
  for (;;) {
    const port = plan.servingPort(await process.output())
    if (port !== undefined && (await plan.isReady(plan.accessOn(port)).catch(() => false))) return port
    if (process.hasEnded) throw new Error(`the server ended while it started:\n${await process.tail()}`)
    if (Date.now() > deadline) throw new Error(`the server is not healthy after ${READY_TIMEOUT_MS} ms:\n${await process.tail()}`)
    await delay(POLL_MS)
  }
}
