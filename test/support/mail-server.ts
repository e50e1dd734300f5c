import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import type { ServerIdentity } from './certificates.js'

/** An e-mail that the server took. */
export interface ReceivedMail {
  readonly from: string
  readonly to: readonly string[]
  /** The whole message, headers first. */
  readonly source: string
  /** User who signed in; null without one. */
  readonly user: string | null
  /** Whether it came over TLS. */
  readonly isSecure: boolean
}

/** A mail server on loopback. */
export interface MailServer {
  readonly port: number
  readonly received: readonly ReceivedMail[]
  /** Messages, also those that were refused, headers first. */
  readonly sources: readonly string[]
  /** Passwords that were sent. */
  readonly passwords: readonly string[]
  /** Replies to the next messages, in order: a status refuses the recipient or the message; afterwards all are taken. */
  plan(...replies: readonly { readonly at: 'recipient' | 'message'; readonly status: number }[]): void
  /** Resolves with the message number `index`, from 0, when it has arrived. */
  mail(index: number): Promise<ReceivedMail>
  close(): Promise<void>
}

function refusal(status: number): Error {
  return Object.assign(new Error('no, and a s3cret of the server'), { responseCode: status })
}

/** How a mail server differs from one that takes everything at 127.0.0.1. */
interface MailServerOptions {
  /** Clients must sign in with it. */
  readonly password?: string
  /** An address of loopback. */
  readonly host?: string
  /** TLS from the first byte, or by STARTTLS. */
  readonly tls?: { readonly kind: 'implicit' | 'starttls'; readonly identity: ServerIdentity }
}

/** Opens a mail server; close it when the test is done. */
export async function openMailServer({ password, host = '127.0.0.1', tls }: MailServerOptions = {}): Promise<MailServer> {
  const received: ReceivedMail[] = []
  const sources: string[] = []
  const passwords: string[] = []
  const planned: { readonly at: 'recipient' | 'message'; readonly status: number }[] = []
  const waiting: { readonly index: number; readonly resolve: (mail: ReceivedMail) => void }[] = []
  const next = (at: 'recipient' | 'message'): Error | null => {
    return planned[0]?.at === at ? refusal(planned.shift()!.status) : null
  }
  const server = new SMTPServer({
    authOptional: password === undefined,
    disabledCommands: [...(tls?.kind === 'starttls' ? [] : ['STARTTLS']), ...(password === undefined ? ['AUTH'] : [])],
    allowInsecureAuth: true,
    ...(tls && { ...tls.identity, secure: tls.kind === 'implicit' }),
    onAuth: (auth, _session, done) => {
      passwords.push(auth.password ?? '')
      if (auth.password === password) done(null, { user: auth.username })
      else done(refusal(535))
    },
    onRcptTo: (_address, _session, done) => done(next('recipient')),
    onData: (stream, session, done) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const source = Buffer.concat(chunks).toString()
        sources.push(source)
        const refused = next('message')
        if (refused) return done(refused)
        const { mailFrom, rcptTo } = session.envelope
        received.push({
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          source,
          user: typeof session.user === 'string' ? session.user : null,
          isSecure: session.secure
        })
        done()
        for (const { index, resolve } of waiting) if (received.length > index) resolve(received[index]!)
      })
    }
  })
  // Connections that clients cut are part of tests.
  server.on('error', () => undefined)
  server.listen(0, host)
  await once(server.server, 'listening')
  return {
    port: (server.server.address() as AddressInfo).port,
    ...{ received, sources, passwords },
    plan: (...replies) => void planned.push(...replies),
    mail: index => {
      const known = received[index]
      return known ? Promise.resolve(known) : new Promise(resolve => waiting.push({ index, resolve }))
    },
    close: () => new Promise(resolve => server.close(resolve))
  }
}
