import { describe, expect, it } from '@jest/globals'
import * as fc from 'fast-check'
import { LinePattern, MATCHED_CHARS } from '../../agent/src/line-pattern/line-pattern.js'
import { cpuMs } from '../support/cpu-ms.js'

const matches = (pattern: string, line: string): boolean => new LinePattern(pattern).matches(line)

/** Where a part of a pattern can end that begins at a place of a line. */
type Ends = (line: string, at: number) => ReadonlySet<number>

/** A part of a pattern, and what it means: regular expressions of JavaScript backtrack for hours over some of them. */
interface Part {
  readonly text: string
  /** One of them matches. */
  readonly alternatives: readonly Ends[]
}

/** The same, computed once for each place of a line: nested repetitions need it again and again. */
function once(ends: Ends): Ends {
  let known: { readonly line: string; readonly places: Map<number, ReadonlySet<number>> } = { line: '', places: new Map() }
  return (line, at) => {
    if (known.line !== line) known = { line, places: new Map() }
    const found = known.places.get(at) ?? ends(line, at)
    known.places.set(at, found)
    return found
  }
}

function endsOf({ alternatives }: Part): Ends {
  return once((line, at) => new Set(alternatives.flatMap(ends => [...ends(line, at)])))
}

function character(text: string): Part {
  const one = new RegExp(`^${text}$`)
  return { text, alternatives: [(line, at) => new Set(at < line.length && one.test(line[at]!) ? [at + 1] : [])] }
}

const after = (ends: Ends, line: string, places: Iterable<number>): ReadonlySet<number> =>
  new Set([...places].flatMap(at => [...ends(line, at)]))

function inRow(parts: readonly Part[]): Part {
  const all = parts.map(endsOf)
  const ends: Ends = (line, at) => all.reduce<ReadonlySet<number>>((places, one) => after(one, line, places), new Set([at]))
  return { text: parts.map(({ text }) => text).join(''), alternatives: [ends] }
}

/** Least and most repetitions. */
const COUNTS: Readonly<Record<string, readonly [number, number]>> = {
  ...{ '': [1, 1], '*': [0, Infinity], '*?': [0, Infinity], '+': [1, Infinity], '?': [0, 1] },
  ...{ '{2}': [2, 2], '{0,2}': [0, 2], '{1,}': [1, Infinity] }
}

function repeated(part: Part, count: string): Part {
  const [least, most] = COUNTS[count]!
  const one = endsOf(part)
  const ends: Ends = (line, at) => {
    const found = new Set<number>()
    let places: ReadonlySet<number> = new Set([at])
    // More repetitions than characters end where fewer do.
    for (let times = 0; times <= Math.min(most, line.length + least); times++) {
      if (times >= least) for (const place of places) found.add(place)
      places = after(one, line, places)
    }
    return found
  }
  return { text: part.text + count, alternatives: [ends] }
}

const either = (one: Part, other: Part | null): Part =>
  other === null ? one : { text: `${one.text}|${other.text}`, alternatives: [...one.alternatives, ...other.alternatives] }

const characters = fc.constantFrom('a', 'b', '.', '[ab]', '[^a]', '[a-b]', '\\d', '\\w', '\\s', '\\S', '\\.', ' ').map(character)
const counts = fc.constantFrom('', '', ...Object.keys(COUNTS))
const lines = fc.string({ unit: fc.constantFrom('a', 'b', '.', ' ', '7'), maxLength: 12 })

/** Patterns of few characters, so that they match often. */
const patterns = fc.letrec<{ pattern: Part; atom: Part }>(tie => ({
  atom: fc.oneof(
    characters,
    tie('pattern').map(part => ({ ...part, text: `(?:${part.text})` }))
  ),
  pattern: fc
    .tuple(fc.array(fc.tuple(tie('atom'), counts), { maxLength: 4 }), fc.constantFrom(null, character('b'), inRow([])))
    .map(([parts, other]) => either(inRow(parts.map(([atom, count]) => repeated(atom, count))), other))
})).pattern

