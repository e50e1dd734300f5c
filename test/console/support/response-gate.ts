import type { Page, Route } from 'playwright-core'

/** What happens to the queries of a page. */
export type Verdict = 'pass' | 'hold' | 'fail' | 'cut'

/** The error of a query that fails. */
export const FAILURE = 'The query took longer than 30 s.'

const ALL_BUT_SESSION = /^\s*query (?!Session\b)/

const REQUEST_ID = '0b5f9c52d1e84f0f'
const CUT = {
  kind: 'CAP',
  detail: 'the search stopped after 1,000,000 rows',
  remedy: 'Narrow the window or add a condition.',
  limit: 1_000_000
}
const MINUTE_MS = 60_000

interface Posted {
  readonly query: string
  readonly variables?: { readonly range?: { readonly to?: string } }
}

type Json = Readonly<Record<string, unknown>>

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A result as it is when a limit ended its search: the minute before the last one of the window is missing. */
function incomplete(value: unknown, toMs: number): unknown {
  if (Array.isArray(value)) return value.map(item => incomplete(item, toMs))
  if (!isObject(value)) return value
  const members = Object.fromEntries(Object.entries(value).map(([key, member]) => [key, incomplete(member, toMs)]))
  if (value['complete'] === true) {
    const window = { from: new Date(toMs - 2 * MINUTE_MS).toISOString(), to: new Date(toMs - MINUTE_MS).toISOString() }
    const cuts = Array.isArray(value['cuts']) ? { cuts: [{ ...CUT, window }] } : {}
    return { ...members, complete: false, warnings: [CUT.detail], ...cuts }
  }
  if (value['truncated'] === false) return { ...members, truncated: true }
  return value['exact'] === true ? { ...members, exact: false } : members
}

/** Delays, fails and cuts the GraphQL queries of a page. By default all but that of the session; mutations always pass. */
export class ResponseGate {
  #verdict: Verdict = 'pass'
  #held: Route[] = []
  readonly #judged: RegExp

  private constructor(judged: RegExp) {
    this.#judged = judged
  }

  /** Routes the queries of a page through a gate that lets them pass; those that `judged` does not match pass always. */
  static async open(page: Page, judged = ALL_BUT_SESSION): Promise<ResponseGate> {
    const gate = new ResponseGate(judged)
    await page.route('**/graphql', route => gate.#receive(route))
    return gate
  }

  /** Decides on the queries that are held and on those that follow. */
  async set(verdict: Verdict): Promise<void> {
    this.#verdict = verdict
    await Promise.all(this.#held.splice(0).map(route => this.#receive(route)))
  }

  async #receive(route: Route): Promise<void> {
    const posted = route.request().postDataJSON() as Posted
    try {
      await this.#decide(route, this.#judged.test(posted.query) ? this.#verdict : 'pass', posted)
    } catch (error) {
      // The page has cancelled the request.
      if (!/closed|disposed|aborted|not found|Invalid InterceptionId/i.test(String(error))) throw error
    }
  }

  async #decide(route: Route, verdict: Verdict, posted: Posted): Promise<void> {
    if (verdict === 'hold') return void this.#held.push(route)
    if (verdict === 'pass') return route.continue()
    if (verdict === 'fail') {
      const message = FAILURE.charAt(0).toLowerCase() + FAILURE.slice(1, -1)
      const json = { data: null, errors: [{ message, extensions: { code: 'query_timeout' } }] }
      return route.fulfill({ status: 200, headers: { 'x-request-id': REQUEST_ID }, json })
    }
    const response = await route.fetch()
    const toMs = Date.parse(posted.variables?.range?.to ?? '') || Date.now()
    return route.fulfill({ response, json: incomplete(await response.json(), toMs) })
  }
}
