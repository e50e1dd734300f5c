/** A value with the members of objects sorted by name. */
function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return members.map(([name, member]) => [name, canonical(member)])
}

/** Whether two values have the same JSON, whatever the order of members. */
export function isSameJson(a: unknown, b: unknown): boolean {
  return JSON.stringify(canonical(a)) === JSON.stringify(canonical(b))
}
