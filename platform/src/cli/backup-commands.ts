import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import path, { resolve } from 'node:path'
import { readConfig } from '../config.ts'
import { type BackupResult, backup, restore } from '../kernel/database/backup.ts'
import { backupNoteOf, chooseDataDir } from '../kernel/database/data-dir.ts'
import { areSamplesElsewhere, bindDatabases } from '../kernel/database/database-roles.ts'
import { migrate } from '../kernel/database/migrate.ts'
import { type Command, CommandError } from './command.ts'

/** `busbar backup` */
export const backupCommand: Command = {
  name: ['backup'],
  summary: 'write the whole database into one file; the platform can keep running',
  usage:
    '  FILE  the new file, e.g. busbar-2026-11-21.backup; one that exists is never overwritten. With TELEMETRY_URL the\n' +
    '        samples are in a second file beside it, FILE.samples.',
  prepare(args) {
    const file = readFileName(args)
    for (const name of [file, samplesFileOf(file)])
      if (existsSync(name)) throw new CommandError(`${name} already exists`)
    return async (db, samplesDb) => {
      const areApart = await areSamplesElsewhere(db)
      if (areApart) await bindDatabases(db, samplesDb)
      // First the samples: the main database, dumped a little later, has the variables of all of them.
      if (areApart && samplesDb)
        printBackup(samplesFileOf(file), await backup(samplesDb, samplesFileOf(file)))
      printBackup(file, await backup(db, file))
      await noteBackup()
    }
  },
}

/** For `busbar_backup_made_seconds`. */
async function noteBackup(): Promise<void> {
  const checkoutDir = path.resolve(import.meta.dirname, '../../..')
  const note = backupNoteOf(readConfig(process.env).DATA_DIR ?? chooseDataDir(checkoutDir))
  await writeFile(note, '').catch(() =>
    console.warn(`${note} could not be written, so the platform does not know of this backup.`),
  )
}

/** `busbar restore` */
export const restoreCommand: Command = {
  name: ['restore'],
  summary: 'restore a backup of the same version into an empty database, completely or not at all',
  usage:
    '  FILE  what busbar backup wrote. Stop the platform and give it an empty data folder first. Where FILE.samples is\n' +
    '        beside it, it is read into the database of TELEMETRY_URL, which must be empty, too.',
  makesDatabase: true,
  prepare(args) {
    const file = readFileName(args)
    if (!existsSync(file)) throw new CommandError(`${file} does not exist`)
    const samplesFile = samplesFileOf(file)
    const hasSamples = existsSync(samplesFile)
    return async (db, samplesDb) => {
      if (hasSamples && !samplesDb)
        throw new CommandError(
          `The samples are in ${samplesFile}: set TELEMETRY_URL to an empty database for them.`,
        )
      if (!hasSamples && samplesDb)
        throw new CommandError(
          `There is no ${samplesFile}. Unset TELEMETRY_URL where the samples are in ${file}; otherwise put that file beside it.`,
        )
      if (samplesDb) {
        await migrate(samplesDb)
        printRestored(samplesFile, await restore(samplesFile, samplesDb))
      }
      printRestored(file, await restore(file, db))
      if (!samplesDb && (await areSamplesElsewhere(db)))
        console.warn(
          `${file} has no samples: they were in a second database. Restore that, too, and set TELEMETRY_URL.`,
        )
    }
  },
}

const samplesFileOf = (file: string): string => `${file}.samples`

function printBackup(file: string, { rows, tables, bytes }: BackupResult): void {
  console.log(`${file}: ${rows} rows of ${tables} tables, ${(bytes / 1e6).toFixed(1)} MB`)
}

function printRestored(file: string, { rows, tables }: { rows: number; tables: number }): void {
  console.log(`${rows} rows of ${tables} tables restored from ${file}`)
}

/** npm runs scripts in the checkout; a person means the folder they were in. */
function readFileName(args: readonly string[]): string {
  const [file, ...more] = args
  if (!file || file.startsWith('-') || more.length > 0) throw new CommandError('Give the name of one file.')
  return resolve(process.env.INIT_CWD ?? '.', file)
}
