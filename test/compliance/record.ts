import { resultOf, type ComplianceResult } from './results.js'
import { runCompliance, TIMES } from './run.js'
import { complianceQueries, digestOf, pushComplianceData } from './cases.js'
import { writeRecording } from './recording.js'

// Records what a real Prometheus 3 responds to the official compliance queries: start an empty one with
// --web.enable-remote-write-receiver and --storage.tsdb.retention.time=10y, then
//   npx tsx test/compliance/record.ts http://127.0.0.1:9090

const url = process.argv[2] ?? 'http://127.0.0.1:9090'
await pushComplianceData(`${url}/api/v1/write`)
const responses = new Map<string, ComplianceResult>()
for (const query of complianceQueries()) {
  responses.set(digestOf(query), resultOf(await runCompliance(url, query, 'range'), TIMES))
}
writeRecording(responses)
process.stdout.write(`${responses.size} responses\n`)
