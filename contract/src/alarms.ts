import { z } from 'zod'
import { alarmContexts, alarmRow, alarmSorts, alarmValue } from './alarm-fields.ts'
import { alarmLimits } from './alarm-limits.ts'
import { boardLimits } from './board-limits.ts'
import { csvWish, eidOrPersonal, id, instant, linesText, page, paged, pageSize, shortText } from './fields.ts'
import { alarmLevels } from './machines.ts'
import { route } from './route.ts'

export * from './alarm-fields.ts'
export * from './alarm-quality.ts'
export * from './alarm-shelves.ts'

/**
 * The people who handle a machine's alarms: its keys and visitors, and members of its enterprise with this right
 * (rules/alarms.md: acknowledging).
 */
const ofHolders = { right: 'holder', orMember: 'alarm' } as const

/** The machines whose alarms are wanted: of the caller's list, or of an enterprise. */
const space = {
  eid: eidOrPersonal.describe('An enterprise of the caller; without it the caller’s own list'),
  groupId: id.optional().describe('Devices of this group only'),
  machineId: id.optional().describe('This device only'),
}

const filters = {
  ...space,
  level: z.array(z.enum(alarmLevels)).max(alarmLevels.length).optional().describe('These levels only'),
  state: z
    .enum(['active', 'cleared', 'unconfirmed', 'confirmed', 'shelved', 'outOfService'])
    .optional()
    .describe(
      'Alarms in this state only; active: those that stand, without shelved ones and those out of service',
    ),
  ruleId: id.optional().describe('Alarms of this rule only'),
  tagId: id.optional().describe('Alarms of this variable only'),
  text: shortText(0, alarmLimits.alarmSearchMax)
    .optional()
    .describe('Part of the text or of the alarm’s name'),
  from: instant.optional().describe('Raised at this time or later'),
  to: instant.optional().describe('Raised before this time'),
}

/** Unconfirmed alarms of one machine, by need. */
export const listUnconfirmedAlarms = route({
  method: 'GET',
  path: '/api/v1/devices/confirmAlarms',
  who: { ...ofHolders, machine: 'deviceId' },
  title: { cn: '设备的待确认报警', en: 'List the unacknowledged alarms of a device' },
  request: z.object({ deviceId: id, page, pageSize: pageSize(6, 200) }),
  answer: paged(alarmRow),
  errors: [],
})

/** Numbers for the head of the alarm centre. Days are those of the caller's time zone, or of the enterprise's. */
export const countAlarms = route({
  method: 'GET',
  path: '/api/v1/devices/alarmCount/kanban',
  aliases: ['/api/v1/devices/alarmCount'],
  aliasMethods: ['POST'],
  who: 'user',
  load: 'list',
  title: { cn: '报警统计', en: 'Count alarms' },
  request: z.object(space),
  answer: z.object({
    active: z.int().describe('Alarms that stand, without shelved ones'),
    unconfirmed: z.int().describe(`Unacknowledged alarms; ${alarmLimits.alarmTotalMax}: so many, or more`),
    today: z.int().describe('How often alarms were raised today'),
    shelved: z.int().describe('Alarms that stand and are shelved'),
    outOfService: z.int().describe('Alarms that stand and are out of service'),
    byLevel: z
      .object(
        Object.fromEntries(alarmLevels.map((level) => [level, z.int()])) as Record<AlarmLevel, z.ZodInt>,
      )
      .describe('Alarms that stand, by level, without shelved ones'),
    byDay: z
      .array(z.object({ from: instant, raised: z.int() }))
      .length(7)
      .describe('The last seven days, the oldest first'),
    topMachines: z
      .array(z.object({ ...alarmContexts, raised: z.int() }))
      .max(5)
      .describe('The devices with the most alarms in these days'),
  }),
  errors: [],
})
type AlarmLevel = (typeof alarmLevels)[number]

const order = {
  sort: z
    .enum(alarmSorts)
    .default('need')
    .describe(
      'By need (active unacknowledged, active, cleared unacknowledged, shelved, cleared; then level, then time), time raised or cleared, level, device name, or state; what stands comes last by cleared',
    ),
  direction: z
    .enum(['asc', 'desc'])
    .optional()
    .describe('asc: the earliest, the worst, A or what asks first; without it the latest, or asc'),
}

export const listAlarms = route({
  method: 'GET',
  path: '/api/v1/devices/alarmList/kanban',
  aliasMethods: ['POST'],
  who: 'user',
  load: 'list',
  title: { cn: '报警列表', en: 'List alarms' },
  request: z.object({
    ...filters,
    machineIds: z
      .array(id)
      .min(1)
      .max(boardLimits.machinesPerTile)
      .optional()
      .describe('These devices only; `machineId` comes before them'),
    ...order,
    repeats: z
      .enum(['all', 'newest'])
      .default('all')
      .describe(
        `newest: alarms of the same device, rule and key in the last ${alarmLimits.alarmRepeatsDays} days are one row, the newest that matches`,
      ),
    after: z
      .string()
      .regex(/^\d{1,15}\.\d{1,15}$/)
      .optional()
      .describe('The `next` of the page before, of the same question: any number of pages, equally fast'),
    page,
    pageSize: pageSize(20, 200),
  }),
  answer: paged(alarmRow).extend({
    isCut: z.boolean().describe('There are more than total: pages end there, `next` reaches the rest'),
    next: z.string().nullable().describe('Where the next page begins; null: this is the last one'),
  }),
  errors: [],
})

