import { mkdir, open, rename, rm } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { readObject, readText } from './checked-json.ts'

/** A session of the program, as it lies in the user's own folder. */
export interface Session {
  readonly server: string
  readonly token: string
  /** The program on this computer: a further sign-in ends the session before. */
  readonly terminal: string
}

/** The file may not be used. `fault`: `shared` others can read it, `damaged` its text is not a session. */
export class SessionFileError extends Error {
  readonly fault: 'shared' | 'damaged'
  readonly path: string

  constructor(fault: 'shared' | 'damaged', path: string) {
    super(`${path}: ${fault}`)
    this.fault = fault
    this.path = path
  }
}

const bytesMax = 16_384

export interface Place {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly platform: NodeJS.Platform
}

/** The user's own folder for settings, by the custom of the system. */
export function configFolder({ env, platform }: Place): string {
  const home = (platform === 'win32' ? env.USERPROFILE : env.HOME) ?? homedir()
  if (platform === 'win32') return join(env.LOCALAPPDATA ?? join(home, 'AppData', 'Local'), 'busbar-connect')
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'busbar-connect')
  return join(env.XDG_CONFIG_HOME ?? join(home, '.config'), 'busbar-connect')
}

export const sessionPath = (place: Place): string => join(configFolder(place), 'session.json')

/**
 * The session of this user; undefined where they are not signed in.
 * @throws SessionFileError where other users of the computer can read it, or its text is not a session
 */
export async function readSession(place: Place): Promise<Session | undefined> {
  const path = sessionPath(place)
  const handle = await open(path, 'r').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (!handle) return undefined
  try {
    const facts = await handle.stat()
    // On Windows the folder of the user decides who reads it.
    if (place.platform !== 'win32' && (facts.mode & 0o077) !== 0) throw new SessionFileError('shared', path)
    if (facts.size > bytesMax) throw new SessionFileError('damaged', path)
    const fields = readObject(JSON.parse(await handle.readFile('utf8')))
    return {
      server: readText(fields.server),
      token: readText(fields.token),
      terminal: readText(fields.terminal),
    }
  } catch (error) {
    if (error instanceof SessionFileError) throw error
    throw new SessionFileError('damaged', path)
  } finally {
    await handle.close()
  }
}

export async function writeSession(place: Place, session: Session): Promise<void> {
  const path = sessionPath(place)
  await mkdir(configFolder(place), { recursive: true, mode: 0o700 })
  const aside = `${path}.${process.pid}`
  await rm(aside, { force: true })
  const handle = await open(aside, 'wx', 0o600)
  try {
    await handle.writeFile(`${JSON.stringify(session)}\n`)
    await handle.sync()
  } finally {
    await handle.close()
  }
  await rename(aside, path)
}

export const removeSession = (place: Place): Promise<void> => rm(sessionPath(place), { force: true })
