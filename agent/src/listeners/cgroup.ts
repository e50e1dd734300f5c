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

/** Id of the container that a path of cgroups is of, 64 digits; null for any other path. */
export function containerIdOf(path: string): string | null {
  return CONTAINER.exec(path)?.[1] ?? null
}

const RUNTIMES: Readonly<Record<string, string>> = {
  docker: 'docker',
  'cri-containerd': 'containerd',
  crio: 'cri-o',
  libpod: 'podman'
}
const RUNTIME = /(?:^|\/)(docker|cri-containerd|crio|libpod)[-/][0-9a-f]{64}/

/** What runs the container that a path of cgroups is of; null where its cgroup does not name it. */
export function containerRuntimeOf(path: string): string | null {
  return RUNTIMES[RUNTIME.exec(path)?.[1] ?? ''] ?? null
}

/** First digits of an id, by which containers are listed. */
export function shortContainerId(id: string): string {
  return id.slice(0, CONTAINER_DIGITS)
}

/** Unit and container of `/proc/<pid>/cgroup`, of either version of cgroups. */
export function parseCgroup(text: string): ProcessGroup {
  const paths = text.split('\n').map(line => line.split(':').slice(2).join(':'))
  const container = paths.map(containerIdOf).find(id => id !== null)
  const unit = paths.map(path => path.split('/').findLast(part => UNIT.test(part))).find(name => name !== undefined)
  return { unit: unit ?? null, container: container === undefined ? null : shortContainerId(container) }
}