export const getAlarm = route({
  method: 'GET',
  path: '/api/v1/alarm/:id',
  who: { ...ofHolders, alarm: 'id' },
  title: { cn: '报警详情', en: 'Get an alarm' },
  request: z.object({ id }),
  answer: alarmRow.extend({
    instruction: z.string().describe('Instructions; empty: none'),
    group: z.string().nullable().describe('The group of its variable'),
    shelveId: id.nullable().describe('The shelving or the taking out of service that covers it'),
    shelveReason: z.string(),
    shelvedBy: z.string().nullable(),
    maySeeKeys: z.boolean().describe('The caller may read the writes and visits of the device'),
  }),
  errors: ['404'],
})

/** The kinds of events of an alarm. */
export const alarmEventKinds = [
  'raised',
  'counted',
  'changed',
  'cleared',
  'filled',
  'confirmed',
  'shelved',
  'unshelved',
  'outOfService',
  'inService',
] as const
export type AlarmEventKind = (typeof alarmEventKinds)[number]

const alarmEvent = z.object({
  id,
  ...alarmContexts,
  alarmId: id.nullable().describe('Null: it is about all alarms of a variable, a rule or the device'),
  kind: z.enum(alarmEventKinds),
  at: instant,
  receivedAt: instant.describe('When the platform got it'),
  level: z.enum(alarmLevels).nullable().describe('The level then'),
  text: z.string().describe('The alarm’s text'),
  value: alarmValue.describe('The value that crossed the limit; null: the device gave none'),
  count: z.int().nullable().describe('How often it had been raised by then'),
  by: z.string().nullable().describe('The person who did it; null: it happened automatically'),
  isContact: z.boolean().describe('That person is a contact without an account'),
  until: instant.nullable().describe('Of a shelving: when it ends automatically'),
  note: z.string(),
})
export type AlarmJournalEvent = z.output<typeof alarmEvent>

const journalFilters = {
  ...space,
  alarmId: id.optional().describe('Events of this alarm only'),
  kind: z.array(z.enum(alarmEventKinds)).max(alarmEventKinds.length).optional().describe('These kinds only'),
  from: instant.optional().describe('Events of this time or later'),
  to: instant.optional().describe('Events before this time'),
}

export const listAlarmJournal = route({
  method: 'GET',
  path: '/api/v1/alarm/journal',
  who: 'user',
  load: 'list',
  title: { cn: '报警日志', en: 'List the events of alarms' },
  request: z.object({ ...journalFilters, page, pageSize: pageSize(20, 200) }),
  answer: paged(alarmEvent).extend({
    isCut: z.boolean().describe('There are more than total: pages end there, filters reach the rest'),
  }),
  errors: [],
})

/** A note of the person who confirms, shelves or returns alarms. */
export const alarmNote = linesText(alarmLimits.alarmNoteMax)

const confirmation = {
  ids: z.array(id).min(1).max(alarmLimits.alarmsPerCall),
  repeats: z
    .boolean()
    .default(false)
    .describe(
      `Also the earlier alarms of the last ${alarmLimits.alarmRepeatsDays} days of the same device, rule and key, as the row of a list by newest has them`,
    ),
  note: alarmNote.optional(),
}

export const confirmAlarms = route({
  method: 'PUT',
  path: '/api/v1/msg/confirm',
  who: { ...ofHolders, alarms: 'ids' },
  title: { cn: '确认报警', en: 'Acknowledge alarms' },
  request: z.object(confirmation),
  answer: z.object({ confirmed: z.int() }),
  errors: [],
})

const doneRow = z.object({
  id: id.describe('The alarm'),
  result: z.enum(['done', 'already', 'refused']).describe('already: it was so before'),
  code: z.string().describe('The error code of a refusal; empty: none'),
})
const doneRows = z.array(doneRow).describe('In the order of ids')

/** Confirms those that the caller may confirm, and answers for each. */
export const confirmManyAlarms = route({
  method: 'POST',
  path: '/api/v1/alarm/confirmMany',
  who: 'user',
  title: { cn: '批量确认报警', en: 'Acknowledge alarms, with a result for each' },
  request: z.object(confirmation),
  answer: z.object({ list: doneRows }),
  errors: [],
})

/** Shelves those that the caller may shelve, each by its name or rule, and answers for each. */
export const shelveManyAlarms = route({
  method: 'POST',
  path: '/api/v1/alarm/shelveMany',
  who: 'user',
  title: { cn: '批量搁置或停用报警', en: 'Shelve alarms, with a result for each' },
  request: z.object({
    ids: z.array(id).min(1).max(alarmLimits.alarmShelvesPerCall),
    until: instant.optional().describe('Without it: out of service, until someone returns it to service'),
    reason: shortText(1, alarmLimits.alarmReasonMax),
  }),
  answer: z.object({ list: doneRows }),
  errors: ['SHELVE_SPAN'],
})

const csvFile = z.object({
  csv: z.string().describe('UTF-8, with a heading line'),
  lines: z.int().describe('How many lines it has without the heading'),
  isCut: z
    .boolean()
    .describe(`There are more than ${alarmLimits.alarmCsvLinesMax} lines: filters reach the rest`),
})

export const exportAlarms = route({
  method: 'GET',
  path: '/api/v1/alarm/csv/list',
  who: 'user',
  load: 'report',
  title: { cn: '导出报警列表', en: 'Export alarms as CSV' },
  request: z.object({ ...filters, ...order, ...csvWish }),
  answer: csvFile,
  errors: [],
})

export const exportAlarmJournal = route({
  method: 'GET',
  path: '/api/v1/alarm/csv/journal',
  who: 'user',
  load: 'report',
  title: { cn: '导出报警日志', en: 'Export the events of alarms as CSV' },
  request: z.object({ ...journalFilters, ...csvWish }),
  answer: csvFile,
  errors: [],
})
