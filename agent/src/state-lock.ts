import { access, constants, type FileHandle, open, rm } from 'node:fs/promises'
import { connect, createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { ConfigError } from './config/config.js'
import { makeFolder } from './make-folder.js'

const NAME = 'lock'

/** Listens on a socket; false when its file exists. */
function listen(server: Server, path: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const onError = (error: NodeJS.ErrnoException): void => {
      if (error.code === 'EADDRINUSE') resolve(false)
      else reject(error)
    }
    server.once('error', onError)
    server.listen(path, () => {
      server.off('error', onError)
      resolve(true)
    })
  })
}

/** Whether a process listens on a socket. */
function isOwned(path: string): Promise<boolean> {
  return new Promise(resolve => {
    const socket = connect(path)
    // No other process listens.
    socket.once('error', () => resolve(false))
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
  })
}

async function take(folder: FileHandle, stateDir: string): Promise<Server> {
  // A path through the descriptor: those of sockets have at most 107 bytes.
  const path = `/proc/self/fd/${folder.fd}/${NAME}`
  const server = createServer(socket => socket.destroy())
  server.unref()
  if (await listen(server, path)) return server
  if (await isOwned(path)) throw new ConfigError(`another agent uses ${stateDir}; stop it, or set agent.state_dir`)
  await rm(join(stateDir, NAME), { force: true })
  if (await listen(server, path)) return server
  throw new ConfigError(`another agent takes ${stateDir} now; stop it, or set agent.state_dir`)
}

async function openFolder(stateDir: string): Promise<FileHandle> {
  try {
    await makeFolder(stateDir, 0o700)
    await access(stateDir, constants.W_OK)
    return await open(stateDir, 'r')
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new ConfigError(`agent.state_dir (${stateDir}) cannot be used: ${reason}; create it for this user, or set another one`)
  }
}

/**
 * Takes the state folder for this process: two agents would send the same lines. The lock is a socket, which ends with its
 * process and which containers that share the folder see, too. Throws `ConfigError` when another agent has it, and when it cannot be written. Returns how to release it.
 */
export async function lockState(stateDir: string): Promise<() => Promise<void>> {
  const folder = await openFolder(stateDir)
  try {
    const server = await take(folder, stateDir)
    return async () => {
      await new Promise(resolve => server.close(resolve))
      await folder.close()
    }
  } catch (error) {
    await folder.close()
    throw error
  }
}
