/** Programs that people download: the agent with its drivers. */
export type { Downloads, OfferedFiles } from './downloads.ts'
export { createDownloadsModule, type DownloadsModule } from './downloads-module.ts'
