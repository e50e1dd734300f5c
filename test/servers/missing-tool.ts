import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/** A server cannot run here because the machine lacks something; the message is a sentence that names it. */
export class MissingTool extends Error {}

/** The output of `command --version` or the like; throws MissingTool with `need` when the command is not there. */
export async function requireTool(command: string, versionArgs: readonly string[], need: string): Promise<string> {
  try {
    const { stdout, stderr } = await promisify(execFile)(command, versionArgs)
    return stdout + stderr
  } catch (error) {
    throw new MissingTool(need, { cause: error })
  }
}
