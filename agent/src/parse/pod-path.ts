import { shortContainerId } from '../listeners/cgroup.js'

/** Names of the container that wrote a file. */
export interface PodNames {
  readonly service: string
  /** By OpenTelemetry's names. */
  readonly tags: Readonly<Record<string, string>>
}

/** `/var/log/pods/<namespace>_<pod>_<uid>/<container>/<restarts>.log`, and what a rotation makes of it. */
const OF_POD = /\/pods\/([^/_]+)_([^/_]+)_([^/_]+)\/([^/]+)\/(\d+)\.log[^/]*$/
/** `/var/log/containers/<pod>_<namespace>_<container>-<id>.log`, a symbolic link. */
const OF_LINK = /\/containers\/([^/_]+)_([^/_]+)_([^/_]+)-([0-9a-f]{64})\.log[^/]*$/

function namesOf(namespace: string, pod: string, container: string, others: Readonly<Record<string, string>>): PodNames {
  const names = { 'k8s.namespace.name': namespace, 'k8s.pod.name': pod, 'k8s.container.name': container }
  return { service: container, tags: { ...names, ...others } }
}

/** What the path of a file of Kubernetes states; null for any other path. */
export function podOfPath(path: string): PodNames | null {
  const [, namespace, pod, uid, container, restarts] = OF_POD.exec(path) ?? []
  if (restarts !== undefined)
    return namesOf(namespace!, pod!, container!, { 'k8s.pod.uid': uid!, 'k8s.container.restart_count': restarts })
  const [, linkPod, linkNamespace, linkContainer, id] = OF_LINK.exec(path) ?? []
  return id === undefined ? null : namesOf(linkNamespace!, linkPod!, linkContainer!, { container: shortContainerId(id) })
}
