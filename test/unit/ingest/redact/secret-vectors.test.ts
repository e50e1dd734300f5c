import { describe, expect, it } from '@jest/globals'
import { DETECTORS } from '../../../../src/domain/log-rules.js'
import { SecretScanner } from '../../../../src/ingest/redact/secret-scanner.js'

/** Secrets are put together here, so that no scanner of repositories takes these for real ones. */
const join = (...parts: readonly string[]): string => parts.join('')

const scanner = new SecretScanner({ detectors: DETECTORS, keys: [], literals: [] })
const redact = (text: string): string => scanner.redact(text, () => undefined)

/** Of JSON within a string, and of URLs. */
const ESCAPED = ['\\n', '\\t', '\\r', '\\u0022', '\\u003d', '%22', '%20', '%3D', '%3d'] as const

describe('card numbers', () => {
  // Test numbers of the networks.
  it.each([
    ['Visa', '4111111111111111'],
    ['Visa, 13 digits', '4222222222222'],
    ['Mastercard', '5555555555554444'],
    ['Mastercard, series 2', '2223003122003222'],
    ['American Express', '378282246310005'],
    ['Discover', '6011111111111117'],
    ['Diners Club', '30569309025904'],
    ['JCB', '3530111333300000'],
    ['UnionPay', '6200000000000005'],
    ['in print', '4111 1111 1111 1111'],
    ['with hyphens', '4111-1111-1111-1111'],
    ['American Express in print', '3782 822463 10005']
  ])('%s', (_, card) => {
    expect(redact(`paid with ${card}, thanks`)).toBe('paid with [redacted:card], thanks')
    expect(redact(card)).toBe('[redacted:card]')
    expect(redact(`"${card}"`)).toBe('"[redacted:card]"')
  })

  it.each([
    ['a wrong check digit', '4111111111111112'],
    ['no issuer', '1111111111111117'],
    ['a digit more', '41111111111111113'],
    ['part of a word', 'x4111111111111111'],
    ['part of an id', '4111111111111111abcdef0123456789'],
    ['decimals', '0.4111111111111111'],
    ['milliseconds', '1795401131869'],
    ['nanoseconds', '1795401131869070387'],
    ['mixed separators', '4111 1111-1111 1111'],
    ['groups of another form', '41 1111 1111 1111 11'],
    ['a date and a time', '2026-11-24 19:58:14']
  ])('not %s', (_, text) => expect(redact(text)).toBe(text))

  it.each(ESCAPED)('after the escaped character %s', escaped =>
    expect(redact(`{"x":"paid by${escaped}4111111111111111"}`)).toBe(`{"x":"paid by${escaped}[redacted:card]"}`)
  )

  it('takes the longest of numbers that begin alike', () => {
    expect(redact('4111 1111 1111 1111 123 and 4111 1111 1111 1111')).toBe('[redacted:card] 123 and [redacted:card]')
  })
})

describe('e-mail addresses', () => {
  it.each([
    'ada@example.com',
    'ada.lovelace+tag@mail.example.co.uk',
    'a_b-c@x.io',
    'jürgen@müller.de',
    'ada@xn--mller-kva.xn--p1ai',
    'ada%40example.com'
  ])('%s', address => {
    for (const [before, after] of [
      ['', ''],
      ['from <', '>'],
      ['user=', '&x=1'],
      ['/users/', '/orders'],
      ['mail to ', '.'],
      ['{"user":"', '"}']
    ] as const) {
      expect(redact(`${before}${address}${after}`)).toBe(`${before}[redacted:email]${after}`)
    }
  })

  it.each(['react@18.2.0', '@ada', 'ada@', 'root@localhost', 'a @ b.com', '50%4 of x', 'x@@y.com', 'me@x.1'])('not %s', text =>
    expect(redact(text)).toBe(text)
  )
})

