import { z } from 'zod'
import { alarmContexts } from './alarm-fields.ts'
import { alarmLimits } from './alarm-limits.ts'
import { eidOrPersonal, id, instant, nothing, shortText } from './fields.ts'
import { route } from './route.ts'

/** The people who may keep alarms of a machine from notifying. */
const ofKeys = { right: 'bkey+', orMember: 'alarm' } as const

/** The alarms of a shelving: the name of one alarm, a rule, a variable, or the whole machine. */
export const shelveScopes = ['alarm', 'rule', 'tag', 'machine'] as const
export type ShelveScope = (typeof shelveScopes)[number]

/** At most one of them; without any the whole machine is meant. */
const covered = {
  alarmId: id.optional().describe('All alarms of this name on the device'),
  ruleId: id.optional().describe('All alarms of this rule'),
  tagId: id.optional().describe('All alarms of this variable'),
}

const reason = shortText(1, alarmLimits.alarmReasonMax)

export const shelveAlarms = route({
  method: 'POST',
  path: '/api/v1/alarm/shelve',
  who: { ...ofKeys, machine: 'machineId' },
  title: { cn: '搁置报警', en: 'Shelve alarms' },
  request: z.object({ machineId: id, ...covered, until: instant, reason }),
  answer: z.object({ id }),
  errors: ['404', 'SHELVE_SCOPE', 'SHELVE_SPAN', 'SHELVES_FULL'],
})

export const takeAlarmsOutOfService = route({
  method: 'POST',
  path: '/api/v1/alarm/outOfService',
  who: { ...ofKeys, machine: 'machineId' },
  title: { cn: '停用报警', en: 'Take alarms out of service' },
  request: z.object({ machineId: id, ...covered, reason }),
  answer: z.object({ id }),
  errors: ['404', 'SHELVE_SCOPE', 'SHELVES_FULL'],
})

const shelve = z.object({
  id,
  ...alarmContexts,
  kind: z.enum(['shelved', 'outOfService']),
  scope: z.enum(shelveScopes),
  key: z.string().nullable().describe('The alarm’s name on the device; null for another scope'),
  text: z.string().nullable().describe('Of the latest alarm of this name; null for another scope'),
  ruleId: id.nullable(),
  tagId: id.nullable(),
  tag: z.string().nullable(),
  at: instant,
  until: instant.nullable().describe('Null: until someone returns it to service'),
  reason: z.string(),
  by: z.string().nullable().describe('Null: a person whose account is gone'),
  mayEnd: z.boolean().describe('The caller may end it'),
})
export type AlarmShelve = z.output<typeof shelve>

/** The shelvings in force, the latest first. */
export const listShelves = route({
  method: 'GET',
  path: '/api/v1/alarm/shelve',
  who: { right: 'holder', orMember: 'alarm', machine: 'machineId' },
  title: { cn: '设备的搁置与停用', en: 'List the shelvings of a device' },
  request: z.object({ machineId: id }),
  answer: z.array(shelve),
  errors: [],
})

/** The shelvings in force of all machines, the latest first. */
export const listAllShelves = route({
  method: 'GET',
  path: '/api/v1/alarm/shelves',
  who: 'user',
  load: 'list',
  title: { cn: '全部搁置与停用', en: 'List the shelvings of all devices' },
  request: z.object({
    eid: eidOrPersonal.describe('An enterprise of the caller; without it the caller’s own list'),
    groupId: id.optional().describe('Devices of this group only'),
  }),
  answer: z.object({
    list: z.array(shelve).max(alarmLimits.shelvesShown),
    isCut: z.boolean().describe('There are more'),
  }),
  errors: [],
})

export const endShelve = route({
  method: 'DELETE',
  path: '/api/v1/alarm/shelve/:id',
  who: { ...ofKeys, shelve: 'id' },
  title: { cn: '结束搁置或停用', en: 'End a shelving, or return alarms to service' },
  request: z.object({ id }),
  answer: nothing,
  errors: [],
})
