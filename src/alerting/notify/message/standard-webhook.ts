import { createHmac, createPrivateKey, createPublicKey, sign } from 'node:crypto'
import type { SignatureScheme } from '../../../domain/alerts/channel.js'

// Standard Webhooks 1.0.0 (github.com/standard-webhooks/standard-webhooks, spec/standard-webhooks.md): the signed content
// is `id.timestamp.body`; signatures are separated by spaces and versioned.

const SECRET_PREFIX = 'whsec_'
const PRIVATE_PREFIX = 'whsk_'
const PUBLIC_PREFIX = 'whpk_'
/** Of HMAC secrets, and of seeds of ed25519. */
const SECRET_BYTES = 32
/** DER of an ed25519 private key in PKCS #8 before its seed (RFC 8410, section 7). */
const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex')
/** Length of the DER head of an ed25519 public key in SubjectPublicKeyInfo. */
const SPKI_HEAD_BYTES = 12

/** A new secret: `whsec_` for HMAC-SHA256, `whsk_` for ed25519, followed by base64 of 32 bytes. */
export function newSecret(scheme: SignatureScheme, randomBytes: (n: number) => Uint8Array): string {
  const prefix = scheme === 'v1' ? SECRET_PREFIX : PRIVATE_PREFIX
  return prefix + Buffer.from(randomBytes(SECRET_BYTES)).toString('base64')
}

function privateKeyOf(secret: string): ReturnType<typeof createPrivateKey> {
  const seed = Buffer.from(secret.slice(PRIVATE_PREFIX.length), 'base64')
  return createPrivateKey({ key: Buffer.concat([PKCS8_HEAD, seed]), format: 'der', type: 'pkcs8' })
}

/** What a receiver needs to verify signatures: the secret itself for HMAC, the public key (`whpk_`) for ed25519. */
export function verificationKey(secret: string): string {
  if (secret.startsWith(SECRET_PREFIX)) return secret
  const spki = createPublicKey(privateKeyOf(secret)).export({ format: 'der', type: 'spki' })
  return PUBLIC_PREFIX + spki.subarray(SPKI_HEAD_BYTES).toString('base64')
}

function signatureOf(secret: string, content: Buffer): string {
  if (secret.startsWith(PRIVATE_PREFIX)) return `v1a,${sign(null, content, privateKeyOf(secret)).toString('base64')}`
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64')
  return `v1,${createHmac('sha256', key).update(content).digest('base64')}`
}

/** A request to be signed. */
export interface SignedRequest {
  readonly id: string
  /** Of the attempt. */
  readonly atMs: number
  /** The bytes that are sent. */
  readonly body: Buffer
  /** The present one first; after a rotation also the previous one. */
  readonly secrets: readonly string[]
}

/** Headers `webhook-id`, `webhook-timestamp` (Unix seconds) and `webhook-signature` over the very bytes of the body. */
export function signatureHeaders({ id, atMs, body, secrets }: SignedRequest): Readonly<Record<string, string>> {
  const timestamp = String(Math.floor(atMs / 1_000))
  const content = Buffer.concat([Buffer.from(`${id}.${timestamp}.`), body])
  const signature = secrets.map(secret => signatureOf(secret, content)).join(' ')
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature }
}
