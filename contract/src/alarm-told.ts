import { z } from 'zod'
import { escalationChannels, escalationGroups } from './alarm-escalation.ts'
import { alarmLimits } from './alarm-limits.ts'
import { id, instant, page, paged, pageSize } from './fields.ts'
import { alarmLevels } from './machines.ts'
import { notificationChannels, notificationReason, notificationStates } from './notification-states.ts'
import { route } from './route.ts'

const toldRow = z.object({
  id,
  createTime: instant,
  who: z.string().describe('Names the same person or contact in each row of the alarm'),
  name: z.string().describe('The person or the contact; a number for readers who are neither key nor member'),
  isContact: z.boolean().describe('That person is a contact without an account'),
  channel: z.enum(notificationChannels),
  step: z.int().describe('0: immediately; from 1 on the step of the escalation'),
  level: z.enum(alarmLevels),
  state: z.enum(notificationStates),
  reason: notificationReason,
  isDigest: z.boolean().describe('It went, or goes, in one message with others'),
  settledAt: instant.nullable(),
})
export type ToldRow = z.output<typeof toldRow>

/** States of a step: notified, due next, to come after others, or dropped because the escalation ended before it. */
export const escalationStepStates = ['told', 'next', 'later', 'dropped'] as const
export type EscalationStepState = (typeof escalationStepStates)[number]

/** Why an escalation ended: `done` after its last step, `settings` because its steps were changed. */
export const escalationEnds = [
  'confirmed',
  'cleared',
  'shelved',
  'outOfService',
  'owner',
  'done',
  'settings',
] as const
export type EscalationEnd = (typeof escalationEnds)[number]

const toldEscalation = z.object({
  endedAt: instant.nullable().describe('Null: it goes on'),
  end: z.enum(escalationEnds).nullable().describe('Why it ended; null: it goes on'),
  steps: z.array(
    z.object({
      step: z.int().describe('Counted from 1'),
      state: z.enum(escalationStepStates),
      dueAt: instant.nullable().describe('When it is due; null: it was told, or is dropped'),
      who: z.enum(escalationGroups).nullable().describe('Null: the step is no longer set'),
      how: z.array(z.enum(escalationChannels)),
    }),
  ),
})
export type ToldEscalation = z.output<typeof toldEscalation>

/** The notifications of an alarm, and the reasons for missing ones, the earliest first; and its escalation. */
export const listTold = route({
  method: 'GET',
  path: '/api/v1/alarm/told',
  who: { right: 'holder', orMember: 'alarm', alarm: 'alarmId' },
  title: { cn: '报警的通知记录', en: 'List the notifications of an alarm' },
  request: z.object({ alarmId: id, page, pageSize: pageSize(100, 500) }),
  answer: paged(toldRow).extend({
    escalation: toldEscalation.nullable().describe('Null: the alarm has no escalation'),
    isCut: z.boolean().describe('There are more than total: pages end there, filters reach the rest'),
  }),
  errors: ['404'],
})

const toldCount = z.object({
  alarmId: id,
  told: z.int().describe('People and contacts to whom at least one message went'),
  failed: z.int().describe('Those to whom none went, and one failed'),
  waiting: z.int().describe('Those to whom none has gone yet'),
  nextStep: z.int().nullable().describe('The step of the escalation that is due next; null: none'),
  nextAt: instant.nullable().describe('When it is due'),
})
export type ToldCount = z.output<typeof toldCount>

/** Number of people notified of each of some alarms; an alarm without receivers has no row. */
export const countTold = route({
  method: 'GET',
  path: '/api/v1/alarm/told/counts',
  who: { right: 'holder', orMember: 'alarm', alarms: 'alarmIds' },
  title: { cn: '报警通知人数', en: 'Count the people notified of alarms' },
  request: z.object({ alarmIds: z.array(id).min(1).max(alarmLimits.toldAlarmsMax) }),
  answer: z.array(toldCount),
  errors: [],
})
