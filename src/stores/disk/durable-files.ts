import { open, unlink } from 'node:fs/promises'

/** Forces a file's content to the disk. */
export async function syncFile(file: string): Promise<void> {
  const handle = await open(file, 'r+')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Forces a folder's entries to the disk, so that a new file's name survives a power cut. */
export async function syncFolder(folder: string): Promise<void> {
  // Windows cannot open folders; its file systems journal names themselves.
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Removes a file; true when it is gone, false when it is still held open (Windows) and must be tried again. */
export async function removeFile(file: string): Promise<boolean> {
  try {
    await unlink(file)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT'
  }
}
