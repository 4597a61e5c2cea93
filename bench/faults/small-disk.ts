import { execFile } from 'node:child_process'
import { open, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const folderPrefix = 'busbar-faults-'
const blockBytes = 64 * 1024
const pageBytes = 4 * 1024

/** A separate file system that can be filled to the last byte and emptied again. */
export interface SmallDisk {
  fill(): Promise<void>
  empty(): Promise<void>
  close(): Promise<void>
}

let known: Promise<boolean> | undefined

/** Whether this user may make one: a tmpfs wants root. */
export function canMount(): Promise<boolean> {
  known ??= (async () => {
    if (process.getuid?.() !== 0) return false
    const dir = join(tmpdir(), `${folderPrefix}${process.pid}-probe`)
    try {
      await run('mkdir', ['-p', dir])
      await run('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'busbar-faults', dir])
      await run('umount', [dir])
      return true
    } catch {
      return false
    } finally {
      await rm(dir, { recursive: true, force: true })
    }
  })()
  return known
}

/** Mounts one at an existing folder. */
export async function mountSmallDisk(dir: string, megabytes: number): Promise<SmallDisk> {
  await run('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0755`, 'busbar-faults', dir])
  const ballast = join(dir, 'ballast')
  return {
    async fill() {
      const file = await open(ballast, 'a')
      try {
        for (const bytes of [Buffer.alloc(blockBytes), Buffer.alloc(pageBytes)])
          await writeUntilFull(file, bytes)
      } finally {
        await file.close()
      }
    },
    empty: () => rm(ballast, { force: true }),
    close: async () => {
      await run('umount', ['--lazy', dir])
    },
  }
}

async function writeUntilFull(file: Awaited<ReturnType<typeof open>>, bytes: Buffer): Promise<void> {
  try {
    for (;;) await file.write(bytes)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
  }
}

/** A run's folder is named after its process, so that the folder of a killed runner can be removed. */
export const runFolderPrefix = (): string => join(tmpdir(), `${folderPrefix}${process.pid}-`)

/** Unmounts and removes what ended runs left behind. */
export async function removeAbandoned(): Promise<void> {
  const mounts = await readFile('/proc/mounts', 'utf8').catch(() => '')
  for (const name of await readdir(tmpdir())) {
    const pid = Number(new RegExp(`^${folderPrefix}(\\d+)-`).exec(name)?.[1])
    if (!pid || isAlive(pid)) continue
    const dir = join(tmpdir(), name)
    for (const line of mounts.split('\n')) {
      const mounted = line.split(' ')[1]
      if (mounted?.startsWith(dir)) await run('umount', ['--lazy', mounted]).catch(() => {})
    }
    await rm(dir, { recursive: true, force: true }).catch(() => {})
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
