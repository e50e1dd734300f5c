import { appendFileSync, readFileSync } from 'node:fs'

/**
 * Closes a test run with one plain line: `N passed, N failed`, and `, N skipped` if there are any. With TEST_COUNTS, a file,
 * the line counts all runs that were given the same file.
 */
export default class CountReporter {
  onRunComplete(_contexts, results) {
    const broken = results.testResults.filter(file => file.testExecError && file.numFailingTests === 0).length
    const counts = [results.numPassedTests, results.numFailedTests + broken, results.numPendingTests + results.numTodoTests]
    const [passed, failed, skipped] = sumWith(process.env.TEST_COUNTS, counts)
    const line = `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
    // Jest writes its own summary after all reporters, so the last line waits for the exit.
    process.once('exit', () => process.stdout.write(`\n${line}\n`))
  }
}

/** Adds a line of counts to the file and sums all its lines. */
function sumWith(file, counts) {
  if (!file) return counts
  appendFileSync(file, `${counts.join(' ')}\n`)
  const lines = readFileSync(file, 'utf8').trim().split('\n')
  return lines.map(line => line.split(' ').map(Number)).reduce((sums, each) => sums.map((sum, i) => sum + each[i]))
}
