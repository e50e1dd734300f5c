/** CPU time of the process during a call, in ms: unlike its duration, other processes do not add to it. */
export function cpuMs(run: () => void): number {
  const before = process.cpuUsage()
  run()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}
