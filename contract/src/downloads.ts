import { z } from 'zod'
import { route } from './route.ts'

/**
 * The state of the programs to download: `signed` by the operator's key, `unsigned` where the platform was given no key
 * or no signature, `wrong` where the signature is not that key's, so that nothing is offered, `missing` without programs.
 */
export const downloadStates = ['signed', 'unsigned', 'wrong', 'missing'] as const
export type DownloadState = (typeof downloadStates)[number]

const download = z.object({
  program: z.string(),
  system: z.string(),
  version: z.string(),
  file: z.string(),
  bytes: z.int(),
  sha256: z.string(),
  url: z.string(),
})
export type Download = z.output<typeof download>

export const listDownloads = route({
  method: 'GET',
  path: '/api/v1/downloads',
  who: 'public',
  title: { cn: '程序下载', en: 'List the programs to download' },
  request: z.object({}),
  answer: z.object({
    state: z.enum(downloadStates),
    missing: z.string().nullable(),
    manifestUrl: z.string().nullable(),
    signatureUrl: z.string().nullable(),
    files: z.array(download),
  }),
  errors: [],
})

/** The beginning of the addresses of the programs, and of the manifest and its signature. */
export const downloadPath = '/download/'
