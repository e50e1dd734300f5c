import { describe, expect, it } from '@jest/globals'
import type { ApmError } from '../../../src/domain/records/error.js'
import type { RumEvent } from '../../../src/domain/records/rum.js'
import { fingerprint, messageTemplate, topFrames } from '../../../src/ingest/fingerprint.js'
import { pageGroup, parseRum } from '../../../src/ingest/parse-rum.js'
import { parseApmError } from '../../../src/ingest/parse-apm-error.js'
import { accepted, itemCheck, NOW_NS, refusal } from './items.js'
import { cpuMs } from '../../support/cpu-ms.js'

/** CPU time in µs, whatever else runs: linear work takes milliseconds, backtracking minutes. */
const MAX_CPU_MS = 5_000

const PAGE = 'https://shop.example/product/123?ref=mail#top'
const rum = (raw: unknown, country: string | null = null): RumEvent => accepted<RumEvent>(parseRum(raw, itemCheck(country)))
const error = (raw: unknown): ApmError => accepted<ApmError>(parseApmError(raw, itemCheck()))

describe('a page view', () => {
  it('is normalized with every field of the interface', () => {
    const raw = {
      page_url: PAGE,
      page_title: 'Lamp',
      load_time_ms: 1200,
      largest_contentful_paint_ms: 900.5,
      cumulative_layout_shift: 0.02,
      interaction_to_next_paint_ms: 0,
      session_id: 's1',
      device_type: 'mobile',
      browser: 'Firefox',
      os: 'Linux',
      country: 'de',
      viewport_width: 390,
      viewport_height: 844,
      connection_type: '4g',
      trace_id: 'ABCDEF0123456789',
      release: '1.2',
      tags: { plan: 'pro' },
      experiment: 'b'
    }
    expect(rum(raw)).toEqual({
      index: 7,
      timestampNs: NOW_NS,
      pageUrl: PAGE,
      pageGroup: 'https://shop.example/product/:id',
      pageTitle: 'Lamp',
      vitals: {
        largest_contentful_paint_ms: 900.5,
        interaction_to_next_paint_ms: 0,
        cumulative_layout_shift: 0.02,
        first_contentful_paint_ms: null,
        time_to_first_byte_ms: null,
        first_input_delay_ms: null,
        load_time_ms: 1200,
        dom_content_loaded_ms: null,
        time_to_interactive_ms: null,
        total_blocking_time_ms: null
      },
      sessionId: 's1',
      deviceType: 'mobile',
      browser: 'Firefox',
      os: 'Linux',
      country: 'DE',
      connectionType: '4g',
      viewportWidth: 390,
      viewportHeight: 844,
      traceId: 'abcdef0123456789',
      release: '1.2',
      tags: { plan: 'pro', experiment: 'b' }
    })
  })
})

describe('a page view’s fields', () => {
  it.each<[string, object, string]>([
    ['no page_url', {}, 'missing_field page_url'],
    ['an empty page_url', { page_url: '' }, 'missing_field page_url'],
    ['a page_url that is not a string', { page_url: 1 }, 'invalid_field page_url'],
    ['a negative time', { page_url: PAGE, load_time_ms: -1 }, 'invalid_field load_time_ms'],
    ['a text for a time', { page_url: PAGE, load_time_ms: '5' }, 'invalid_field load_time_ms'],
    ['a fraction of a pixel', { page_url: PAGE, viewport_width: 1.5 }, 'invalid_field viewport_width'],
    ['a viewport beyond 31 bits', { page_url: PAGE, viewport_width: 2 ** 31 }, 'invalid_field viewport_width'],
    ['a country of three letters', { page_url: PAGE, country: 'DEU' }, 'invalid_field country'],
    ['tags that are not an object', { page_url: PAGE, tags: 'x' }, 'invalid_field tags'],
    ['a page_url beyond 31 KiB', { page_url: `/${'x'.repeat(31 * 1024)}` }, 'record_too_large page_url']
  ])('is refused with %s', (_name, raw, why) => {
    expect(refusal(parseRum(raw, itemCheck()))).toBe(why)
  })

  it("takes the proxy's country only where the event names none", () => {
    expect(rum({ page_url: PAGE }, 'fr').country).toBe('FR')
    expect(rum({ page_url: PAGE, country: 'de' }, 'fr').country).toBe('DE')
    expect(rum({ page_url: PAGE }, 'T1').country).toBeNull()
  })

  it.each([
    ['https://a.example/', 'https://a.example/'],
    ['https://a.example?x=1', 'https://a.example'],
    ['https://user:secret@a.example/x', 'https://a.example/x'],
    ['/cart/42/item/7f3c2b1a', '/cart/:id/item/:id'],
    ['/u/550e8400-e29b-41d4-a716-446655440000/', '/u/:id/'],
    ['/o/01ARZ3NDEKTSV4RRFFQ69G5FAV', '/o/:id'],
    ['/deadbeef/facade', '/deadbeef/facade'],
    ['/blog/2026/11/how-to-measure-a-thing', '/blog/:id/:id/how-to-measure-a-thing'],
    ['/v2/products', '/v2/products'],
    ['app://screen/settings#x', 'app://screen/settings']
  ])('of %s belongs to %s', (url, group) => {
    expect(pageGroup(url)).toBe(group)
  })
})

