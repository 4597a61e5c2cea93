import { z } from 'zod'
import { boardLimits } from './board-limits.ts'
import { eidOrPersonal, id, instant, nothing, shortText, timeZone } from './fields.ts'
import { fileAnswer } from './file-answer.ts'
import { reportLimits } from './report-limits.ts'
import { route } from './route.ts'

export const reportParts = ['availability', 'statistics', 'trends', 'alarms'] as const
export type ReportPart = (typeof reportParts)[number]

export const reportFormats = ['pdf', 'xlsx', 'csv'] as const
export type ReportFormat = (typeof reportFormats)[number]

export const reportSchedule = z.strictObject({
  every: z.enum(['day', 'week', 'month']),
  weekday: z.int().min(1).max(7).default(1),
  monthDay: z.int().min(0).max(28).default(1),
  hour: z.int().min(0).max(23),
  timeZone: timeZone,
})
export type ReportSchedule = z.output<typeof reportSchedule>

/** A variable by the names its device gives it: a change of its type gives it another id. */
const reportTag = z.strictObject({
  machineId: id,
  group: z.string().max(boardLimits.tagGroupMax),
  tag: z.string().min(1).max(boardLimits.tagNameMax),
})
export type ReportTagRef = z.output<typeof reportTag>

export const reportContent = z.strictObject({
  machineIds: z.array(id).max(reportLimits.machinesPerReport),
  tags: z.array(reportTag).max(reportLimits.tagsPerReport),
  parts: z.array(z.enum(reportParts)).min(1).max(reportParts.length),
})
export type ReportContent = z.output<typeof reportContent>

const recipients = z.strictObject({
  userIds: z.array(id).max(reportLimits.recipientsPerReport),
  contactIds: z.array(id).max(reportLimits.recipientsPerReport),
})

const name = shortText(1, reportLimits.reportNameMax)
const eid = eidOrPersonal

const body = {
  name,
  schedule: reportSchedule,
  content: reportContent,
  formats: z.array(z.enum(reportFormats)).min(1).max(reportFormats.length),
  recipients,
  enabled: z.boolean().default(true),
}

export const reportRunStates = ['waiting', 'making', 'done', 'failed'] as const
export type ReportRunState = (typeof reportRunStates)[number]

/** Why a run failed. */
export const reportRunErrors = ['noMachines', 'noOwner', 'filesFull', 'noRoom', 'failed'] as const
export type ReportRunError = (typeof reportRunErrors)[number]

const lastRun = z.object({
  at: instant,
  state: z.enum(reportRunStates),
  error: z.enum(reportRunErrors).nullable(),
})

const reportRow = z.object({
  id,
  name: z.string(),
  eid: id.nullable(),
  schedule: reportSchedule,
  formats: z.array(z.enum(reportFormats)),
  machines: z.int(),
  recipients: z.int(),
  enabled: z.boolean(),
  nextAt: instant.nullable(),
  lastRun: lastRun.nullable(),
  mayEdit: z.boolean(),
  updatedAt: instant,
  updatedBy: z.string(),
})
export type ReportRow = z.output<typeof reportRow>

export const listReports = route({
  method: 'GET',
  path: '/api/v1/reports',
  who: 'user',
  title: { cn: '定期报告列表', en: 'List the scheduled reports' },
  request: z.object({ eid }),
  answer: z.array(reportRow),
  errors: ['403'],
})

const report = z.object({
  ...body,
  id,
  eid: id.nullable(),
  nextAt: instant.nullable(),
  mayEdit: z.boolean(),
  hiddenMachines: z.int(),
})
export type Report = z.output<typeof report>

export const getReport = route({
  method: 'GET',
  path: '/api/v1/reports/:id',
  who: 'user',
  title: { cn: '定期报告', en: 'Get a scheduled report' },
  request: z.object({ id }),
  answer: report,
  errors: ['404'],
})

export const createReport = route({
  method: 'POST',
  path: '/api/v1/reports',
  who: 'user',
  title: { cn: '新建定期报告', en: 'Add a scheduled report' },
  request: z.object({ eid, ...body }),
  answer: z.object({ id }),
  errors: ['403', 'REPORTS_FULL', 'REPORT_MACHINES', 'REPORT_RECIPIENTS', 'REPORT_EMPTY', 'STORAGE_FULL'],
})

export const updateReport = route({
  method: 'PUT',
  path: '/api/v1/reports/:id',
  who: 'user',
  title: { cn: '修改定期报告', en: 'Change a scheduled report' },
  request: z.object({ id, ...body }),
  answer: nothing,
  errors: ['403', '404', 'REPORT_MACHINES', 'REPORT_RECIPIENTS', 'REPORT_EMPTY', 'STORAGE_FULL'],
})

