import type { LabelMatcher } from '../../../ports/metric-store.js'
import { NAME } from '../labels.js'
import type { AtModifier, Call, Expr, VectorSelector } from '../syntax/ast.js'
import { typeOf } from '../syntax/check-types.js'

const TARGET_INFO: LabelMatcher = { name: NAME, op: 'eq', value: 'target_info' }
const ANY_INFO: LabelMatcher = { name: NAME, op: 'regex', value: '.+_info' }

/** The conditions that the second argument of `info` names. */
export function dataMatchers({ args }: Call): readonly LabelMatcher[] {
  return args[1]?.type === 'selector' ? args[1].matchers : []
}

/** Which metrics have the information: `target_info`, those in the call, or all with its suffix except those that it excludes. */
export function infoNameMatchers(call: Call): readonly LabelMatcher[] {
  const named = dataMatchers(call).filter(({ name }) => name === NAME)
  if (named.length === 0) return [TARGET_INFO]
  return named.some(({ op }) => op === 'eq' || op === 'regex') ? named : [ANY_INFO, ...named]
}

interface Shift {
  readonly offsetMs: number
  readonly at: AtModifier | null
}

const NOW: Shift = { offsetMs: 0, at: null }

/** Where the selectors of an expression look; null for a vector that has none. */
function shiftsOf(expr: Expr, around: Shift): readonly (Shift | null)[] {
  const added = ({ offsetMs, at }: Shift): Shift =>
    at === null ? { offsetMs: offsetMs + around.offsetMs, at: around.at } : { offsetMs, at }
  switch (expr.type) {
    case 'selector':
      return [added(expr)]
    case 'matrix':
      return [added(expr.selector)]
    case 'subquery':
      return shiftsOf(expr.expr, added(expr))
    case 'aggregation':
    case 'paren':
    case 'unary':
      return shiftsOf(expr.expr, around)
    case 'binary':
      return ofVectors([expr.lhs, expr.rhs], around)
    case 'call':
      return ofVectors(expr.name === 'info' ? expr.args.slice(0, 1) : expr.args, around)
    default:
      return []
  }
}

function ofVectors(all: readonly Expr[], around: Shift): readonly (Shift | null)[] {
  const vectors = all.filter(each => ['vector', 'matrix'].includes(typeOf(each)))
  return vectors.length === 0 ? [null] : vectors.flatMap(each => shiftsOf(each, around))
}

/** The information is looked for where all selectors of the other vector look, or else at the time of the step. */
function commonShift(expr: Expr): Shift {
  const [first, ...others] = shiftsOf(expr, NOW)
  if (first === null || first === undefined) return NOW
  return others.every(shift => shift !== null && isSame(shift, first)) ? first : NOW
}

/** Fixed times have several notations. */
function isSame(a: Shift, b: Shift): boolean {
  const timeOf = ({ at, offsetMs }: Shift): unknown =>
    typeof at === 'object' && at !== null ? [at.atMs - offsetMs] : [at, offsetMs]
  return JSON.stringify(timeOf(a)) === JSON.stringify(timeOf(b))
}

const selectors = new WeakMap<Call, VectorSelector>()

/** What a call of `info` reads besides its first argument; the same object for the same call. */
export function infoSelector(call: Call): VectorSelector {
  const known = selectors.get(call)
  if (known !== undefined) return known
  const data = dataMatchers(call).filter(({ name }) => name !== NAME)
  const matchers = [...infoNameMatchers(call), ...data]
  const selector: VectorSelector = {
    type: 'selector',
    name: null,
    matchers,
    ...commonShift(call.args[0]!),
    position: call.position
  }
  selectors.set(call, selector)
  return selector
}