describe('an APM error', () => {
  it('is normalized, its type Error when none was sent', () => {
    expect(error({ service: 'api', message: 'boom 17', trace_id: 'AB', code: 5, tags: { a: 1 } })).toMatchObject({
      service: 'api',
      message: 'boom 17',
      type: 'Error',
      stack: null,
      traceId: 'ab',
      tags: { a: 1, code: 5 },
      fingerprint: fingerprint({ service: 'api', type: 'Error', message: 'boom 18', stack: null })
    })
  })

  it.each<[string, object, string]>([
    ['no service', { message: 'x' }, 'missing_field service'],
    ['no message', { service: 'x' }, 'missing_field message'],
    ['a stack that is not a string', { service: 'x', message: 'y', stack: [] }, 'invalid_field stack'],
    ['tags that are not an object', { service: 'x', message: 'y', tags: [] }, 'invalid_field tags']
  ])('is refused with %s', (_name, raw, why) => {
    expect(refusal(parseApmError(raw, itemCheck()))).toBe(why)
  })

  it('is cut and marked when message or stack are too long', () => {
    const limit = 256 * 1024
    const cut = error({ service: 'x', message: 'm', stack: 's'.repeat(limit + 1) })
    expect([cut.stack?.length, cut.tags]).toEqual([limit, { _truncated: true }])
    expect(Object.keys(error({ service: 'x', message: 'm', stack: 's'.repeat(limit) }).tags)).toEqual([])
  })
})

describe('the fingerprint of an error', () => {
  const base = { service: 'api', type: 'TypeError', message: 'user 42 not found', stack: null }

  it('is 32 hex digits and stable', () => {
    expect(fingerprint(base)).toBe(fingerprint({ ...base }))
    expect(fingerprint(base)).toMatch(/^[0-9a-f]{32}$/)
  })

  it.each([
    ['numbers', 'user 43 not found'],
    ['white space', 'user  42 not found ']
  ])('does not look at %s of the message', (_what, message) => {
    expect(fingerprint({ ...base, message })).toBe(fingerprint(base))
  })

  it.each([
    ['service', { service: 'web' }],
    ['type', { type: 'RangeError' }],
    ['words', { message: 'user 42 found' }]
  ])('distinguishes %s', (_what, change) => {
    expect(fingerprint({ ...base, ...change })).not.toBe(fingerprint(base))
  })

  it.each([
    [`can't open 'x.txt' of user "bob"`, `can't open * of user *`],
    ['id 550e8400-e29b-41d4-a716-446655440000 at 0x7ffe', 'id * at *'],
    ['mail to bob@shop.example failed after 1.5 s', 'mail to * failed after * s'],
    ['commit 3f2a1b9c4d is bad', 'commit * is bad']
  ])('reads %s as %s', (message, template) => {
    expect(messageTemplate(message)).toBe(template)
  })

  it('goes by the top frames without positions, whatever the message', () => {
    const stack = (line: number): string =>
      `TypeError: x\n    at pay (/app/src/pay.js:${line}:7)\n    at run (/app/src/run.js:3:1)`
    const first = fingerprint({ ...base, stack: stack(12) })
    expect(fingerprint({ ...base, stack: stack(99), message: 'quite another' })).toBe(first)
    expect(fingerprint({ ...base, stack: stack(12).replace('pay (', 'refund (') })).not.toBe(first)
  })

  it('takes the innermost calls of Python, Java and Firefox stacks', () => {
    const python =
      'Traceback (most recent call last):\n  File "main.py", line 3, in <module>\n    go()\n  File "pay.py", line 9, in go\nValueError: x'
    expect(topFrames(python)).toEqual(['File "pay.py", in go', 'File "main.py", in <module>'])
    expect(topFrames('java.lang.X: y\n\tat a.B.c(B.java:10)\n\tat a.B.d(B.java:11)')).toEqual([
      'at a.B.c(B.java)',
      'at a.B.d(B.java)'
    ])
    expect(topFrames('pay@https://s.example/main.3f2a1b9c.js:1:2\n')).toEqual(['pay@https://s.example/main.js'])
    expect(topFrames('no frames here')).toEqual([])
  })

  it('is made of a hostile stack in bounded time', () => {
    const tookMs = cpuMs(() => {
      fingerprint({ ...base, stack: '@'.repeat(300_000), message: 'a'.repeat(300_000) })
      fingerprint({ ...base, stack: null, message: `${'a'.repeat(4000)}@`.repeat(50) })
    })
    expect(tookMs).toBeLessThan(MAX_CPU_MS)
  })
})
