import { checkRuleFile, type FileReport, runRuleTests } from './app/rule-commands.js'

const USAGE = `Usage: npm run rules -- <command> FILE...

  check FILE...   reads rule files of Prometheus and reports what is wrong with them
  test FILE...    runs unit tests of rules, in the format of promtool

Exit code 1 when a file is wrong or a test fails.
`
const COMMANDS: ReadonlyMap<string, { readonly title: string; readonly run: (path: string) => Promise<FileReport> }> = new Map([
  ['check', { title: 'Checking', run: checkRuleFile }],
  ['test', { title: 'Unit Testing: ', run: runRuleTests }]
])
const EXIT_FAILED = 1
const EXIT_USAGE = 2

function print(text: string): void {
  process.stdout.write(`${text}\n`)
}

async function main([name = '', ...files]: readonly string[]): Promise<number> {
  const command = COMMANDS.get(name)
  if (command === undefined || files.length === 0) {
    process.stderr.write(USAGE)
    return EXIT_USAGE
  }
  let isGood = true
  for (const path of files) {
    print(`${command.title} ${path}`)
    const report = await reported(command.run, path)
    for (const line of report.lines) print(line)
    isGood &&= report.isGood
  }
  return isGood ? 0 : EXIT_FAILED
}

/** A file that cannot be read is reported like one that is wrong, and the next file is read. */
async function reported(run: (path: string) => Promise<FileReport>, path: string): Promise<FileReport> {
  try {
    return await run(path)
  } catch (error) {
    return { isGood: false, lines: ['  FAILED:', error instanceof Error ? error.message : String(error), ''] }
  }
}

process.exitCode = await main(process.argv.slice(2))
