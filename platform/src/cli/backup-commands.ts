import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { backup, restore } from '../kernel/database/backup.ts'
import { type Command, CommandError } from './command.ts'

/** `busbar backup` */
export const backupCommand: Command = {
  name: ['backup'],
  summary: 'write the whole database into one file; the platform may go on running',
  usage: '  FILE  the new file, e.g. busbar-2026-11-21.backup; one that exists is never overwritten',
  prepare(args) {
    const file = readFileName(args)
    if (existsSync(file)) throw new CommandError(`${file} exists already`)
    return async (db) => {
      const { rows, tables, bytes } = await backup(db, file)
      console.log(`${file}: ${rows} rows of ${tables} tables, ${(bytes / 1e6).toFixed(1)} MB`)
    }
  },
}

/** `busbar restore` */
export const restoreCommand: Command = {
  name: ['restore'],
  summary: 'read a backup into an empty database of the same version; all of it or nothing',
  usage: '  FILE  what busbar backup wrote. Stop the platform and give it an empty data folder first.',
  makesDatabase: true,
  prepare(args) {
    const file = readFileName(args)
    if (!existsSync(file)) throw new CommandError(`${file} does not exist`)
    return async (db) => {
      const { rows, tables } = await restore(file, db)
      console.log(`${rows} rows of ${tables} tables restored from ${file}`)
    }
  },
}

/** npm runs scripts in the checkout; a person means the folder they were in. */
function readFileName(args: readonly string[]): string {
  const [file, ...more] = args
  if (!file || file.startsWith('-') || more.length > 0) throw new CommandError('Give the name of one file.')
  return resolve(process.env.INIT_CWD ?? '.', file)
}
