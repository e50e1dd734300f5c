import { readFileSync } from 'node:fs'
import { describe, expect, it } from '@jest/globals'
import { contrast, distance, type Rgb, rgbOf, simulated, VISIONS } from '../support/colour.js'

const CSS = readFileSync('console/src/ui/tokens.css', 'utf8')
const LEVELS = ['debug', 'info', 'warn', 'error', 'fatal'].map(name => `level-${name}`)
const SERIES = Array.from({ length: 8 }, (_, i) => `series-${i + 1}`)
const RATINGS = ['vital-good', 'vital-needs-improvement', 'vital-poor']

function tokensOf(theme: 'light' | 'dark'): ReadonlyMap<string, Rgb> {
  const [block = ''] = CSS.slice(CSS.indexOf(`[data-theme='${theme}']`)).split('}')
  return new Map([...block.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map(([, name = '', hex = '']) => [name, rgbOf(hex)]))
}

/** The smallest distance between two of some colours, in normal sight and in three kinds of colour blindness. */
function smallestDistance(colours: readonly Rgb[]): number {
  const distances = VISIONS.flatMap(vision =>
    colours.flatMap((a, i) => colours.slice(i + 1).map(b => distance(simulated(a, vision), simulated(b, vision))))
  )
  return Math.min(...distances)
}

describe.each([
  ['light', { levels: 0.1, series: 0.09, ratings: 0.1 }],
  ['dark', { levels: 0.13, series: 0.11, ratings: 0.16 }]
] as const)('the %s palette', (theme, least) => {
  const tokens = tokensOf(theme)
  const token = (name: string): Rgb => tokens.get(name)!

  it.each([
    ['text', 'bg'],
    ['text', 'panel'],
    ['text', 'raised'],
    ['text', 'selection'],
    ['muted', 'bg'],
    ['muted', 'panel'],
    ['accent', 'bg'],
    ['on-accent', 'accent'],
    ['warn-text', 'warn-fill'],
    ['error-text', 'error-fill']
  ])('has a contrast of 5 for %s on %s', (front, back) => {
    expect(contrast(token(front), token(back))).toBeGreaterThanOrEqual(5)
  })

  it.each(LEVELS)('has a contrast of 4.5 for %s on a panel', name => {
    expect(contrast(token(name), token('panel'))).toBeGreaterThanOrEqual(4.5)
  })

  it.each(SERIES)('has a contrast of 3 for %s on a panel', name => {
    expect(contrast(token(name), token('panel'))).toBeGreaterThanOrEqual(3)
  })

  it.each([
    ['levels', LEVELS],
    ['series', SERIES],
    ['ratings', RATINGS]
  ] as const)('distinguishes %s in every kind of sight', (kind, names) => {
    expect(smallestDistance(names.map(token))).toBeGreaterThanOrEqual(least[kind])
  })
})
