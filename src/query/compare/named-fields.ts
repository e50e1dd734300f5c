import type { Filter } from '../../domain/filter.js'

function namesIn(filter: Filter): readonly string[] {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return filter.of.flatMap(namesIn)
    case 'not':
      return namesIn(filter.of)
    default:
      return [filter.field.name]
  }
}

/** Fields that differ because the filters of both sides do: those that either names. None where the filters are equal. */
export function namedFields(base: Filter, other: Filter): ReadonlySet<string> {
  if (JSON.stringify(base) === JSON.stringify(other)) return new Set()
  return new Set([...namesIn(base), ...namesIn(other)])
}
