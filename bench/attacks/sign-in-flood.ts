import { Agent, request } from 'node:http'
import { type Attack, type FloodOrder, Outcomes } from './attack.js'

const CONNECTIONS = 100
/** One of the loopback addresses that is not a trusted proxy. */
const ATTACKER = '127.0.0.2'

/** Tries wrong passwords on 100 connections, on each one after the other without a pause. */
export class SignInFlood implements Attack {
  readonly #order: FloodOrder
  readonly #agent: Agent
  readonly #outcomes = new Outcomes()
  readonly #lanes: readonly Promise<void>[]
  #isStopped = false

  constructor(order: FloodOrder) {
    this.#order = order
    this.#agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
    this.#lanes = Array.from({ length: CONNECTIONS }, (_, lane) => this.#work(lane))
  }

  async stop(): Promise<string> {
    this.#isStopped = true
    this.#agent.destroy()
    await Promise.all(this.#lanes)
    return this.#outcomes.sentence
  }

  async #work(lane: number): Promise<void> {
    for (let turn = 0; !this.#isStopped; turn++) {
      const email = turn % 2 === 0 ? this.#order.email : `invented-${lane}-${turn}@example.com`
      this.#outcomes.add(await this.#try(lane, JSON.stringify({ email, password: `wrong password ${turn}` })))
    }
  }

  #try(lane: number, body: string): Promise<string> {
    const { url, from } = this.#order
    const address = from === 'one-address' ? { localAddress: ATTACKER } : {}
    const proxied = from === 'one-address' ? {} : { 'x-forwarded-for': `203.0.113.${lane}` }
    const headers = { 'content-type': 'application/json', 'content-length': String(body.length), ...proxied }
    return new Promise(resolve => {
      const call = request(`${url}/api/v1/auth/login`, { method: 'POST', agent: this.#agent, headers, ...address })
      call.on('response', response => {
        response.resume().on('end', () => resolve(String(response.statusCode)))
        response.on('error', () => resolve('cut'))
      })
      call.on('error', error => resolve(this.#isStopped ? 'stopped' : ((error as NodeJS.ErrnoException).code ?? 'failed')))
      call.end(body)
    })
  }
}
