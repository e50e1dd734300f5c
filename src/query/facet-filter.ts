import type { Field, Filter } from '../domain/filter.js'

function mentionsOnly(filter: Filter, field: Field): boolean {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return filter.of.length > 0 && filter.of.every(part => mentionsOnly(part, field))
    case 'not':
      return mentionsOnly(filter.of, field)
    default:
      return filter.field.in === field.in && filter.field.name === field.name
  }
}

function conjuncts(filter: Filter): readonly Filter[] {
  return filter.kind === 'and' ? filter.of.flatMap(conjuncts) : [filter]
}

/**
 * The filter under which a facet of `field` counts: every top-level AND condition that mentions only that field is left
 * out, so that choosing one value does not make the others vanish. Nothing inside OR and NOT is touched ("Queries" in docs/conventions.md):
 * such a condition goes as a whole or stays as a whole.
 */
export function withoutField(filter: Filter, field: Field): Filter {
  const kept = conjuncts(filter).filter(part => !mentionsOnly(part, field))
  return kept.length === 1 ? kept[0]! : { kind: 'and', of: kept }
}

/** The values of `field` that the top-level AND conditions of the filter choose. */
export function selectedValues(filter: Filter, field: Field): ReadonlySet<string> {
  const selected = new Set<string>()
  for (const part of conjuncts(filter)) {
    if (part.kind !== 'eq' && part.kind !== 'in') continue
    if (!mentionsOnly(part, field)) continue
    for (const value of part.kind === 'eq' ? [part.value] : part.values) selected.add(value)
  }
  return selected
}
