import { z } from 'zod'
import { id, instant, nothing, paged } from './fields.ts'
import { paging } from './operator-paging.ts'
import { route } from './route.ts'

/** The kinds of facts; the console has a word for each. */
export const factKinds = [
  'alarm.raised',
  'alarm.counted',
  'alarm.changed',
  'alarm.cleared',
  'alarm.filled',
  'alarm.confirmed',
  'alarm.shelved',
  'alarm.unshelved',
  'alarm.outOfService',
  'alarm.inService',
  'alarmRules.changed',
  'message.accepted',
  'message.refused',
  'message.delivered',
  'message.undelivered',
  'application.opened',
  'application.askedAgain',
  'application.answered',
  'application.ended',
  'grant.given',
  'grant.changed',
  'grant.ranOut',
  'grant.ended',
  'machine.blacklisted',
  'machine.unblacklisted',
  'machine.cloudChanged',
  'machine.passwordChanged',
  'machine.secretReset',
  'machine.checkTypeChanged',
  'machine.renamed',
  'machine.imageChanged',
  'machine.languageChanged',
  'machine.tagsDescribed',
  'machine.givenUp',
  'transfer.offered',
  'transfer.withdrawn',
  'transfer.refused',
  'transfer.accepted',
  'transfer.ranOut',
  'enterprise.made',
  'enterprise.changed',
  'invitation.sent',
  'invitation.changed',
  'invitation.withdrawn',
  'invitation.answered',
  'member.changed',
  'member.removed',
  'member.left',
  'team.made',
  'team.changed',
  'team.removed',
  'group.made',
  'group.renamed',
  'group.removed',
  'destination.failed',
  'destination.recovered',
  'destination.switchedOff',
  'device.added',
  'device.changed',
  'device.removed',
  'maintenance.asked',
  'maintenance.answered',
  'maintenance.withdrawn',
  'maintenance.began',
  'maintenance.ranOut',
  'maintenance.turned',
  'visit.opened',
  'visit.prolonged',
  'visit.ended',
  'control.taken',
  'control.freed',
  'control.kept',
  'control.asked',
  'control.unasked',
  'machine.ownerChanged',
  'machine.online',
  'machine.offline',
  'machine.connectedFirst',
  'machine.moved',
  'sim.stateChanged',
  'sim.usageCrossed',
  'sim.endsSoon',
  'sim.inOtherMachine',
  'machine.placed',
  'project.created',
  'project.changed',
  'project.deleted',
  'project.memberChanged',
  'project.machineAdded',
  'project.machineRemoved',
  'project.machineTaken',
  'project.machineStopped',
  'project.keyChanged',
  'project.keyGuessed',
  'project.consentChanged',
  'project.quotaReached',
  'write.confirmed',
  'write.failed',
  'write.timedOut',
  'brand.changed',
] as const
export type FactKind = (typeof factKinds)[number]

/** Followers whose facts can be set aside; the console has a word for each. */
export const durableFollowers = [
  'destinations.events',
  'notifications.alarms',
  'notifications.escalations',
  'notifications.receipts',
] as const satisfies readonly string[]
export type DurableFollower = (typeof durableFollowers)[number]

const followerNameMax = 60

const follower = z
  .string()
  .max(followerNameMax)
  .regex(/^[a-z][A-Za-z0-9.]*$/)

const setAsideRow = z.object({
  follower: z.string(),
  factId: id,
  kind: z.string(),
  machineId: id.nullable(),
  userId: id.nullable(),
  eid: id.nullable(),
  at: instant.describe('When it became true'),
  setAsideAt: instant,
  tries: z.int(),
  error: z.string().describe('Of the last try that failed'),
})
export type SetAsideRow = z.output<typeof setAsideRow>

export const listFactsSetAside = route({
  method: 'GET',
  path: '/api/operator/v1/facts/set-aside',
  who: 'operator',
  title: { cn: '搁置的事件', en: 'List set-aside events' },
  request: z.object({ page: paging.page, pageSize: paging.pageSize }),
  answer: paged(setAsideRow),
  errors: [],
})

export const retryFactSetAside = route({
  method: 'POST',
  path: '/api/operator/v1/facts/set-aside/:follower/:factId/retry',
  who: 'operator',
  title: { cn: '重新处理搁置的事件', en: 'Handle a set-aside event again' },
  request: z.object({ follower, factId: id }),
  answer: nothing,
  errors: ['404', 'FACT_NOT_HANDLED'],
})