/** Whether a line has a match: anchors belong to the first and to the last alternative. */
function isFound({ alternatives }: Part, line: string, anchors: { readonly begin: boolean; readonly end: boolean }): boolean {
  return alternatives.some((ends, i) => {
    const isFirst = i === 0
    const isLast = i === alternatives.length - 1
    const starts = anchors.begin && isFirst ? [0] : Array.from({ length: line.length + 1 }, (_, at) => at)
    const found = after(ends, line, starts)
    return anchors.end && isLast ? found.has(line.length) : found.size > 0
  })
}

describe('a pattern of lines', () => {
  it('matches what its parts match', () => {
    fc.assert(
      fc.property(fc.boolean(), patterns, fc.boolean(), lines, (begin, part, end, line) => {
        const pattern = `${begin ? '^' : ''}${part.text}${end ? '$' : ''}`
        expect(matches(pattern, line)).toBe(isFound(part, line, { begin, end }))
      }),
      { numRuns: 2_000 }
    )
  })

  it('matches what a regular expression of JavaScript matches', () => {
    const flat = fc
      .array(fc.tuple(characters, counts), { maxLength: 4 })
      .map(parts => parts.map(([{ text }, count]) => text + count).join(''))
    fc.assert(
      fc.property(fc.constantFrom('', '^'), flat, fc.constantFrom('', '|b', '$'), lines, (begin, row, end, line) => {
        const pattern = begin + row + end
        expect(matches(pattern, line)).toBe(new RegExp(pattern).test(line))
      }),
      { numRuns: 2_000 }
    )
  })

  it.each([
    ['^\\d{4}-\\d{2}-\\d{2}', '2026-11-24 10:00 INFO a', true],
    ['^\\d{4}-\\d{2}-\\d{2}', '\tat com.shop.Order(Order.java:7)', false],
    ['^\\S', 'Exception in thread', true],
    ['^\\S', '    at f', false],
    ['^(?:INFO|WARN|ERROR) ', 'WARN a', true],
    ['^\\[[^\\]]+\\]', '[main] a', true],
    ['^[^\\s]', '\ta', false],
    ['[]a]', ']', true],
    ['[a-]', '-', true],
    ['a{2', 'a{2', true],
    ['', '', true],
    ['é|日', 'x日', true]
  ])('%s in %j: %s', (pattern, line, expected) => {
    expect(matches(pattern, line)).toBe(expected)
  })

  it('is looked for in the first characters of a line', () => {
    expect(matches('b', `${'a'.repeat(MATCHED_CHARS - 1)}b`)).toBe(true)
    expect(matches('b', `${'a'.repeat(MATCHED_CHARS)}b`)).toBe(false)
    expect(matches('a$', 'a'.repeat(MATCHED_CHARS + 1))).toBe(false)
  })

  it('takes as long for lines that make others backtrack', () => {
    const pattern = new LinePattern('^(?:(?:a+)+)+b$')
    const tookMs = cpuMs(() => {
      for (let i = 0; i < 100; i++) pattern.matches('a'.repeat(10_000))
    })
    expect(tookMs).toBeLessThan(2_000)
  })

  it.each([
    ['(a', 'has a group without an end'],
    ['a)', 'has a closing parenthesis without an opening one'],
    ['[a', 'ends too early'],
    ['*a', 'repeats nothing'],
    ['a**', 'repeats a repetition'],
    ['^*', 'repeats an anchor'],
    ['a{101}', 'repeats more than 100 times'],
    ['a{3,2}', 'has a count whose end is before its start'],
    ['(?=a)', 'has a group other than'],
    ['(?<n>a)', 'has a group other than'],
    ['\\1', 'has the unknown escape'],
    ['\\b', 'has the unknown escape'],
    ['[z-a]', 'has a range'],
    ['[\\d-z]', 'has a range'],
    ['[[:alpha:]]', 'has a named class'],
    ['a'.repeat(501), 'exceeds 500 characters (got 501)'],
    ['('.repeat(21) + ')'.repeat(21), 'has more than 20 nested groups'],
    ['(?:a{100}){100}', 'is too long']
  ])('rejects %s', (pattern, fault) => {
    expect(() => new LinePattern(pattern)).toThrow(fault)
  })
})
