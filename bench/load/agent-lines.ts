/** Formats of the files that agents read. */
export type LineFormat = 'plain' | 'syslog'

/** Programs of a host write in alternation, as in a real /var/log/syslog. */
const PROGRAMS = ['shop', 'sshd', 'kernel', 'systemd', 'postgres', 'cron', 'nginx'] as const
const PIDS = 400
const PADDED = 88

/** A line of about 130 bytes, with its end. @param number of the line, from 0. @param atMs its time. */
export function lineOf(format: LineFormat, number: number, atMs: number): string {
  const text = `request ${number} of user ${number % 9_973} for /api/orders/${number % 31_337} took ${number % 911} ms, status ${number % 7 === 0 ? 500 : 200}`
  const padded = text.padEnd(PADDED, '.')
  const at = new Date(atMs).toISOString()
  if (format === 'plain') return `${at.replace('T', ' ').slice(0, -1)} INFO ${padded}\n`
  return `<14>1 ${at} web-1 ${PROGRAMS[number % PROGRAMS.length]!} ${800 + (number % PIDS)} - - ${padded}\n`
}
