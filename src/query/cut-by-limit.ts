/** What an answer says that its limit cut short and that no cursor continues (conventions 6). */
export function cutByLimit(hasMore: boolean, what: string, limit: number): readonly string[] {
  return hasMore ? [`there are more ${what} than the limit of ${limit}`] : []
}
