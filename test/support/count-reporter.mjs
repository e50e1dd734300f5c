/** Closes a test run with one plain line: `N passed, N failed`, and `, N skipped` if there are any. */
export default class CountReporter {
  onRunComplete(_contexts, results) {
    const broken = results.testResults.filter(file => file.testExecError && file.numFailingTests === 0).length
    const skipped = results.numPendingTests + results.numTodoTests
    const line = `${results.numPassedTests} passed, ${results.numFailedTests + broken} failed`
    // Jest writes its own summary after all reporters, so the last line waits for the exit.
    process.once('exit', () => process.stdout.write(`\n${skipped > 0 ? `${line}, ${skipped} skipped` : line}\n`))
  }
}
