import { unreachable } from '../../../domain/errors.js'
import { type Filter, valuesOfCondition } from '../../../domain/filter.js'
import type { SubstringSearch } from '../../../ports/index-catalog.js'
import type { DocumentKind } from '../document/field-names.js'
import type { Condition } from '../../../domain/condition.js'
import { fieldTarget, type FieldTarget } from './field-target.js'
import { numberCondition } from './number-field.js'
import { measure } from './query.js'
import { RegexEffort } from './regex-effort.js'
import { termCondition } from './term-condition.js'
import { timeCondition } from './time-field.js'
import { containsByTrigrams } from './trigram-condition.js'
import { everyVerdict, notVerdict, someVerdict, UNDECIDED, type Verdict } from './verdict.js'

/** What is searched: the documents' fields and how substrings of messages are indexed. */
export interface Searched {
  readonly kind: DocumentKind
  readonly search: SubstringSearch
}

/** What the parts of one filter are compiled with. */
interface CompileContext extends Searched {
  readonly effort: RegexEffort
}

type TermsTarget = Extract<FieldTarget, { kind: 'terms' }>

/** Below the 1,024 clauses that engines take by default, room left for the scope. */
export const MAX_CLAUSES = 1_000
/** Below the 20 levels that Elasticsearch takes, room left for the scope. */
export const MAX_DEPTH = 16

function compileCondition(condition: Condition, context: CompileContext): Verdict {
  const target = fieldTarget(condition.field, context.kind)
  switch (target.kind) {
    case 'time':
      return timeCondition(condition)
    case 'number':
      return numberCondition(target.number, condition)
    case 'terms':
      if (target.trigrams !== null) return longText(target, condition, context)
      return termCondition(target.terms, condition, context.effort)
    default:
      return unreachable(target)
  }
}

/** A condition on a message or a stack trace, of which an index may contain neither terms nor trigrams. */
function longText({ terms, trigrams }: TermsTarget, condition: Condition, { search, effort }: CompileContext): Verdict {
  if (condition.kind === 'contains' && condition.value !== '') return containsByTrigrams(trigrams!, condition.value, search)
  return search === 'off' ? UNDECIDED : termCondition(terms, condition, effort)
}

function fieldKey({ field }: Condition): string {
  return `${field.in} ${field.name}`
}

/** Alternatives with all equalities of one field as one: many values are one clause. */
function joinEqualities(parts: readonly Filter[]): readonly Filter[] {
  const joined = new Map<string, Extract<Filter, { kind: 'in' }>>()
  const rest: Filter[] = []
  for (const part of parts.flatMap(each => (each.kind === 'or' ? each.of : [each]))) {
    if (part.kind !== 'eq' && part.kind !== 'in') {
      rest.push(part)
      continue
    }
    const key = fieldKey(part)
    const values = valuesOfCondition(part)
    joined.set(key, { kind: 'in', field: part.field, values: [...(joined.get(key)?.values ?? []), ...values] })
  }
  return [...joined.values(), ...rest]
}

function compile(filter: Filter, context: CompileContext): Verdict {
  switch (filter.kind) {
    case 'and':
      return everyVerdict(filter.of.map(part => compile(part, context)))
    case 'or':
      return someVerdict(joinEqualities(filter.of).map(part => compile(part, context)))
    case 'not':
      return notVerdict(compile(filter.of, context))
    default:
      return compileCondition(filter, context)
  }
}

/**
 * The filter in the engine's query language, as far as the engine can decide it. One that nests deeper or has more
 * clauses than engines take is left undecided. Throws `query_unsupported`, `unsupported_by_store`.
 */
export function compileFilter(filter: Filter, searched: Searched): Verdict {
  const verdict = compile(filter, { ...searched, effort: new RegexEffort() })
  const sizes = [verdict.sure, verdict.maybe, verdict.doubt].map(measure)
  return sizes.every(({ clauses, depth }) => clauses <= MAX_CLAUSES && depth <= MAX_DEPTH) ? verdict : UNDECIDED
}
