/**
 * SQL: whether a string may be a number (`NUMBER_PATTERN`): it begins with a sign, a digit or another character before the
 * colon. To be tested before a cast: one that fails takes 0.11 us, this test 0.01.
 */
export function mayBeNumberSql(text: string): string {
  return `${text} < ':'`
}
