/** `values` with `value` added or removed; case-insensitive. */
export function toggled(values: readonly string[], value: string): readonly string[] {
  const without = values.filter(one => one.toLowerCase() !== value.toLowerCase())
  return without.length < values.length ? without : [...values, value]
}
