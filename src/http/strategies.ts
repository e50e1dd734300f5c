import { callbackify } from 'node:util'
import passport from 'passport'

/** A set of strategies. */
export type Passport = InstanceType<typeof passport.Passport>

/** What strategies may look at: nothing else of the request, so that no credential is taken from an unexpected place. */
export interface PresentedRequest {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body?: unknown
  /** Address of the client. */
  readonly ip: string
}

/** The callback of a verify function. */
export type Done<P> = (error: unknown, principal?: P) => void

type Middleware = (request: object, response: object, next: (error?: unknown) => void) => void

/** A passport of its own; the package's global one is shared by everything in the process. */
export function createPassport(): Passport {
  return new passport.Passport()
}

/** Calls `done` with what the promise gives or with its error. */
export function settle<P>(verified: Promise<P>, done: Done<P>): void {
  callbackify(() => verified)(done)
}

/** Tries strategies in order; null if none of them found a credential. Rejects with the error of the first that refused one. */
export function runStrategies<P>(using: Passport, names: readonly string[], request: PresentedRequest): Promise<P | null> {
  return new Promise((resolve, reject) => {
    const callback = (error: unknown, found?: P | false | null): void => {
      if (error) reject(error)
      else resolve(found || null)
    }
    const middleware = using.authenticate([...names], { session: false }, callback) as Middleware
    // A copy: passport hangs functions of its own on the request.
    middleware({ headers: request.headers, body: request.body, ip: request.ip }, {}, error => reject(error))
  })
}
