/** Fields whose values are words in any capitalisation; of all others it distinguishes values. */
const OF_WORDS: ReadonlySet<string> = new Set(['level', 'kind', 'status'])

/** Whether a filter by one value of a field is a filter by the other. */
export function isSameValue(field: string, one: string, other: string): boolean {
  return one === other || (OF_WORDS.has(field) && one.toLowerCase() === other.toLowerCase())
}

/** The chosen values of a field with `value` added or removed. */
export function toggled(field: string, chosen: readonly string[], value: string): readonly string[] {
  const without = chosen.filter(one => !isSameValue(field, one, value))
  return without.length < chosen.length ? without : [...chosen, value]
}
