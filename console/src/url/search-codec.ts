/**
 * The query string of a page: plain keys, repeated for lists. Values are strings as typed; no JSON, no base64.
 * A page reads the keys it knows and keeps the others.
 */
export type SearchValues = Readonly<Record<string, string | readonly string[]>>

/** Characters that are legal in a query string and easier to read as they are. */
const READABLE: readonly (readonly [escaped: RegExp, plain: string])[] = [
  [/%3A/g, ':'],
  [/%2C/g, ','],
  [/%2F/g, '/'],
  [/%40/g, '@'],
  [/%28/g, '('],
  [/%29/g, ')']
]

function encode(part: string): string {
  const escaped = new URLSearchParams([['', part]]).toString().slice(1)
  return READABLE.reduce((text, [from, to]) => text.replace(from, to), escaped)
}

/** Reads a query string, with or without `?`. Assignment to `__proto__` would replace a prototype, so the key is dropped. */
export function parseSearch(text: string): SearchValues {
  const values: Record<string, string | string[]> = {}
  for (const [key, value] of new URLSearchParams(text)) {
    if (key === '__proto__') continue
    const earlier = Object.hasOwn(values, key) ? values[key] : undefined
    values[key] = earlier === undefined ? value : [earlier, value].flat()
  }
  return values
}

/** Writes a query string with its `?`, keys in alphabetical order; empty for no values. */
export function stringifySearch(values: Readonly<Record<string, unknown>>): string {
  const pairs = Object.keys(values)
    .toSorted()
    .flatMap(key => [values[key]].flat().map(value => [key, value] as const))
    .filter((pair): pair is readonly [string, string] => typeof pair[1] === 'string')
    .map(([key, value]) => `${encode(key)}=${encode(value)}`)
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`
}

/** The value of a key that has one; the first of a repeated key; null when absent. */
export function one(values: SearchValues, key: string): string | null {
  const value = Object.hasOwn(values, key) ? values[key] : undefined
  return (typeof value === 'string' ? value : value?.[0]) ?? null
}

/** All values of a key; empty when absent. */
export function all(values: SearchValues, key: string): readonly string[] {
  const value = Object.hasOwn(values, key) ? values[key] : undefined
  return value === undefined ? [] : [value].flat()
}

/** `values` with some keys replaced; null, an empty string and an empty list remove a key. */
export function withValues(
  values: SearchValues,
  changes: Readonly<Record<string, string | readonly string[] | null>>
): SearchValues {
  const kept = Object.entries({ ...values, ...changes }).filter(([, value]) => value !== null && value.length > 0)
  return Object.fromEntries(kept) as SearchValues
}
