import { useState } from 'react'
import type { Operation } from '../api/request.js'
import { useRequest } from '../api/use-request.js'
import type { TimeWindow } from '../url/time-window.js'
import type { Suggesting, Suggestion } from './query-box.js'
import type { Completion } from './tokens.js'

/** How one signal lists its fields and their values. */
export interface FieldSource<Names, Values> {
  readonly names: Operation<Names, { range: TimeWindow; contains: string | null }>
  readonly values: Operation<Values, { range: TimeWindow; field: string; contains: string | null }>
  readonly namesOf: (result: Names) => readonly { readonly name: string; readonly count: number }[] | null | undefined
  readonly valuesOf: (result: Values) => readonly { readonly value: string; readonly count: number }[] | null | undefined
}

/** Prefixes that the search language adds by itself. */
const PREFIX = /^(?:log_fields|attributes)\./

/** Names and values of fields that records of the window have, as they match what is being typed. */
export function useSuggestions<Names, Values>(
  source: FieldSource<Names, Values>,
  namespace: string,
  window: TimeWindow
): Suggesting {
  const [completion, onComplete] = useState<Completion | null>(null)
  const contains = completion?.prefix === '' ? null : (completion?.prefix ?? null)
  const field = completion?.kind === 'value' ? completion.field : ''
  const names = useRequest(source.names, { range: window, contains }, { namespace, enabled: completion?.kind === 'field' })
  const values = useRequest(
    source.values,
    { range: window, field, contains },
    { namespace, enabled: completion?.kind === 'value' }
  )
  if (completion === null) return { suggestions: [], onComplete }
  const suggestions: readonly Suggestion[] =
    completion.kind === 'field'
      ? ((names.data && source.namesOf(names.data)) ?? []).map(({ name, count }) => ({ text: name.replace(PREFIX, ''), count }))
      : ((values.data && source.valuesOf(values.data)) ?? []).map(({ value, count }) => ({ text: value, count }))
  const isTyped = ({ text }: Suggestion): boolean => text.toLowerCase().includes((contains ?? '').toLowerCase())
  return { suggestions: suggestions.filter(isTyped), onComplete }
}
