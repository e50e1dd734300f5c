import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

// X.509 (RFC 5280) as far as a test needs it: an authority, and certificates of servers that it signs, in DER by hand, since
// Node reads certificates and makes none.

const TAG = {
  boolean: 0x01,
  integer: 0x02,
  bits: 0x03,
  octets: 0x04,
  oid: 0x06,
  utf8: 0x0c,
  utcTime: 0x17,
  sequence: 0x30,
  set: 0x31,
  version: 0xa0,
  extensions: 0xa3,
  dnsName: 0x82,
  ipAddress: 0x87
} as const
const OID = {
  ecdsaSha256: '2a8648ce3d040302',
  commonName: '550403',
  subjectAltName: '551d11',
  basicConstraints: '551d13'
} as const
const DAY_MS = 86_400_000
const SERIAL_BYTES = 8
const LINE = /.{1,64}/g

/** What a TLS server shows and what it signs with, in PEM. */
export interface ServerIdentity {
  readonly cert: string
  readonly key: string
}

/** An authority of one's own. */
export interface Authority {
  readonly pem: string
  /** A certificate for a server at this address or name. */
  issue(host: string): ServerIdentity
}

function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  const { length } = content
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}

const sequence = (...parts: readonly Buffer[]): Buffer => der(TAG.sequence, ...parts)
const oid = (hex: string): Buffer => der(TAG.oid, Buffer.from(hex, 'hex'))
const bits = (bytes: Buffer): Buffer => der(TAG.bits, Buffer.from([0]), bytes)
const nameOf = (text: string): Buffer => sequence(der(TAG.set, sequence(oid(OID.commonName), der(TAG.utf8, Buffer.from(text)))))

function time(ms: number): Buffer {
  const digits = new Date(ms).toISOString().replaceAll(/[-:T]/g, '')
  return der(TAG.utcTime, Buffer.from(`${digits.slice(2, 14)}Z`))
}

function extension(id: string, value: Buffer): Buffer {
  return sequence(oid(id), der(TAG.octets, value))
}

function hostExtension(host: string): Buffer {
  const isAddress = /^[\d.]+$/.test(host)
  const name = isAddress ? der(TAG.ipAddress, Buffer.from(host.split('.').map(Number))) : der(TAG.dnsName, Buffer.from(host))
  return extension(OID.subjectAltName, sequence(name))
}

interface Signing {
  readonly issuer: string
  readonly signWith: KeyObject
}

function certificate(subject: string, publicKey: KeyObject, extra: Buffer, { issuer, signWith }: Signing): string {
  const nowMs = Date.now()
  const algorithm = sequence(oid(OID.ecdsaSha256))
  const body = sequence(
    der(TAG.version, der(TAG.integer, Buffer.from([2]))),
    der(TAG.integer, Buffer.concat([Buffer.from([1]), randomBytes(SERIAL_BYTES)])),
    algorithm,
    nameOf(issuer),
    sequence(time(nowMs - DAY_MS), time(nowMs + DAY_MS)),
    nameOf(subject),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(TAG.extensions, sequence(extra))
  )
  const whole = sequence(body, algorithm, bits(sign('sha256', body, signWith)))
  return `-----BEGIN CERTIFICATE-----\n${whole.toString('base64').match(LINE)!.join('\n')}\n-----END CERTIFICATE-----\n`
}

const newKeys = () => generateKeyPairSync('ec', { namedCurve: 'P-256' })

/** Makes an authority that no one trusts yet; its certificates hold for a day. */
export function makeAuthority(name = 'a test authority'): Authority {
  const own = newKeys()
  const signing = { issuer: name, signWith: own.privateKey }
  const isAuthority = extension(OID.basicConstraints, sequence(der(TAG.boolean, Buffer.from([0xff]))))
  return {
    pem: certificate(name, own.publicKey, isAuthority, signing),
    issue: host => {
      const { publicKey, privateKey } = newKeys()
      const key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
      return { cert: certificate(host, publicKey, hostExtension(host), signing), key }
    }
  }
}
