/** What runs a process. */
export interface ProcessGroup {
  /** Unit of systemd. */
  readonly unit: string | null
  /** First digits of the id of its container. */
  readonly container: string | null
}

const CONTAINER_DIGITS = 12
/** Docker, containerd, CRI-O and Podman name the cgroup of a container after its id of 64 digits. */
const CONTAINER = /(?:^|[/:-])([0-9a-f]{64})(?:\.scope)?(?:\/|$)/
const UNIT = /^.{1,250}\.service$/

/** Unit and container of `/proc/<pid>/cgroup`, of either version of cgroups. */
export function parseCgroup(text: string): ProcessGroup {
  const paths = text.split('\n').map(line => line.split(':').slice(2).join(':'))
  const container = paths.map(path => CONTAINER.exec(path)?.[1]).find(id => id !== undefined)
  const unit = paths.map(path => path.split('/').findLast(part => UNIT.test(part))).find(name => name !== undefined)
  return { unit: unit ?? null, container: container?.slice(0, CONTAINER_DIGITS) ?? null }
}
