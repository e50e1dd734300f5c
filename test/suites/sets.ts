import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseCsv } from './csv.js'

/** A log as it is sent. */
export interface SentLog {
  readonly timestamp: string
  readonly message: string
  readonly service: string
  readonly host?: string
  readonly level?: string
  readonly trace_id?: string
  readonly span_id?: string
  readonly log_fields: Readonly<Record<string, string | number>>
}

/** A public data set and how its columns become fields. */
export interface LogSet {
  /** Also the name of its namespace. */
  readonly name: string
  readonly file: string
  readonly toLog: (row: Readonly<Record<string, string>>) => SentLog
}

type Row = Readonly<Record<string, string>>

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
/** For sets whose lines carry no year. */
const YEAR = '2017'

function month(name: string): string {
  return String(MONTHS.indexOf(name) + 1).padStart(2, '0')
}

/** `LineId` -> `line`, `EventId` -> `event_id`, `EventTemplate` -> `template`; the others as given, empty ones left out. */
function fields(row: Row, others: Readonly<Record<string, string>>): Record<string, string | number> {
  const given = Object.entries(others).filter(([, column]) => row[column] !== '')
  const rest = Object.fromEntries(given.map(([field, column]) => [field, row[column]!]))
  return { line: Number(row['LineId']), event_id: row['EventId']!, template: row['EventTemplate']!, ...rest }
}

// Which column becomes which field. `Content` is the message everywhere; times are taken as UTC.
//   set        timestamp            level   service     host    log_fields (besides line, event_id, template)
//   Apache     Time                 Level   "apache"    -       -
//   HDFS       Date Time            Level   Component   -       pid = Pid
//   Hadoop     Date Time            Level   Component   -       process = Process
//   Mac        2017 Month Date Time -       Component   User    pid = PID, address = Address
//   OpenSSH    2017 Date Day Time   -       "sshd"      Component   pid = Pid
//   Zookeeper  Date Time            Level   Component   -       node = Node, id = Id
//   TrainTicket Timestamp           (first word after the time in Log)  PodName without its two suffixes  Node  pod, container;
//              message = `log` inside Log, trace_id = TraceID, span_id = SpanID
export const SETS: readonly LogSet[] = [
  {
    name: 'apache',
    file: 'loghub/Apache/Apache_2k.log_structured.csv',
    toLog: row => {
      const [, monthName, day, time, year] = row['Time']!.split(' ')
      const timestamp = `${year}-${month(monthName!)}-${day}T${time}Z`
      return { timestamp, level: row['Level']!, service: 'apache', message: row['Content']!, log_fields: fields(row, {}) }
    }
  },
  {
    name: 'hdfs',
    file: 'loghub/HDFS/HDFS_2k.log_structured.csv',
    toLog: row => {
      const date = row['Date']!.padStart(6, '0').replace(/(..)(..)(..)/, '20$1-$2-$3')
      const time = row['Time']!.padStart(6, '0').replace(/(..)(..)(..)/, '$1:$2:$3')
      return { ...componentLog(row, `${date}T${time}Z`), log_fields: fields(row, { pid: 'Pid' }) }
    }
  },
  {
    name: 'hadoop',
    file: 'loghub/Hadoop/Hadoop_2k.log_structured.csv',
    toLog: row => ({ ...componentLog(row, commaTime(row)), log_fields: fields(row, { process: 'Process' }) })
  },
  {
    name: 'mac',
    file: 'loghub/Mac/Mac_2k.log_structured.csv',
    toLog: row => ({
      timestamp: `${YEAR}-${month(row['Month']!)}-${row['Date']!.padStart(2, '0')}T${row['Time']!}Z`,
      host: row['User']!,
      service: row['Component']!,
      message: row['Content']!,
      log_fields: fields(row, { pid: 'PID', address: 'Address' })
    })
  },
  {
    name: 'openssh',
    file: 'loghub/OpenSSH/OpenSSH_2k.log_structured.csv',
    toLog: row => ({
      timestamp: `${YEAR}-${month(row['Date']!)}-${row['Day']!.padStart(2, '0')}T${row['Time']!}Z`,
      host: row['Component']!,
      service: 'sshd',
      message: row['Content']!,
      log_fields: fields(row, { pid: 'Pid' })
    })
  },
  {
    name: 'zookeeper',
    file: 'loghub/Zookeeper/Zookeeper_2k.log_structured.csv',
    toLog: row => ({ ...componentLog(row, commaTime(row)), log_fields: fields(row, { node: 'Node', id: 'Id' }) })
  },
  { name: 'trainticket', file: 'traces/trainticket/08_50_log.csv', toLog: trainTicketLog }
]

function commaTime(row: Row): string {
  return `${row['Date']!}T${row['Time']!.replace(',', '.')}Z`
}

function componentLog(row: Row, timestamp: string): Omit<SentLog, 'log_fields'> {
  return { timestamp, level: row['Level']!, service: row['Component']!, message: row['Content']! }
}

function trainTicketLog(row: Row): SentLog {
  const message = (JSON.parse(row['Log']!) as { log: string }).log
  const level = /^\S+ +(TRACE|DEBUG|INFO|WARN|ERROR) /.exec(message)?.[1]
  return {
    timestamp: row['Timestamp']!,
    service: row['PodName']!.split('-').slice(0, -2).join('-'),
    host: row['Node']!,
    ...(level === undefined ? {} : { level }),
    message,
    trace_id: row['TraceID']!,
    span_id: row['SpanID']!,
    log_fields: { pod: row['PodName']!, container: row['Container']! }
  }
}

/** The logs of a set, in the order of its file. */
export function readSet(folder: string, set: LogSet): SentLog[] {
  return parseCsv(readFileSync(join(folder, set.file), 'utf8')).map(set.toLog)
}
