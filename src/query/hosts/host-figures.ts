import type { Namespace } from '../../domain/namespace.js'
import { CONTAINER_FIGURES, FIGURES, PROCESS_FIGURES } from './host-expressions.js'
import { type HostQueries, labelOf, valueOf } from './host-queries.js'
import type { ContainerFigures, HostProcess } from './host-result.js'

/** A figure of a host. Percentages are 0 to 100; `bootTime` is Unix seconds. */
export type HostFigure = keyof typeof FIGURES

/** Processes of a host in a response. */
export const MOST_PROCESSES = 100

type Parts = Readonly<Record<string, number | null>>

/** Figures from the latest samples of hosts: series of OTLP's `host.name`, or with a label `host`. */
export class HostFigures {
  readonly #queries: Pick<HostQueries, 'latest'>

  constructor(queries: Pick<HostQueries, 'latest'>) {
    this.#queries = queries
  }

  /** A figure of each of the hosts that have it. */
  async of(
    ns: Namespace,
    figure: HostFigure,
    hosts: readonly string[],
    signal: AbortSignal
  ): Promise<ReadonlyMap<string, number>> {
    const lines = await this.#queries.latest(ns, FIGURES[figure], hosts, signal)
    const found = lines.flatMap(line => {
      const [host, value] = [labelOf(line, 'host'), valueOf(line)]
      return host === null || value === null ? [] : [[host, value] as const]
    })
    return new Map(found)
  }

  /** Containers of the hosts that have samples. */
  async containers(ns: Namespace, hosts: readonly string[], signal: AbortSignal): Promise<readonly ContainerFigures[]> {
    const found = await this.#parts(ns, CONTAINER_FIGURES, ['host', 'container', 'image'], hosts, signal)
    return found.map(({ key: [host, name, image], parts }) => ({
      ...{ host: host ?? '', name: name ?? '', image: image ?? null },
      ...{ cpuPercent: parts['cpuPercent'] ?? null, memoryBytes: parts['memoryBytes'] ?? null },
      memoryPercent: parts['memoryPercent'] ?? null,
      rxBytesPerSecond: parts['rxBytesPerSecond'] ?? null,
      txBytesPerSecond: parts['txBytesPerSecond'] ?? null
    }))
  }

  /** Processes of the hosts by name and user. */
  async processes(ns: Namespace, hosts: readonly string[], signal: AbortSignal): Promise<readonly HostProcess[]> {
    const found = await this.#parts(ns, PROCESS_FIGURES, ['host', 'process', 'user'], hosts, signal)
    return found.map(({ key: [host, name, user], parts }) => ({
      ...{ host: host ?? '', name: name ?? '', user: user ?? null },
      ...{ cpuPercent: parts['cpuPercent'] ?? null, memoryBytes: parts['memoryBytes'] ?? null }
    }))
  }

  /** Figures by the labels that they share. */
  async #parts(
    ns: Namespace,
    figures: Readonly<Record<string, string>>,
    labels: readonly string[],
    hosts: readonly string[],
    signal: AbortSignal
  ): Promise<readonly { readonly key: readonly (string | null)[]; readonly parts: Parts }[]> {
    const found = new Map<string, { readonly key: readonly (string | null)[]; readonly parts: Record<string, number | null> }>()
    const read = async (name: string, text: string): Promise<void> => {
      for (const line of await this.#queries.latest(ns, text, hosts, signal)) {
        const key = labels.map(label => labelOf(line, label))
        const id = JSON.stringify(key)
        const known = found.get(id) ?? { key, parts: {} }
        known.parts[name] = valueOf(line)
        found.set(id, known)
      }
    }
    await Promise.all(Object.entries(figures).map(([name, text]) => read(name, text)))
    return [...found.values()]
  }
}
