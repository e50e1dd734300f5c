import { registerEnumType } from 'type-graphql'

/** Registers an enum with a description of itself and of each of its values. */
export function registerEnum<Table extends Readonly<Record<string, string>>>(
  name: string,
  table: Table,
  description: string,
  ofValues: Readonly<Record<keyof Table & string, string>>
): void {
  const entries = Object.entries<string>(ofValues).map(([value, ofValue]) => [value, { description: ofValue }] as const)
  registerEnumType<Readonly<Record<string, string>>>(table, { name, description, valuesConfig: Object.fromEntries(entries) })
}
