import { spawn, type ChildProcess } from 'node:child_process'

/** Its input closes when the owner dies; a line before that reports that the server has ended by then. */
const SCRIPT = `
server=$1
while read -r _; do server=; done
[ -z "$server" ] || kill -s KILL -- "-$server"
sleep 1
rm -rf "$2"
`

/** A shell next to a server that ends it and deletes its folder when this process dies, however it dies. */
export class ServerGuard {
  readonly #shell: ChildProcess

  constructor(leader: number, folder: string) {
    this.#shell = spawn('sh', ['-c', SCRIPT, 'guard', String(leader), folder], {
      stdio: ['pipe', 'ignore', 'ignore'],
      detached: true
    })
    this.#shell.unref()
  }

  /** The server's process id may be someone else's from now on; only the folder is left to delete. */
  serverEnded(): void {
    this.#shell.stdin?.write('ended\n')
  }

  release(): void {
    this.#shell.kill('SIGKILL')
  }
}
