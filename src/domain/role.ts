/** Roles inside a namespace, weakest first: each may do what the ones before it may. */
export const ROLES = ['viewer', 'member', 'admin'] as const
/** One of `ROLES`. */
export type Role = (typeof ROLES)[number]

/** Whether `role` may do what `needed` may. */
export function atLeast(role: Role, needed: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(needed)
}
