import type { ServiceProcess } from './service-process.js'

/** A namespace made for a measurement. */
export interface MadeNamespace {
  readonly id: string
  readonly name: string
}

/** Calls of the public API as a signed-in user or with a query key. */
export class Session {
  readonly url: string
  #token: string

  private constructor(url: string, token: string) {
    this.url = url
    this.#token = token
  }

  /** Signs in as the operator that the first start made. */
  static async operator(service: ServiceProcess): Promise<Session> {
    const { email, password } = service.firstRun()
    return Session.signIn(service.url, email, password)
  }

  /** Reads with an API key of kind `query`, which does not run out while a long measurement goes on. */
  static withKey(url: string, queryKey: string): Session {
    return new Session(url, queryKey)
  }

  static async signIn(url: string, email: string, password: string): Promise<Session> {
    const session = new Session(url, '')
    const { access_token } = await session.call<{ access_token: string }>('POST', '/api/v1/auth/login', { email, password })
    return new Session(url, access_token)
  }

  /** One JSON call; throws with the body of the response if it is not a success. */
  async call<T>(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<T> {
    const text = await this.text(method, path, body, headers)
    return (text === '' ? {} : JSON.parse(text)) as T
  }

  /** Same, but returns the body of the response unparsed. */
  async text(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<string> {
    const reply = await fetch(this.url + path, {
      method,
      headers: {
        ...(this.#token === '' ? {} : { authorization: `Bearer ${this.#token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
    const text = await reply.text()
    if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${text.slice(0, 500)}`)
    return text
  }

  makeNamespace(name: string, retention?: Readonly<Record<string, string>>): Promise<MadeNamespace> {
    return this.call('POST', '/api/v1/namespaces', { name, ...(retention ? { retention } : {}) })
  }

  /** An API key for these namespaces; the first is its own (rule 2.7.4). */
  async makeKey(name: string, kind: 'ingest' | 'query' | 'rum', namespaces: readonly string[]): Promise<string> {
    const { key } = await this.call<{ key: string }>('POST', '/api/v1/keys', { name, kind, namespaces })
    return key
  }
}
