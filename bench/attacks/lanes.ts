import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Attack, Outcomes } from './attack.js'

/** One request of an attack. */
export interface HostileRequest {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Buffer
}

/** What is refused at once is not sent again at once: it would measure how fast the attacker can connect. */
const REST_MS = 50
const TIMEOUT_MS = 60_000

/** Sends requests over so many connections, on each one after the other. */
export class LanesAttack implements Attack {
  readonly #agent: Agent
  readonly #outcomes = new Outcomes()
  readonly #lanes: readonly Promise<void>[]
  #isStopped = false

  constructor(url: string, lanes: number, next: (turn: number) => HostileRequest) {
    this.#agent = new Agent({ keepAlive: true, maxSockets: lanes })
    let turn = 0
    const work = async (): Promise<void> => {
      while (!this.#isStopped) {
        this.#outcomes.add(await this.#send(url, next(turn++)))
        await sleep(REST_MS)
      }
    }
    this.#lanes = Array.from({ length: lanes }, work)
  }

  async stop(): Promise<string> {
    this.#isStopped = true
    // What is in flight would only make the next attack wait.
    this.#agent.destroy()
    await Promise.all(this.#lanes)
    return this.#outcomes.sentence
  }

  #send(url: string, { method, path, headers, body }: HostileRequest): Promise<string> {
    return new Promise(resolve => {
      const length = body === undefined ? {} : { 'content-length': String(body.length) }
      const call = request(url + path, { method, agent: this.#agent, headers: { ...headers, ...length }, timeout: TIMEOUT_MS })
      call.on('response', response => {
        response.resume()
        response.on('end', () => resolve(String(response.statusCode)))
        response.on('error', () => resolve('cut'))
      })
      call.on('timeout', () => call.destroy())
      call.on('error', error => resolve(this.#isStopped ? 'stopped' : ((error as NodeJS.ErrnoException).code ?? 'failed')))
      call.end(body)
    })
  }
}
