/** The path to open after signing in: one of this app, or the start page. Another origin is never opened. */
export function returnPath(requested: string | null): string {
  return requested !== null && /^\/n\/[^/\\]/.test(requested) ? requested : '/'
}
