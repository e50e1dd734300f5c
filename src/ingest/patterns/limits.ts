/** Templates of one namespace, merged ones included; messages beyond share one overflow pattern. */
export const MAX_PATTERNS = 10_000
/**
 * Templates of all namespaces that are in memory, with what else the namespaces have there counted as templates; those of
 * namespaces used longest ago are read again when needed.
 */
export const MAX_PATTERNS_IN_MEMORY = 200_000
