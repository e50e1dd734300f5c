import type { Random } from './random.js'
import { CITIES, OPERATIONS, OUTCOMES, WORDS } from './vocabulary.js'

/** One kind of log line: its service and level are fixed, its variables are drawn again for each line. */
export interface Template {
  readonly service: number
  readonly level: string
  readonly render: (random: Random) => string
}

const VARIABLES: Readonly<Record<string, (random: Random) => string>> = {
  id: r => String(100000 + r.below(900000)),
  user: r => `u${10000 + r.below(50000)}`,
  sku: r => `SKU-${1000 + r.below(9000)}`,
  hex: r => r.hex(8),
  n: r => String(1 + r.below(40)),
  ms: r => String(1 + Math.floor(-Math.log(1 - r.next()) * 120)),
  bytes: r => String(200 + r.below(60000)),
  ip: r => `10.${r.below(8)}.${r.below(256)}.${1 + r.below(254)}`,
  port: r => String(30000 + r.below(10000)),
  word: r => r.pick(WORDS),
  city: r => r.pick(CITIES)
}

function compile(pattern: string): (random: Random) => string {
  const parts = pattern.split(/\{(\w+)\}/).map((part, i) => (i % 2 === 0 ? part : VARIABLES[part]!))
  return random => {
    let text = ''
    for (const part of parts) text += typeof part === 'string' ? part : part(random)
    return text
  }
}

/** The 200 templates: each operation with each outcome. */
export const TEMPLATES: readonly Template[] = OPERATIONS.flatMap((operation, service) =>
  OUTCOMES.map(([level, outcome]) => ({ service, level, render: compile(outcome.replace('{op}', operation)) }))
)

// Real services log few kinds of line often and many seldom; the outcomes' errors stay near 2 %.
const WEIGHTS = [22, 14, 18, 10, 12, 8, 6, 4, 4, 2]
const OUTCOME_OF = WEIGHTS.flatMap((weight, outcome) => Array.from({ length: weight }, () => outcome))

/** Draws a template by weight. */
export function pickTemplate(random: Random): Template {
  return TEMPLATES[random.below(OPERATIONS.length) * OUTCOMES.length + OUTCOME_OF[random.below(100)]!]!
}
