import { failureReason } from './post-reasons.js'

/** What the library states of a failed transfer. */
interface MailError {
  readonly code: string
  /** Of the system, where `code` is that of the library. */
  readonly originalCode: string
  /** Of the server's reply; null without one. */
  readonly status: number | null
  /** Command that was replied to. */
  readonly command: string
}

const COMMANDS: Readonly<Record<string, string>> = {
  CONN: 'the connection',
  EHLO: 'the greeting',
  STARTTLS: 'STARTTLS',
  AUTH: 'the sign-in',
  'MAIL FROM': 'the sender',
  'RCPT TO': 'the recipient',
  DATA: 'the message'
}
const PERMANENT = 500

function textOf(error: object, name: string): string {
  const value: unknown = name in error ? (error as Readonly<Record<string, unknown>>)[name] : undefined
  return typeof value === 'string' ? value : ''
}

function read(error: unknown): MailError {
  const from = typeof error === 'object' && error !== null ? error : {}
  const status = 'responseCode' in from && typeof from.responseCode === 'number' ? from.responseCode : null
  const command = textOf(from, 'command')
  return {
    code: textOf(from, 'code'),
    originalCode: textOf(from, 'originalCode'),
    status,
    command: command.startsWith('AUTH') ? 'AUTH' : command
  }
}

/** Status of the server's reply and why the attempt failed, without anything of the reply or of the server. */
export function mailReason(error: unknown): { readonly status: number | null; readonly reason: string } {
  const { code, originalCode, status, command } = read(error)
  if (status !== null) return { status, reason: `status ${status}: the mail server refused ${COMMANDS[command] ?? 'a command'}` }
  if (code === 'ETLS') return { status, reason: 'the TLS handshake with the mail server failed' }
  const cause = Object.assign(new Error(), { code: originalCode === '' ? (BY_CODE[code] ?? code) : originalCode })
  return { status, reason: `mail server: ${failureReason(cause)}` }
}

/** Codes of the library as those of the system. */
const BY_CODE: Readonly<Record<string, string>> = { ECONNECTION: 'ECONNRESET', ETIMEDOUT: 'ABORT_ERR', EDNS: 'ENOTFOUND' }

/**
 * Whether another attempt has the same outcome: the server refuses this recipient or this message for good (RFC 5321, section
 * 4.2.1). What it refuses of the sender or the sign-in, the operator can change.
 */
export function isFinalMailError(error: unknown): boolean {
  const { status, command } = read(error)
  return status !== null && status >= PERMANENT && (command === 'RCPT TO' || command === 'DATA')
}
