/** The string that a form has for a name; empty when it has none. */
export function fieldValue(values: FormData, name: string): string {
  const value = values.get(name)
  return typeof value === 'string' ? value : ''
}