describe('tokens', () => {
  const many = (char: string, count: number): string => char.repeat(count)
  it.each([
    ['AWS', join('AKIA', 'IOSFODNN7EXAMPLE')],
    ['GitHub', join('ghp_', many('a1B2', 9))],
    ['GitHub, fine-grained', join('github_pat_', many('a1_', 25))],
    ['GitLab', join('glpat-', many('a1-_', 5))],
    ['Slack', join('xoxb-', '123456789012-123456789012-', many('aB', 12))],
    ['Stripe', join('sk_live_', many('a1B2', 6))],
    ['Google', join('AIza', many('SyD-_', 7))],
    ['OpenAI', join('sk-proj-', many('a1B2', 10))],
    ['Anthropic', join('sk-ant-api03-', many('a1B2', 20))],
    ['npm', join('npm_', many('a1B2', 9))],
    ['SendGrid', join('SG.', many('a', 22), '.', many('b', 43))],
    ['Hugging Face', join('hf_', many('aB', 17))],
    ['Vault', join('hvs.', many('a1', 15))],
    ['Alidade', join('ali_ingest_', many('aB1_', 8))],
    ['JSON Web Token', join('eyJhbGciOiJIUzI1NiJ9', '.', 'eyJzdWIiOiIxMjM0In0', '.', 'dozjgNryP4J3jVmNHl0w')],
    ['an unsigned JSON Web Token', join('eyJhbGciOiJub25lIn0', '.', 'eyJzdWIiOiIxMjM0In0', '.')]
  ])('%s', (_, token) => {
    expect(redact(`key ${token} used`)).toBe('key [redacted:token] used')
    expect(redact(`Authorization: Bearer ${token}`)).toBe('Authorization: Bearer [redacted:token]')
    for (const escaped of ESCAPED) expect(redact(`a${escaped}${token}"`)).toBe(`a${escaped}[redacted:token]"`)
  })

  it.each(['sk-short', 'AKIA', 'AKIAIOSFODNN7EXAMPLELONG', 'mask-live_x', 'eyJ.eyJ.x', 'npm_config_registry', 'SG.1', 'hvs.x'])(
    'not %s',
    text => expect(redact(text)).toBe(text)
  )
})

describe('private keys', () => {
  const label = join('PRIVATE', ' KEY')
  it.each(['', 'RSA ', 'EC ', 'OPENSSH ', 'ENCRYPTED '])('%sPRIVATE KEY', kind => {
    const pem = join(`-----BEGIN ${kind}${label}-----`, '\nMIIEow==\n', `-----END ${kind}${label}-----`)
    expect(redact(`loaded ${pem}\nok`)).toBe('loaded [redacted:private_key]\nok')
    expect(redact(`loaded ${pem.replaceAll('\n', '\\n')} ok`)).toBe('loaded [redacted:private_key] ok')
  })

  it('of PGP, and one without its end', () => {
    expect(redact(join('x -----BEGIN PGP ', label, ' BLOCK-----\nabc'))).toBe('x [redacted:private_key]')
  })

  it.each(['-----BEGIN CERTIFICATE-----\nx\n-----END CERTIFICATE-----', '-----BEGIN ', '----------'])('not %s', text =>
    expect(redact(text)).toBe(text)
  )
})

describe('passwords in URLs', () => {
  it.each([
    ['postgres://app:s3cret@db.internal/x', 'postgres://app:[redacted:url_password]@db.internal/x'],
    ['redis://:s3cret@cache', 'redis://:[redacted:url_password]@cache'],
    ['amqp://u:p@ss@h', 'amqp://u:[redacted:url_password]@h'],
    ['{"dsn":"mysql:\\/\\/root:s3cret@db"}', '{"dsn":"mysql:\\/\\/root:[redacted:url_password]@db"}'],
    ['{\\"dsn\\":\\"mysql:\\\\/\\\\/root:s3cret@db\\"}', '{\\"dsn\\":\\"mysql:\\\\/\\\\/root:[redacted:url_password]@db\\"}']
  ])('%s', (text, expected) => expect(redact(text)).toBe(expected))

  it.each(['https://example.com:8080/a', 'https://example.com/a:b@c', 'http://user@host/'])('not %s', text =>
    expect(redact(text)).toBe(text)
  )
})
