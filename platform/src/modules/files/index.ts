/** Files that the platform makes for people and keeps for a time. */
export { FileRevoked, Files, type MakeOptions } from './files.ts'
export { createFilesModule, type FilesModule } from './files-module.ts'
export type { FilePurpose, FileState, NewFile, StoredFile } from './files-store.ts'
export { whileAllowed } from './while-allowed.ts'
