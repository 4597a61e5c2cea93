import { open } from 'node:fs/promises'

/** Makes names that were added to a folder last; where the system knows no such thing it does nothing. */
export async function syncFolder(path: string): Promise<void> {
  try {
    const folder = await open(path, 'r')
    try {
      await folder.sync()
    } finally {
      await folder.close()
    }
  } catch {
    // Windows opens no folders; what the file itself could not do has been thrown before.
  }
}
