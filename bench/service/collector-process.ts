import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { programPath } from '../../test/support/program-path.js'
import { cpuSeconds, rssMb } from './proc.js'

export interface CollectorOptions {
  /** File to read from its beginning. */
  readonly path: string
  readonly isSyslog: boolean
  /** Address of OTLP over HTTP. */
  readonly url: string
  readonly apiKey: string
  /** For its configuration and its state. */
  readonly folder: string
}

/** It does not lose what it has read when it is killed: places in files and its queue are on disk, as the agent's journal. */
function configOf({ path, isSyslog, url, apiKey, folder }: CollectorOptions): object {
  const operators = isSyslog ? [{ type: 'syslog_parser', protocol: 'rfc5424' }] : []
  return {
    extensions: { file_storage: { directory: folder } },
    receivers: { file_log: { include: [path], start_at: 'beginning', storage: 'file_storage', operators } },
    processors: { batch: { timeout: '500ms', send_batch_size: 1000 } },
    exporters: { otlp_http: { endpoint: url, headers: { 'x-api-key': apiKey }, sending_queue: { storage: 'file_storage' } } },
    service: {
      extensions: ['file_storage'],
      telemetry: { metrics: { level: 'none' }, logs: { level: 'error' } },
      pipelines: { logs: { receivers: ['file_log'], processors: ['batch'], exporters: ['otlp_http'] } }
    }
  }
}

/** A Collector with the extension `file_storage`; `OTELCOL` names the binary, else PATH finds `otelcol`. */
export class CollectorProcess {
  readonly #child: ChildProcess
  /** What it wrote to its log. */
  log = ''

  private constructor(child: ChildProcess) {
    this.#child = child
    child.stderr!.on('data', (chunk: Buffer) => {
      this.log += chunk.toString()
    })
  }

  static async start(options: CollectorOptions): Promise<CollectorProcess> {
    const path = programPath('otelcol')
    if (path === undefined) throw new Error('otelcol is neither named by OTELCOL nor found on PATH')
    const config = join(options.folder, 'collector.yaml')
    await writeFile(config, JSON.stringify(configOf(options)))
    return new CollectorProcess(spawn(path, ['--config', config], { stdio: ['ignore', 'ignore', 'pipe'] }))
  }

  get cpuSeconds(): number {
    return cpuSeconds(this.#child.pid!)
  }

  get rssMb(): number {
    return rssMb(this.#child.pid!)
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return
    this.#child.kill('SIGTERM')
    await once(this.#child, 'exit')
  }
}
