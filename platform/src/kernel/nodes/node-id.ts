import { randomUUID } from 'node:crypto'
import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'

/** An id is a part of file names, certificates and subjects. */
export const nodeIdForm = /^[\w.-]{1,64}$/

/** The id of the node whose data is in a folder. Creates one if the file has none. */
export async function openNodeId(file: string): Promise<string> {
  const known = await readId(file)
  if (known !== undefined) return known
  await mkdir(dirname(file), { recursive: true })
  const made = randomUUID()
  // The file appears complete under its name: a kill here leaves no partial id.
  const part = `${file}.${made}`
  await writeFile(part, `${made}\n`, { flush: true })
  try {
    await link(part, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    // Another process has created one at this moment; otherwise the file has none.
    const other = await readId(file)
    if (other !== undefined) return other
    await rename(part, file)
  } finally {
    await rm(part, { force: true })
  }
  return made
}

/** Undefined for a file that is missing, or cannot be an id: one that was cut, or cannot be read by this user. */
async function readId(file: string): Promise<string | undefined> {
  try {
    const id = (await readFile(file, 'utf8')).trim()
    return nodeIdForm.test(id) ? id : undefined
  } catch (error) {
    if (['ENOENT', 'EACCES', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined
    throw error
  }
}
