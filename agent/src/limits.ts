/** Bounds of the agent that are not settings. */
export const LIMITS = Object.freeze({
  /** Bytes of one read of a file. */
  readBytes: 256 * 1024,
  /** Bytes of one line; the rest of a longer one is skipped and counted as part of it. */
  lineBytes: 256 * 1024,
  /** Bytes of a file that one batch covers, unless a single line is longer. */
  batchBytes: 1024 * 1024,
  /** Bytes of the lines of a container in memory. */
  containerBatchBytes: 256 * 1024,
  /** Different lines of a container at one time that are distinguished. */
  linesOfOneTime: 10_000,
  /** A clock that was set back by more is believed: times of lines do not stay ahead of it. */
  clockBackMs: 60_000,
  /** Silence of Docker after which the beginning of a log is known. */
  containerScanMs: 30_000,
  /** Bytes of an entry of the system journal as JSON. */
  journalEntryBytes: 1024 * 1024,
  /** Lines and bytes of a record of several lines; what follows is a record of its own. */
  recordLines: 1_000,
  recordBytes: 256 * 1024,
  /** How long the last record of a file waits for more lines. */
  recordWaitMs: 5_000,
  /** Bytes of lines in memory, over all files. */
  bufferedBytes: 32 * 1024 * 1024,
  /** Bytes before an offset by which a file is recognized. */
  anchorBytes: 256,
  /** First bytes of a file by which a stream is recognized. */
  headBytes: 1024,
  /** First bytes of a file that are read once for all comparisons of a look; as many of each new file are in memory. */
  viewBytes: 4 * 1024,
  /** Files that are followed at once. */
  files: 1_000,
  /** Batches in flight at once, of different streams. */
  inFlight: 4,
  /** Size of the journal at which it is rewritten. */
  journalBytes: 4 * 1024 * 1024,
  /** How long an ended stream is remembered, so that a renamed file is not read again. */
  endedMs: 7 * 24 * 3_600_000,
  /** Series of metrics; those of network devices, file systems and single processors are the last. */
  metricSeries: 1_000,
  /** Containers with metrics, and those that run and have logs. */
  containers: 100,
  /** Stopped containers whose logs are read at once, and containers that are known, stopped or not. */
  stoppedContainers: 4,
  knownContainers: 2_000,
  /** Cgroups that are looked at to find containers. */
  cgroupFolders: 5_000,
  /** Metrics of how long are kept in an outage. */
  metricsWaitingMs: 15 * 60_000,
  /** Listening sockets in one report; those of the highest ports are left out. */
  listeners: 1_000,
  /** Containers in one report. */
  reportedContainers: 500,
  /** Their bytes as JSON, as the service limits them. */
  reportedContainerBytes: 256 * 1024,
  /** Characters of the path of a program; a longer one is left out. */
  exeChars: 1_024,
  /** Between two looks whether files are read in another way than the latest report states. */
  reportedChangeMs: 10_000,
  /** Open files of processes that are looked at to find the processes of sockets. */
  processFiles: 200_000,
  /** Network namespaces whose sockets are read. */
  networks: 500,
  /** Bytes of a report of the host, uncompressed. */
  hostReportBytes: 1024 * 1024,
  /** Sources that a report of the host lists. */
  reportedSources: 100,
  /** Paths that one pattern matches. */
  globPaths: 10_000
})
