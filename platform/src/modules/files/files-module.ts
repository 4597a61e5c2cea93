import { readInstallation } from '../../kernel/database/database-roles.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import type { Module } from '../../kernel/module.ts'
import { FileFolder } from './file-folder.ts'
import { Files } from './files.ts'

interface Deps {
  /** FILES_DIR, or the folder below the data folder. */
  readonly dir: string
}

export interface FilesModule extends Module {
  readonly files: Files
}

/** Files that the platform makes for people. */
export function createFilesModule({ db, logger, config, now }: Kernel, { dir }: Deps): FilesModule {
  const folder = new FileFolder(dir)
  const files = new Files({ db, logger, folder, bytesMax: config.FILES_GB_MAX * 1024 ** 3, now })
  return {
    name: 'files',
    roles: ['api', 'jobs'],
    files,
    start: async () => folder.make(await readInstallation(db)),
    jobs: [{ name: 'files.removeOld', everyS: 300, run: () => files.sweep() }],
  }
}
