import { describe, expect, it } from '@jest/globals'
import { isGatewayError } from '../../../src/domain/errors.js'
import type { LogRecord } from '../../../src/domain/records/log.js'
import { ItemCheck } from '../../../src/ingest/item-check.js'
import { DEFAULT_INGEST_LIMITS } from '../../../src/ingest/limits.js'
import { NO_DEFAULTS } from '../../../src/ingest/log-defaults.js'
import { parseLogDefaults } from '../../../src/ingest/parse-log-defaults.js'
import { parseLog } from '../../../src/ingest/parse-log.js'
import { parseJson } from '../../../src/wire/json/lossless-json.js'
import { accepted, itemCheck, refusal } from './items.js'

const DEFAULTS = {
  service: 'shop',
  host: 'web-1',
  environment: 'production',
  source: 'file',
  level: 'WARNING',
  log_fields: { _read_time: true, zone: 'a' },
  tags: { 'log.file.path': '/var/log/shop.log', region: 'eu' }
}

function checkWith(defaults: unknown): ItemCheck {
  const check = itemCheck()
  return new ItemCheck({ ...check.context, defaults: parseLogDefaults(defaults, check) })
}

const parse = (raw: unknown, defaults: unknown = DEFAULTS): LogRecord => accepted(parseLog(raw, checkWith(defaults)) as LogRecord)

function refused(defaults: unknown): string {
  try {
    checkWith(defaults)
  } catch (error) {
    if (isGatewayError(error)) return `${error.code} ${error.field} ${error.suggestions.join()}`.trim()
    throw error
  }
  throw new Error('accepted')
}

describe('defaults of a batch', () => {
  it('apply to a record without values of its own', () => {
    expect(parse({ message: 'x' })).toMatchObject({
      service: 'shop',
      host: 'web-1',
      environment: 'production',
      source: 'file',
      level: 'warn',
      levelText: 'WARNING',
      severityNumber: 13,
      fields: DEFAULTS.log_fields,
      tags: DEFAULTS.tags
    })
  })

  it('are replaced by values of the record, member by member', () => {
    const own = { service: 'cart', host: 'web-2', environment: 'test', source: 'app', level: 'error' }
    const free = { log_fields: { zone: 'b', n: 1 }, tags: { region: 'us' } }
    expect(parse({ message: 'x', ...own, ...free })).toMatchObject({
      ...own,
      severityNumber: 17,
      fields: { _read_time: true, zone: 'b', n: 1 },
      tags: { 'log.file.path': '/var/log/shop.log', region: 'us' }
    })
  })

  it('hold where the record sent null or an empty string', () => {
    const record = parse({ message: 'x', service: '', host: null, level: '', log_fields: null, tags: null })
    expect(record).toMatchObject({ service: 'shop', host: 'web-1', level: 'warn', tags: DEFAULTS.tags })
  })

  it('are replaced by members of other loggers and by unknown members', () => {
    const record = parse({ msg: 'x', hostname: 'web-3', severity: 'fatal', zone: 'c' })
    expect(record).toMatchObject({ message: 'x', host: 'web-3', level: 'fatal', service: 'shop' })
    expect(record.fields).toEqual({ _read_time: true, zone: 'c' })
  })

  it('leave the refusal of a record to the record', () => {
    const refusalOf = (raw: unknown): string => refusal(parseLog(raw, checkWith(DEFAULTS)))
    expect(refusalOf({ service: 'x' })).toBe('missing_field message')
    expect(refusalOf({ message: 'x', tags: 'y' })).toBe('invalid_field tags')
    expect(refusalOf({ message: 'x', host: 1 })).toBe('invalid_field host')
  })

  it('count as fields of each record', () => {
    const fields = Object.fromEntries(Array.from({ length: DEFAULT_INGEST_LIMITS.fields - 1 }, (_, i) => [`f${i}`, i]))
    const check = checkWith({ log_fields: { a: 1 } })
    expect(parse({ message: 'x', log_fields: fields }, { log_fields: { a: 1 } }).message).toBe('x')
    expect(refusal(parseLog({ message: 'x', log_fields: { ...fields, b: 1 } }, check))).toBe('record_too_large log_fields')
  })

  it('are empty when they are absent or null', () => {
    for (const none of [undefined, null]) expect(parseLogDefaults(none, itemCheck())).toBe(NO_DEFAULTS)
  })

  it('may have any name of a tag', () => {
    const defaults = parseJson(Buffer.from('{"tags":{"__proto__":"x","constructor":"y"}}'))
    expect(Object.entries(parse({ message: 'x', tags: { a: 1 } }, defaults).tags)).toEqual([
      ['__proto__', 'x'],
      ['constructor', 'y'],
      ['a', 1]
    ])
  })

  it.each([
    ['no object', [], 'invalid_field defaults'],
    ['a member that none may have', { message: 'x' }, 'invalid_field defaults'],
    ['a misspelt member', { servce: 'x' }, 'invalid_field defaults service'],
    ['a number for a string', { host: 1 }, 'invalid_field defaults.host'],
    ['a string for tags', { tags: 'x' }, 'invalid_field defaults.tags'],
    ['a value over the limit', { source: 'x'.repeat(31 * 1024 + 1) }, 'record_too_large defaults.source']
  ])('are refused: %s', (_name, defaults, expected) => {
    expect(refused(defaults)).toBe(expected)
  })
})
