import { open } from 'node:fs/promises'

/** Makes names added to a folder durable; does nothing on systems without such a call. */
export async function syncFolder(path: string): Promise<void> {
  try {
    const folder = await open(path, 'r')
    try {
      await folder.sync()
    } finally {
      await folder.close()
    }
  } catch {
    // Windows cannot open folders; failures of the file itself were thrown before.
  }
}
