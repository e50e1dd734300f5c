import type { Params } from './params.js'

/** Up to so many values are bound one by one: only then can the engine skip a file by its statistics. */
const FEW_VALUES = 16

/** SQL: the value is one of those, all of one kind; NULL for NULL. Many values are hashed, so it cannot be in a lambda. */
export function oneOfSql(sql: string, values: readonly string[] | readonly number[] | readonly bigint[], params: Params): string {
  if (values.length === 0) return 'FALSE'
  if (values.length > FEW_VALUES) return `${sql} = ANY(${params.addList(values)})`
  return `${sql} IN (${values.map(value => params.add(value)).join(', ')})`
}
