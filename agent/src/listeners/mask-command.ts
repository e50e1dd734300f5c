// Command lines have passwords. What is masked leaves the host as `***`; a word too many is masked rather than one too few.

const MASK = '***'
const MAX_CHARS = 1_024
/** Longer parts of a name do not make it another one; the bound keeps the search linear. */
const PART = '[\\w.-]{0,64}'
const WORDS = [
  'pass(?:w(?:or)?d|phrase|wd)?',
  ...['pwd', 'secret', 'token', 'credentials?', 'cookie', 'signature', 'jwt', 'dsn', 'masterauth', 'license'],
  '(?:api|access|private|account|encryption|signing|shared|auth)[-_.]?key',
  'connection[-_.]?string'
].join('|')
/** `auth` and `key` as a whole word: not `--author` and `--keyspace`. */
const NAME = `${PART}(?:(?:${WORDS})${PART}|(?<![A-Za-z])(?:auth|bearer|key)(?![A-Za-z]))`

/** A value up to its end, with what is quoted in it. */
const VALUE = '(?:"[^"]*"?|\'[^\']*\'?|[^\\s"\'&;])+'

/** `--password`, `-Dtoken`. */
const FLAG = new RegExp(`^-{1,2}${NAME}$`, 'i')
/** An argument that is an assignment as a whole: `--password=...`, `PGPASSWORD=...`. */
const WHOLE = new RegExp(`^(-{0,2}${NAME}=).+$`, 'is')
/** `password=...`, `"token": "..."`, `secret: ...` within an argument. */
const ASSIGNMENT = new RegExp(`(${NAME}["']?\\s{0,4}(?:=|:(?!//))\\s{0,4})${VALUE}`, 'gi')
/** A flag and its value within one argument: `sh -c "mysql --password ..."`. */
const SPACED = new RegExp(`((?:^|\\s)-{1,2}${NAME}\\s{1,4})${VALUE}`, 'gi')
/** `Authorization: Bearer ...`. */
const SCHEME = /\b(authorization\s{0,4}[:=]\s{0,4}(?:\w{1,32}\s{1,4})?|(?:bearer|basic)\s{1,4})[^\s"']+/gi
/** `postgres://user:password@host`. */
const USER_INFO = /(\b[a-z][a-z0-9+.-]{0,31}:\/\/[^\s/:@"']{0,256}):[^\s"']{1,1024}@/gi
/** `user:password@tcp(host)`, as Go's driver of MySQL has it. */
const GO_USER_INFO = /(\b[\w.-]{1,64}):[^\s"'@]{1,256}@(?=(?:tcp|unix)\()/g
/** Credentials that are recognized without a name: of this service, of GitHub, Slack, AWS and others, and JWT. */
const SHAPES =
  /\b(?:ali_[a-z]+_[\w-]{8,}|gh[a-z]_\w{16,}|github_pat_\w{16,}|xox[a-z]-[\w-]{8,}|sk-[\w-]{16,}|(?:AKIA|ASIA)[A-Z0-9]{12,}|eyJ[\w-]{8,}\.[\w-]+\.?[\w-]*)/g

/** Programs whose `-p` is glued to a password, and those whose next argument is one. */
const GLUED_PASSWORD = /^(?:mysql|mariadb)/
const NEXT_IS_PASSWORD: Readonly<Record<string, readonly string[]>> = {
  sshpass: ['-p'],
  'redis-cli': ['-a', '--pass'],
  mongo: ['-p'],
  mongosh: ['-p'],
  mongod: ['-p'],
  ldapsearch: ['-w'],
  htpasswd: ['-b']
}
/** `-u user:password` of curl and others. */
const USER_FLAG = /^(?:-u|--user|--proxy-user|-U)$/

function programOf(args: readonly string[]): string {
  const [first = ''] = args
  return first.slice(first.lastIndexOf('/') + 1)
}

function maskWithin(arg: string): string {
  return arg
    .replace(USER_INFO, `$1:${MASK}@`)
    .replace(GO_USER_INFO, `$1:${MASK}@`)
    .replace(SCHEME, `$1${MASK}`)
    .replace(SPACED, `$1${MASK}`)
    .replace(ASSIGNMENT, `$1${MASK}`)
    .replace(SHAPES, MASK)
}

/** Whether an argument is the value of the one before it and a secret. */
function isSecretValue(arg: string, before: string | undefined, program: string): boolean {
  if (before === undefined || arg.startsWith('--')) return false
  return FLAG.test(before) || NEXT_IS_PASSWORD[program]?.includes(before) === true
}

function maskArgument(arg: string, before: string | undefined, program: string): string {
  if (isSecretValue(arg, before, program)) return MASK
  const assignment = WHOLE.exec(arg)
  if (assignment !== null) return `${assignment[1]!}${MASK}`
  if (GLUED_PASSWORD.test(program) && /^-p./.test(arg) && !arg.startsWith('--')) return `-p${MASK}`
  if (before !== undefined && USER_FLAG.test(before) && arg.includes(':')) return `${arg.slice(0, arg.indexOf(':'))}:${MASK}`
  return maskWithin(arg)
}

/**
 * The command line of `/proc/<pid>/cmdline` without its secrets, cut after 1,024 characters. Null for a process without one:
 * a thread of the kernel, or one that has ended.
 */
export function maskedCommand(cmdline: string): string | null {
  const args = cmdline.split('\0')
  while (args.at(-1) === '') args.pop()
  if (args.length === 0) return null
  const program = programOf(args)
  const text = args.map((arg, i) => maskArgument(arg, i > 1 ? args[i - 1] : undefined, program)).join(' ')
  return text.length > MAX_CHARS ? `${text.slice(0, MAX_CHARS)}...` : text
}
