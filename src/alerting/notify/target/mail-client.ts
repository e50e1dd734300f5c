import { createHash } from 'node:crypto'
import MailComposer from 'nodemailer/lib/mail-composer'
import SMTPConnection, { type SMTPEnvelope } from 'nodemailer/lib/smtp-connection'
import type { Delivery } from '../../../domain/alerts/delivery.js'
import { mailDomain } from '../../../domain/mail-address.js'
import type { Clock } from '../../../ports/clock.js'
import type { Timers } from '../../../ports/timers.js'
import { RateLimits } from '../../../threads/rate-limits.js'
import type { EmailContent } from '../message/email-body.js'
import { isFinalMailError, mailReason } from './mail-reasons.js'
import { POST_TIMEOUT_MS } from './post-reasons.js'
import type { PostResult } from './target-client.js'

/** The mail server that the operator configured. Tenants choose recipients alone. */
export interface MailSettings {
  readonly host: string
  readonly port: number
  /** Whether the connection begins with TLS; else STARTTLS is used if the server has it. */
  readonly isTls: boolean
  readonly user: { readonly name: string; readonly password: string } | null
  /** Address of the sender. */
  readonly from: string
}

/** E-mails of one namespace in an hour; more wait. */
export const MAILS_AN_HOUR = 120
/** E-mails of one namespace at once. */
export const MAILS_AT_ONCE = 60

/** Dependencies of `MailClient`. */
export interface MailClientDeps {
  /** Null without a mail server. */
  readonly settings: MailSettings | null
  readonly clock: Pick<Clock, 'monotonicMs'>
  readonly timers: Timers
  /** Certificate authorities in PEM instead of those of Node. */
  readonly ca?: string
}

/** An e-mail to one recipient. */
export interface Mail {
  readonly to: string
  readonly delivery: Pick<Delivery, 'id' | 'namespaceId' | 'channelId' | 'groupKey' | 'body' | 'createdAtMs'>
  /** Cuts the attempt. */
  readonly signal: AbortSignal
}

const SECONDS_AN_HOUR = 3_600
/** Status of a message that the server took (RFC 5321, section 4.2.3). */
const ACCEPTED = 250

/** Sends e-mails through the operator's server, each over a connection of its own. */
export class MailClient {
  readonly #deps: MailClientDeps
  readonly #rates: RateLimits

  constructor(deps: MailClientDeps) {
    const policy = { name: 'mails', unit: 'requests', perSecond: MAILS_AN_HOUR / SECONDS_AN_HOUR, burst: MAILS_AT_ONCE } as const
    this.#deps = deps
    this.#rates = new RateLimits(policy, () => deps.clock.monotonicMs())
  }

  /** Whether the operator configured a mail server. */
  get isConfigured(): boolean {
    return this.#deps.settings !== null
  }

  /** Sends one message; never rejects. Every attempt of a delivery sends the same message under the same `Message-ID`. */
  async send({ to, delivery, signal: stop }: Mail): Promise<PostResult> {
    const { settings, clock, timers } = this.#deps
    const startMs = clock.monotonicMs()
    const ended = (result: Omit<PostResult, 'tookMs' | 'retryAfter'>, retryAfter?: string): PostResult => {
      return { ...result, retryAfter, tookMs: clock.monotonicMs() - startMs }
    }
    if (settings === null) return ended({ status: null, reason: 'e-mail is not configured; the operator can set smtp_url' })
    const { isAllowed, retryAfterS } = this.#rates.take(delivery.namespaceId, 1)
    if (!isAllowed)
      return ended({ status: null, reason: `the namespace sends more than ${MAILS_AN_HOUR} e-mails an hour` }, `${retryAfterS}`)
    const timeout = new AbortController()
    const cancel = timers.after(POST_TIMEOUT_MS, () => timeout.abort())
    try {
      const message = await messageOf(settings.from, to, delivery)
      await this.#transfer(settings, { from: settings.from, to: [to] }, message, AbortSignal.any([timeout.signal, stop]))
      return ended({ status: ACCEPTED, reason: null })
    } catch (error) {
      const { status, reason } = mailReason(error)
      return ended({ status, reason, isFinal: isFinalMailError(error) })
    } finally {
      cancel()
    }
  }

  #transfer(settings: MailSettings, envelope: SMTPEnvelope, message: Buffer, signal: AbortSignal): Promise<void> {
    const { host, port, isTls, user, from } = settings
    const { ca } = this.#deps
    const connection = new SMTPConnection({
      ...{ host, port, secure: isTls, name: mailDomain(from) },
      // A password is never sent in plain text.
      requireTLS: user !== null && !isTls && !isLoopback(host),
      ...{ connectionTimeout: POST_TIMEOUT_MS, greetingTimeout: POST_TIMEOUT_MS, socketTimeout: POST_TIMEOUT_MS },
      tls: { minVersion: 'TLSv1.2', ...(ca !== undefined && { ca }) }
    })
    return new Promise<void>((resolve, reject) => {
      const fail = (error: Error): void => {
        reject(error)
        connection.close()
      }
      const onAbort = (): void => fail(Object.assign(new Error('aborted'), { code: 'ABORT_ERR' }))
      signal.addEventListener('abort', onAbort, { once: true })
      connection.on('error', fail)
      connection.on('end', () => {
        signal.removeEventListener('abort', onAbort)
        // The reply that ended the connection is reported after its end.
        setImmediate(() => reject(Object.assign(new Error('closed'), { code: 'ECONNRESET' })))
      })
      const send = (): void =>
        connection.send(envelope, message, error => {
          if (error) return fail(error)
          resolve()
          connection.quit()
        })
      connection.connect(error => {
        if (error) return fail(error)
        if (user === null) return send()
        connection.login({ user: user.name, pass: user.password }, failed => (failed ? fail(failed) : send()))
      })
      if (signal.aborted) onAbort()
    })
  }
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '127.0.0.1' || host === '::1'
}

/** The message in bytes. Messages of one group to one channel are a thread. */
function messageOf(from: string, to: string, { id, channelId, groupKey, body, createdAtMs }: Mail['delivery']): Promise<Buffer> {
  const { subject, text, html } = JSON.parse(body) as EmailContent
  const domain = mailDomain(from)
  const thread = groupKey === null ? null : threadId(channelId, groupKey, domain)
  const composer = new MailComposer({
    ...{ from, to, subject, text, html, date: new Date(createdAtMs) },
    messageId: `<${id}@${domain}>`,
    // Every attempt sends the same bytes.
    baseBoundary: id,
    ...(thread !== null && { inReplyTo: thread, references: thread }),
    // No receipts and no replies of absent people (RFC 3834, section 5).
    headers: { 'auto-submitted': 'auto-generated' },
    ...{ disableFileAccess: true, disableUrlAccess: true }
  })
  return composer.compile().build()
}

function threadId(channelId: string, groupKey: string, domain: string): string {
  const hash = createHash('sha256')
    .update(JSON.stringify([channelId, groupKey]))
    .digest('hex')
    .slice(0, 32)
  return `<${hash}@${domain}>`
}
