/** A line of the command palette. */
export interface Command {
  readonly id: string
  readonly title: string
  /** Kind of what it opens: `Page`, `View of Logs`, `Service`, `Namespace`, `Trace`. */
  readonly kind: string
  readonly run: () => void
}

const MAX_SHOWN = 12

/** Ids of traces as a person pastes them: 16 or 32 hexadecimal digits in any capitalisation, with dashes or not. */
export function traceIdOf(text: string): string | null {
  const digits = text.trim().replaceAll('-', '').toLowerCase()
  return /^(?:[0-9a-f]{16}|[0-9a-f]{32})$/.test(digits) ? digits : null
}

/** Commands whose title has all words of `text`, titles that begin with it first; at most 12. */
export function matching(commands: readonly Command[], text: string): readonly Command[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  const found = commands.filter(({ title, kind }) => words.every(word => `${kind} ${title}`.toLowerCase().includes(word)))
  const startsWith = ({ title }: Command): number => (title.toLowerCase().startsWith(text.toLowerCase()) ? 0 : 1)
  return found.toSorted((a, b) => startsWith(a) - startsWith(b)).slice(0, MAX_SHOWN)
}