export const deleteReport = route({
  method: 'DELETE',
  path: '/api/v1/reports/:id',
  who: 'user',
  title: { cn: '删除定期报告', en: 'Delete a scheduled report' },
  request: z.object({ id }),
  answer: nothing,
  errors: ['403', '404'],
})

export const runReport = route({
  method: 'POST',
  path: '/api/v1/reports/:id/run',
  who: 'user',
  title: { cn: '立即生成报告', en: 'Run a report now' },
  request: z.object({
    id,
    send: z.boolean().default(false),
  }),
  answer: z.object({ runId: id, sends: z.boolean() }),
  errors: ['403', '404', 'REPORT_RUNNING'],
  limits: ['reportRuns'],
})

/** The pages of the last period as pictures, with the rights of the caller and before anything is saved. */
export const previewReport = route({
  method: 'POST',
  path: '/api/v1/reports/preview',
  who: 'user',
  load: 'history',
  title: { cn: '预览报告', en: 'Preview a report' },
  request: z.object({ eid, name, schedule: reportSchedule, content: reportContent }),
  answer: z.object({
    from: instant,
    to: instant,
    nextAt: instant,
    pages: z.int(),
    pictures: z.array(z.string()),
  }),
  errors: ['403', 'REPORT_MACHINES', 'REPORT_EMPTY'],
  limits: ['reportRuns'],
})

/**
 * Whether a person agreed to the reports of this owner: everybody is asked once for all of them. `none`: saving asks them.
 */
export const recipientStates = ['none', 'asked', 'confirmed', 'left'] as const
export type RecipientState = (typeof recipientStates)[number]

export const listReportRecipients = route({
  method: 'GET',
  path: '/api/v1/reports/recipients',
  who: 'user',
  title: { cn: '可选的报告收件人', en: 'List the possible recipients of a report' },
  request: z.object({ eid, machineIds: z.array(id).max(reportLimits.machinesPerReport) }),
  answer: z.object({
    people: z.array(
      z.object({
        userId: id,
        name: z.string(),
        hasEmail: z.boolean(),
        state: z.enum(recipientStates),
      }),
    ),
    contacts: z.array(z.object({ id, name: z.string(), email: z.string() })),
  }),
  errors: ['403'],
})

/**
 * The result of one recipient; `kept`: no service is set up that sends e-mails; `left`: they declined, unsubscribed, or are not a recipient any more; `asked`: they did not
 * agree yet; `off`: they turned e-mails off; `limited`: the owner has sent the most mails of a day.
 */
export const deliveryStates = [
  'sent',
  'link',
  'tooLarge',
  'kept',
  'noRight',
  'noEmail',
  'left',
  'asked',
  'off',
  'limited',
] as const
export type DeliveryState = (typeof deliveryStates)[number]

/** The answer of a person to somebody who wants to send them reports. */
export const answerReportRequest = route({
  method: 'PUT',
  path: '/api/v1/reports/requests/:id',
  who: 'user',
  title: { cn: '同意或拒绝接收报告', en: 'Agree to receive reports, or decline' },
  request: z.object({ id, agree: z.boolean() }),
  answer: nothing,
  errors: ['404'],
})

const reportRun = z.object({
  id,
  state: z.enum(reportRunStates),
  error: z.enum(reportRunErrors).nullable(),
  from: instant,
  to: instant,
  at: instant,
  isAsked: z.boolean(),
  endedAt: instant.nullable(),
  leftOut: z.array(z.string()),
  files: z.array(
    z.object({
      id,
      format: z.enum(reportFormats),
      name: z.string(),
      bytes: z.int(),
      expiresAt: instant.nullable(),
    }),
  ),
  deliveries: z.array(
    z.object({
      name: z.string(),
      isContact: z.boolean(),
      state: z.enum(deliveryStates),
      unseen: z.int(),
    }),
  ),
})
export type ReportRun = z.output<typeof reportRun>

export const listReportRuns = route({
  method: 'GET',
  path: '/api/v1/reports/:id/runs',
  who: 'user',
  title: { cn: '报告的生成记录', en: 'List the runs of a report' },
  request: z.object({ id }),
  answer: z.array(reportRun),
  errors: ['404'],
})

/**
 * For people who may see the report now, and for the person who received it; the right to each device in it is checked
 * again.
 */
export const downloadReport = route({
  method: 'GET',
  path: '/api/v1/reports/files/:fileId',
  who: 'user',
  file: true,
  title: { cn: '下载报告', en: 'Download a report' },
  request: z.object({ fileId: id }),
  answer: fileAnswer,
  errors: ['403', '404', 'FILE_GONE'],
})
