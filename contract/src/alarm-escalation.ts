import { z } from 'zod'
import { alarmLimits } from './alarm-limits.ts'
import { eidOrPersonal, id, nothing } from './fields.ts'
import { route } from './route.ts'

/** The channels a step may name. Contacts can only be notified by e-mail. */
export const escalationChannels = ['push', 'voice', 'message', 'sms', 'email'] as const
export type EscalationChannel = (typeof escalationChannels)[number]

/**
 * The receivers of a step: the keys, the members who handle alarms, the maintenance teams by windows with the scope
 * `alarm`, these people, or these contacts.
 */
export const escalationGroups = ['keys', 'members', 'maintainers', 'userIds', 'contactIds'] as const
export type EscalationGroup = (typeof escalationGroups)[number]

const named = z.array(id).max(alarmLimits.escalationPeopleMax)

const step = z
  .object({
    afterMinutes: z
      .int()
      .min(1)
      .max(alarmLimits.escalationMinutesMax)
      .describe('After the step before; of the first one after the alarm was raised'),
    who: z.enum(escalationGroups),
    userIds: named.default([]).describe('The people; of `userIds` only'),
    contactIds: named.default([]).describe('The contacts; of `contactIds` only'),
    how: z.array(z.enum(escalationChannels)).min(1).max(escalationChannels.length),
  })
  .refine((each) => (each.who === 'userIds') === each.userIds.length > 0, { path: ['userIds'] })
  .refine((each) => (each.who === 'contactIds') === each.contactIds.length > 0, { path: ['contactIds'] })
  .refine((each) => each.who !== 'contactIds' || each.how.every((channel) => channel === 'email'), {
    path: ['how'],
  })
export type EscalationStep = z.output<typeof step>

/** Stored steps are read with the same checks. */
export const escalationSteps = z.array(step).max(alarmLimits.escalationStepsMax)

/** A person's machine, or their enterprise: exactly one of them. */
const space = {
  machineId: id.optional().describe('Either this one'),
  eid: eidOrPersonal.describe('Or this one'),
}

export const getEscalation = route({
  method: 'GET',
  path: '/api/v1/alarm/escalation',
  who: 'user',
  title: { cn: '升级通知', en: 'Get the escalation of alarms' },
  request: z.object(space),
  answer: z.object({
    steps: z.array(step),
    isOwn: z.boolean().describe('False: the device has none of its own, and its enterprise’s applies'),
    maySet: z.boolean(),
  }),
  errors: ['ESCALATION_OF', '403'],
})

/** Without steps a machine follows its enterprise's again. */
export const putEscalation = route({
  method: 'PUT',
  path: '/api/v1/alarm/escalation',
  who: 'user',
  title: { cn: '设置升级通知', en: 'Set the escalation of alarms' },
  request: z.object({ ...space, steps: escalationSteps }),
  answer: nothing,
  errors: ['ESCALATION_OF', 'ESCALATION_PEOPLE', '403', 'GIVER_READ_ONLY'],
})
