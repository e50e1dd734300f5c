import { describe, expect, it } from '@jest/globals'
import { seededRandom } from '../../../../bench/generate/random.js'
import { MAX_HEAD } from '../../../../src/ingest/patterns/message-head.js'
import { MessageScanner } from '../../../../src/ingest/patterns/message-scanner.js'
import { PatternMiner } from '../../../../src/ingest/patterns/pattern-miner.js'
import { MAX_TOKENS } from '../../../../src/ingest/patterns/tokens.js'
import { MAX_WORD } from '../../../../src/ingest/patterns/word-scan.js'
import { templateOf } from './templates.js'

describe('variable parts of a message', () => {
  it.each([
    ['user bob logged in from 10.1.2.3', 'user bob logged in from <ip>'],
    ['peer 10.1.2.3:443 gone', 'peer <ip> gone'],
    ['net 10.0.0.0/8 added', 'net <ip> added'],
    ['from fe80::c6b3:1ff:fecd:467f%en0 now', 'from <ip> now'],
    ['mac 00:11:22:33:44:55 seen', 'mac <ip> seen'],
    ['version 1.2.3.4.5 out', 'version <num> out'],
    ['order 550e8400-e29b-41d4-a716-446655440000 done', 'order <uuid> done'],
    ['at 0x7fff5f commit deadbeef12', 'at <hex> commit <hex>'],
    ['deadbeef is a word', 'deadbeef is a word'],
    ['took 5ms, then 1.5s', 'took <duration>, then <duration>'],
    ['took 5 ms', 'took <num> ms'],
    ['5 of -3 and +7.5 and 1,024.5 and 50% and 1e-5', '<num> of <num> and <num> and <num> and <num> and <num>'],
    ['read 5MB', 'read <num>MB'],
    ['2024-05-01T10:00:00.123Z up', '<timestamp> up'],
    ['2024-05-01 10:00:00,123 up', '<timestamp> up'],
    ['10:00:00.5 up since 1/5/24', '<timestamp> up since <timestamp>'],
    ['open /var/log/x.log.', 'open <path>.'],
    ['C:\\Windows\\x.dll loaded', '<path> loaded'],
    ['GET https://a.b/c?d=1,2: refused', 'GET <url>: refused'],
    ['mail to a.b@c.org bounced', 'mail to <email> bounced'],
    ['to db-1.prod.internal:5432 from ns.foo.br', 'to <host> from <host>'],
    ['java.io.IOException in app.main.py', 'java.io.IOException in app.main.py'],
    ['sent "good bye" twice', 'sent <quoted> twice'],
    ['sent "good bye', 'sent "good bye'],
    ["state is 'Active'", "state is 'Active'"],
    ['blk_-123 attempt_12_0020_m_000001_0 en0', 'blk_<num> attempt_<num> en<num>'],
    ['token a1b2c3d4x9 expired', 'token <id> expired'],
    ['ids 1, 2, 3 and 4', 'ids <num> and <num>'],
    ['blocks blk_1 blk_2 blk_3', 'blocks blk_<num>'],
    ['a::b and a:b', 'a::b and a:b'],
    ['\u001b[31mERROR\u001b[0m failed', 'ERROR failed'],
    ['  padded   words  ', 'padded words'],
    ['ключ=значение привет 5', 'ключ=<*> привет <num>'],
    ['a\u0001b\u0002c', 'a b c']
  ])('%s', (message, template) => {
    expect(templateOf(message)).toBe(template)
  })

  it.each(['', '   ', '\n\t\n'])('a blank message %j has no pattern', message => {
    expect(templateOf(message)).toBeNull()
  })
})

