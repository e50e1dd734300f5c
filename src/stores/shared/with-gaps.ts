/** The answer of a read, which says what it lacks. */
export function withGaps<Answer extends { readonly complete: boolean; readonly warnings: readonly string[] }>(
  answer: Answer,
  gaps: readonly string[]
): Answer {
  if (gaps.length === 0) return answer
  return { ...answer, complete: false, warnings: [...new Set([...answer.warnings, ...gaps])] }
}
