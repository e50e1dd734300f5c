/** How what replaces a secret begins. */
export const MARK_START = '[redacted:'

/** What replaces a secret, by the name of its detector. */
export function markOf(name: string): string {
  return `${MARK_START}${name}]`
}
