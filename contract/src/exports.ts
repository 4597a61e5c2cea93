import { z } from 'zod'
import {
  exportAggregates,
  exportFormats,
  exportIntervals,
  exportLayouts,
  exportLimits,
  exportStates,
} from './export-limits.ts'
import { csvWish, id, instant, nothing, timeZone } from './fields.ts'
import { fileAnswer } from './file-answer.ts'
import { route } from './route.ts'

const wish = {
  tagIds: z.array(id).min(1).max(exportLimits.exportTagsMax),
  from: instant,
  to: instant,
  format: z.enum(exportFormats),
  layout: z.enum(exportLayouts),
  timezone: timeZone,
  interval: z.enum(exportIntervals).optional(),
  agg: z.enum(exportAggregates).default('avg'),
  ...csvWish,
}

const who = { right: 'visitor+', tags: 'tagIds' } as const
const jobId = z.uuid()

const preview = z.object({
  samples: z.int(),
  rows: z.int(),
  bytes: z.int(),
  sheets: z.int(),
  columns: z.array(z.string()),
  head: z.array(z.array(z.string())),
})
export type ExportPreview = z.output<typeof preview>

/** The first rows of a file, and how large it would be; its numbers are estimates. */
export const previewExport = route({
  method: 'POST',
  path: '/api/v1/data/export/preview',
  who,
  load: 'history',
  title: { cn: '预览导出', en: 'Preview an export' },
  request: z.object(wish),
  answer: preview,
  errors: ['EXPORT_SPAN', 'EXPORT_CSV_SHEETS', 'EXPORT_TOO_LARGE', 'EXPORT_XLSX_TOO_LARGE'],
})

export const createExport = route({
  method: 'POST',
  path: '/api/v1/data/export',
  who,
  load: 'history',
  limits: ['exports'],
  title: { cn: '导出数据', en: 'Export values' },
  request: z.object(wish),
  answer: z.object({ jobId }),
  errors: [
    'EXPORT_SPAN',
    'EXPORT_CSV_SHEETS',
    'EXPORT_TOO_LARGE',
    'EXPORT_XLSX_TOO_LARGE',
    'EXPORTS_FULL',
    'FILES_FULL',
    'STORAGE_FULL',
  ],
})

const exportRow = z.object({
  jobId,
  name: z.string(),
  state: z.enum(exportStates),
  progress: z.number(),
  machines: z.array(z.string()),
  tags: z.int(),
  from: instant,
  to: instant,
  format: z.enum(exportFormats),
  layout: z.enum(exportLayouts),
  timezone: z.string(),
  interval: z.enum(exportIntervals).nullable(),
  agg: z.enum(exportAggregates).nullable(),
  rows: z.int().nullable(),
  bytes: z.int().nullable(),
  reason: z.string(),
  damaged: z.boolean(),
  createdAt: instant,
  endedAt: instant.nullable(),
  expiresAt: instant.nullable(),
})
export type ExportRow = z.output<typeof exportRow>

export const listExports = route({
  method: 'GET',
  path: '/api/v1/data/export',
  who: 'user',
  title: { cn: '我的导出', en: 'List your exports' },
  request: nothing,
  answer: z.array(exportRow),
  errors: [],
})

/** `lost` names the devices whose values the caller may not see any more; `url` is null then, and before the file is ready. */
export const getExport = route({
  method: 'GET',
  path: '/api/v1/data/export/:jobId',
  who: 'user',
  title: { cn: '导出的进度', en: 'Get an export' },
  request: z.object({ jobId }),
  answer: z.object({ ...exportRow.shape, url: z.string().nullable(), lost: z.array(z.string()) }),
  errors: ['404'],
})

/** Cancels an export that waits or runs; removes another one with its file. */
export const deleteExport = route({
  method: 'DELETE',
  path: '/api/v1/data/export/:jobId',
  who: 'user',
  title: { cn: '取消或删除导出', en: 'Cancel or delete an export' },
  request: z.object({ jobId }),
  answer: nothing,
  errors: ['404'],
})

export const downloadExport = route({
  method: 'GET',
  path: '/api/v1/data/export/:jobId/file',
  who: 'user',
  file: true,
  title: { cn: '下载导出文件', en: 'Download the file of an export' },
  request: z.object({ jobId }),
  answer: fileAnswer,
  errors: ['404', 'FILE_GONE', 'EXPORT_RIGHT_LOST'],
})