describe('messages with a structure', () => {
  it.each([
    ['level=info user=bob err= n=5', 'level=<*> user=<*> err= n=<*>'],
    ['level=info msg="took 5ms at home" user="a b"', 'level=<*> msg="took <duration> at home" user=<quoted>'],
    ['rhost= user=root', 'rhost=<*> user=<*>'],
    ['a=1&b=2;c=3', 'a=<*>&b=<*>;c=<*>'],
    ['a == b', 'a == b'],
    ['x = y', 'x = y'],
    ['{"level":"info","n":5,"ok":true,"z":null}', '{"level":<quoted>,"n":<*>,"ok":<*>,"z":<*>}'],
    [
      '{"msg": "user 5 paid", "tags": ["a","b"], "x": {"y": 1.5}}',
      '{"msg": "user <num> paid", "tags": [<quoted>], "x": {"y": <*>}}'
    ],
    ['{"msg":"he sent \\"no\\" twice","a":1}', '{"msg":"he sent \\"no\\" twice","a":<*>}']
  ])('%s', (message, template) => {
    expect(templateOf(message)).toBe(template)
  })

  it('a stack is known by its head', () => {
    expect(templateOf('java.lang.IllegalState: no 5\n\tat a.b.C(D.java:5)\nCaused by: x')).toBe(
      'java.lang.IllegalState: no <num>'
    )
    expect(templateOf('\n\n  first line\nsecond')).toBe('first line')
    expect(templateOf('Traceback (most recent call last):\n  File "x.py", line 1\nValueError: no 5\n')).toBe(
      'ValueError: no <num>'
    )
  })

  it('a stack of Python is known by its last line, unless more blanks follow than a head has characters', () => {
    const stack = 'Traceback (most recent call last):\n  File "x.py"\nValueError: no 5'
    expect(templateOf(stack + '\n'.repeat(MAX_HEAD - 1))).toBe('ValueError: no <num>')
    expect(templateOf(stack + '\n'.repeat(MAX_HEAD))).toBe('Traceback (most recent call last):')
  })
})

describe('hostile messages', () => {
  const hostile: readonly [string, string][] = [
    ['one endless word', 'x'.repeat(300_000)],
    ['one endless number', '1'.repeat(300_000)],
    ['one endless group of dots', '1.'.repeat(150_000)],
    ['quotes', '"'.repeat(300_000)],
    ['open quotes and backslashes', '"\\'.repeat(150_000)],
    ['equal signs', 'a='.repeat(150_000)],
    ['blank lines', '\n'.repeat(300_000)],
    ['colons', 'a:'.repeat(150_000)],
    ['escapes', '\u001b['.repeat(150_000)],
    ['tracebacks', `Traceback (most recent call last)${'\n '.repeat(150_000)}`],
    ['a million words', 'ab cd '.repeat(100_000)]
  ]

  it.each(hostile)('%s: a bounded head and a bounded number of tokens', (_, message) => {
    const scanner = new MessageScanner()
    scanner.scan(message)
    const { tokens } = scanner
    expect(tokens.length).toBeLessThanOrEqual(MAX_TOKENS)
    for (let i = 0; i < tokens.length; i++) expect(tokens.ends[i]! - tokens.starts[0]!).toBeLessThanOrEqual(MAX_HEAD)
  })

  it('a word of 128 characters is a word, a longer one an identifier', () => {
    expect(templateOf('x'.repeat(MAX_WORD))).toBe('x'.repeat(MAX_WORD))
    expect(templateOf('x'.repeat(MAX_WORD + 1))).toBe('<id>')
    expect(templateOf(`{"${'x'.repeat(MAX_WORD + 1)}":1}`)).toBe('{"<quoted>":<*>}')
  })

  it('what is behind the last counted token does not change the pattern', () => {
    const words = Array.from({ length: MAX_TOKENS }, (_, i) => 'abcdefghij'[i % 10]!.repeat(2 + Math.trunc(i / 10)))
    const miner = new PatternMiner({ limit: 10, seed: 1 })
    expect(miner.idOf(`${words.join(' ')} x`)).toBe(miner.idOf(`${words.join(' ')} y`))
  })
})

describe('keys of messages', () => {
  it('are equal exactly for messages with equal tokens, whatever the seed', () => {
    const random = seededRandom(3)
    const parts = [
      'a',
      'b1',
      '5',
      '-7',
      '"q"',
      ' ',
      ' ',
      ',',
      '=',
      ':',
      '/x',
      'blk_1_2',
      '1.2.3.4',
      '{',
      '}',
      '0x1f',
      '.',
      '"',
      'msg'
    ]
    const scanner = new MessageScanner(random.below(2 ** 31))
    const templates = new Map<number, string>()
    const keys = new Map<string, number>()
    for (let n = 0; n < 20_000; n++) {
      const message = Array.from({ length: 1 + random.below(7) }, () => random.pick(parts)).join('')
      const key = scanner.scan(message)
      const { tokens } = scanner
      const text = Array.from({ length: tokens.length }, (_, i) =>
        tokens.kinds[i] === 0
          ? `0${scanner.wordText(i)}`
          : `${tokens.kinds[i]}${tokens.kinds[i]! < 3 ? message[tokens.starts[i]!]! : ''}`
      ).join('\n')
      const spaced = text.replaceAll(/2[\t\n ]/g, '2 ')
      expect(templates.get(key) ?? spaced).toBe(spaced)
      expect(keys.get(spaced) ?? key).toBe(key)
      templates.set(key, spaced)
      keys.set(spaced, key)
    }
  })
})
