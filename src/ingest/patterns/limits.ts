/** Templates of one namespace, merged ones included; messages beyond share one overflow pattern. */
export const MAX_PATTERNS = 10_000
