/** The flags that Node itself was started with, in their order: those of the command line come behind those of the environment. */
export function nodeFlags(): string {
  return [process.env['NODE_OPTIONS'] ?? '', ...process.execArgv].join(' ')
}
