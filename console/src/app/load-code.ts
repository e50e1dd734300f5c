const RETRY_MS = 2_000

/** Whether the service responds, and can be expected to have the files of the console. */
export type Probe = () => Promise<boolean>

const isHealthy: Probe = () =>
  fetch(new URL('health/ready', document.baseURI)).then(
    ({ ok }) => ok,
    () => false
  )

/**
 * Loads a part of the console. While the service does not respond, the part is awaited: the page does not leave what it
 * shows. Rejects when the service responds without the part, as after an update.
 */
export async function loadCode<Module>(load: () => Promise<Module>, responds: Probe = isHealthy): Promise<Module> {
  try {
    return await load()
  } catch {
    while (!(await responds())) await new Promise(resolve => setTimeout(resolve, RETRY_MS))
    return load()
  }
}
