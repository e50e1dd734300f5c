import { measureAgent } from './commands/agent.js'
import { measureAggregate } from './commands/aggregate.js'
import { measureAlerts } from './commands/alerts.js'
import { measureAttacks } from './commands/attacks.js'
import { measureCompare } from './commands/compare.js'
import { measureConsole } from './commands/console.js'
import { measureConsoleTail } from './commands/console-tail.js'
import { measureTailDelay } from './commands/tail-delay.js'
import { measureDisk } from './commands/disk.js'
import { measureElasticsearch } from './commands/elasticsearch.js'
import { measureEventLoop } from './commands/event-loop.js'
import { measureHostile } from './commands/hostile.js'
import { measureInfluxRead } from './commands/influxdb-read.js'
import { measureInfluxWrite } from './commands/influxdb-write.js'
import { measureIngest } from './commands/ingest.js'
import { measureMeasures } from './commands/measures.js'
import { measureMetrics } from './commands/metrics.js'
import { measureOtlp } from './commands/otlp.js'
import { measureNextToPeer } from './commands/next-to-peer.js'
import { measurePatterns } from './commands/patterns.js'
import { measureQueries } from './commands/query.js'
import { measureRules } from './commands/rules.js'
import { measureSeries } from './commands/series.js'
import { measureSingle } from './commands/single.js'
import { measureRemoteWrite } from './commands/remote-write.js'
import { measureSignIns } from './commands/sign-ins.js'
import { measureTraces } from './commands/traces.js'
import { measureStartup } from './commands/startup.js'
import { parseOptions } from './options.js'
import type { BenchOptions } from './options.js'
import { machine, saveReport, toMarkdown } from './report.js'
import type { Report } from './report.js'

const MEASUREMENTS: Readonly<
  Record<string, { readonly about: string; readonly run: (options: BenchOptions) => Promise<Report> }>
> = {
  ingest: {
    about: 'logs in batches of 200: 20k/s, 40k/s, flat out, with heavy queries (--only 20k,40k,max,20k+2heavy)',
    run: measureIngest
  },
  series: {
    about: 'label values and PromQL over --series series with --rows points at 60 s in all (12000000: two hours)',
    run: measureSeries
  },
  single: { about: 'one log a request, 64 connections', run: measureSingle },
  metrics: { about: 'metric points in batches of 1,000', run: measureMetrics },
  'remote-write': { about: 'one-sample series, 2,000 a request, against a real Prometheus', run: measureRemoteWrite },
  otlp: { about: 'OTLP spans: decode in process, over HTTP, over gRPC', run: measureOtlp },
  eventloop: { about: 'event loop delay under 20k logs/s, alone and with 10 MiB bodies', run: measureEventLoop },
  query: {
    about:
      'queries over --rows logs among 50 small namespaces, by free fields, too; --peer: next to a VictoriaLogs (--only write,read)',
    run: options => (options.withPeer ? measureNextToPeer(options) : measureQueries(options))
  },
  patterns: {
    about: 'log patterns: accuracy over labelled sets, stability of ids, lines a second, memory',
    run: measurePatterns
  },
  rules: { about: 'CPU that log rules add to each log: detectors, keys, literals, a drop rule; one process', run: measureRules },
  alerts: {
    about:
      '1,000 alert rules each minute over 20 namespaces: CPU, lateness, hostile rules, a restart, a backtest (--seconds 120)',
    run: measureAlerts
  },
  measures: {
    about: 'saved measures next to 1,000 logs/s: CPU and delay (--only none,10x1m,50x1m,10x10s,50x10s)',
    run: measureMeasures
  },
  traces: { about: 'trace search, trace by id, services and their map over --rows spans of a day', run: measureTraces },
  hostile: {
    about: 'latency of other users with eight hostile PromQL queries in flight, and the outcome of those (--store influxdb)',
    run: measureHostile
  },
  attacks: {
    about: 'what another tenant waits during attacks, with memory and blocks (--only none,arrays,bombs,readers,rum,slow)',
    run: measureAttacks
  },
  'sign-ins': {
    about: 'four correct sign-ins while 100 connections try wrong passwords (--only one-address,many-addresses)',
    run: measureSignIns
  },
  elasticsearch: {
    about:
      'gateway over Elasticsearch: writing against _bulk, GraphQL over --rows logs against raw search (--only exact,off,search)',
    run: measureElasticsearch
  },
  'influxdb-write': { about: 'points through the gateway into InfluxDB against line protocol', run: measureInfluxWrite },
  'influxdb-read': { about: "1 M samples out of InfluxDB: CPU against the client's row API", run: measureInfluxRead },
  aggregate: {
    about:
      'measures over fields of --rows logs of three days, last hour and all time; with --data-dir of an earlier run without loading',
    run: measureAggregate
  },
  compare: {
    about: 'what differs between two hours of --rows logs each, with 30 fields; --repeats runs',
    run: measureCompare
  },
  console: {
    about: 'sizes and waits of the console in Chromium over --rows logs of an hour, and over two stories (--only pages,story)',
    run: measureConsole
  },
  'console-tail': {
    about: 'live tail of the console at 1,000 logs/s for --seconds: heap, and logs that were neither shown nor dropped',
    run: measureConsoleTail
  },
  'tail-delay': {
    about: 'time from the arrival of a log to its delivery to a live tail, at 10,000 logs/s for --seconds',
    run: measureTailDelay
  },
  agent: {
    about:
      'host agent: CPU at rest over --seconds, a backlog of --rows lines, a steady rate, the ledger (--only rest,plain,syslog,pace,ledger)',
    run: measureAgent
  },
  startup: { about: 'time until ready, memory at rest', run: measureStartup },
  disk: { about: 'bytes a log once sealed and merged', run: measureDisk }
}

function usage(): string {
  const list = Object.entries(MEASUREMENTS).map(([name, { about }]) => `  ${name.padEnd(14)} ${about}`)
  const flags =
    '--seconds N | --long (3 minutes), --rows N, --series N, --rest N, --repeats N, --seed N, --store embedded|influxdb, --peer, --data-dir DIR, --node-args "...", --save'
  return `npm run bench -- <measurement> [flags]\n${list.join('\n')}\nflags: ${flags}\n`
}

async function main(argv: readonly string[]): Promise<void> {
  const [name, ...flags] = argv
  const measurement = name === undefined ? undefined : MEASUREMENTS[name]
  if (measurement === undefined) {
    process.stdout.write(usage())
    process.exitCode = name === undefined ? 0 : 2
    return
  }
  const options = parseOptions(flags)
  const report = await measurement.run(options)
  process.stdout.write(`${machine()}\n\n${toMarkdown(report)}\n`)
  if (options.isSaved) process.stdout.write(`\nsaved ${saveReport(name!, report, Date.now())}\n`)
}

await main(process.argv.slice(2))
