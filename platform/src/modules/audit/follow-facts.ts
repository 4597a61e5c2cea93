import type { Fact, FactKind, Words } from '../../kernel/facts/fact-kinds.ts'
import { type FactTable, kindsOf, lookUp } from '../../kernel/facts/fact-table.ts'
import type { DuringFollower } from '../../kernel/facts/follower.ts'
import { type AuditEntry, writeAudit } from './write-audit.ts'

type Act = Pick<AuditEntry, 'action' | 'target' | 'detail'>

/** Something that was done to a machine. */
function machineAct(
  { machineId, machineCode }: { readonly machineId: number; readonly machineCode?: string },
  action: string,
  detail: Record<string, unknown> = {},
): Act {
  return { action: `machine.${action}`, target: machineCode ?? '', detail: { machineId, ...detail } }
}

/** Something that was done to one person's right over a machine. */
function rightAct(
  fact: Parameters<typeof machineAct>[0] & { readonly userId: number },
  action: string,
  detail = {},
): Act {
  return machineAct(fact, `right.${action}`, { userId: fact.userId, ...detail })
}

/** An instant in the form of entries: a date, or null for no expiry. */
const instantOf = (until: number | null | undefined) => (until ? new Date(until) : until)

/** Something that was done to an enterprise. */
function spaceAct(
  { enterpriseId: eid }: { readonly enterpriseId: number },
  action: string,
  target: string,
  detail: Record<string, unknown> = {},
): Act {
  return { action: `enterprise.${action}`, target, detail: { eid, ...detail } }
}

/** The audit entry of a person's act; undefined for changes by time alone. */
const table: FactTable<Act | undefined, Words | undefined> = {
  'application.opened': ({ applicationId: applyId, right: kind, ...fact }) =>
    machineAct(
      fact,
      'application',
      fact.proposedBy === null ? { applyId, kind } : { applyId, kind, userId: fact.userId, step: 'proposed' },
    ),
  'application.answered': ({ applicationId: applyId, right: kind, userId, step, state, ...fact }) =>
    machineAct(fact, 'application', { applyId, kind, userId, step, state }),
  'application.ended': ({ applicationId: applyId, right: kind, step, ...fact }) =>
    step === 'withdrawn' || step === 'password'
      ? machineAct(fact, 'application', { applyId, kind, step })
      : undefined,
  'grant.given': ({ until, readOnly, alarms, ...fact }) =>
    fact.role === 'bkey'
      ? rightAct(fact, 'bkey', { readOnly, alarms })
      : rightAct(fact, 'granted', { until: instantOf(until), readOnly }),
  'grant.changed': ({ change, until, readOnly, alarms, ...fact }) =>
    rightAct(fact, change, { until: instantOf(until), readOnly, alarms }),
  'grant.ended': ({ how, role, ...fact }) => rightAct(fact, how, how === 'left' ? { role } : {}),
  'machine.blacklisted': (fact) => rightAct(fact, 'blacklisted'),
  'machine.unblacklisted': (fact) => rightAct(fact, 'unblacklisted'),
  'machine.cloudChanged': ({ isOpen, ...fact }) => machineAct(fact, 'cloud', { state: isOpen }),
  'machine.passwordChanged': (fact) => machineAct(fact, 'password'),
  'machine.secretReset': (fact) => machineAct(fact, 'secretReset'),
  'machine.checkTypeChanged': ({ checkType, ...fact }) => machineAct(fact, 'checkType', { checkType }),
  'machine.renamed': (fact, words) => machineAct(fact, 'name', { name: words?.name }),
  'machine.imageChanged': ({ projectImage, ...fact }) => machineAct(fact, 'image', { projectImage }),
  'machine.languageChanged': ({ adapter, timeZone, textEncoding, otherTopics, ...fact }) =>
    machineAct(fact, 'language', { adapter, timeZone, textEncoding, otherTopics }),
  'machine.tagsDescribed': ({ tags, opened, closed, ...fact }, words) =>
    machineAct(fact, 'tags', { tags, opened, closed, changed: words?.changed }),
  'machine.givenUp': (fact) => machineAct(fact, 'removed'),
  'transfer.offered': ({ transferId, to, toEid, ...fact }) =>
    machineAct(fact, 'transferOffered', { transferId, ...receiverOf({ to, toEid }) }),
  'transfer.withdrawn': ({ transferId, ...fact }) => machineAct(fact, 'transferWithdrawn', { transferId }),
  'transfer.refused': ({ transferId, ...fact }) => machineAct(fact, 'transferRefused', { transferId }),
  'transfer.accepted': ({ transferId, from, to, toEid, ...fact }) =>
    machineAct(fact, 'transferred', { transferId, from, ...receiverOf({ to, toEid }) }),
  'enterprise.made': (fact, words) => spaceAct(fact, 'create', nameOf(words)),
  'enterprise.changed': ({ applyLogoUrl, timeZone, awayRules, ...fact }, { name, platformName } = {}) =>
    spaceAct(fact, 'update', String(fact.enterpriseId), {
      ...{ name, platformName, applyLogoUrl, timeZone, awayRules },
    }),
  'invitation.sent': ({ userId, role, rights, ...fact }) =>
    spaceAct(fact, 'member.invite', String(userId), { role, rights }),
  'invitation.changed': ({ userId, role, rights, ...fact }) =>
    spaceAct(fact, 'member.reinvite', String(userId), { role, rights }),
  'invitation.withdrawn': ({ userId, ...fact }) => spaceAct(fact, 'member.uninvite', String(userId)),
  'invitation.answered': ({ userId, action, role, ...fact }) =>
    spaceAct(fact, `member.${action}`, String(userId), { role }),
  'member.changed': ({ userId, role, rights, ...fact }) =>
    spaceAct(fact, 'member.update', String(userId), { role, rights }),
  'member.removed': ({ userId, role, ...fact }) => spaceAct(fact, 'member.remove', String(userId), { role }),
  'member.left': ({ userId, role, ...fact }) => spaceAct(fact, 'member.leave', String(userId), { role }),
  'team.made': ({ teamKind: kind, people: memberIds, ...fact }, words) =>
    spaceAct(fact, 'team.create', nameOf(words), { kind, memberIds }),
  'team.changed': ({ memberIds, machineIds, ...fact }, words) =>
    spaceAct(fact, 'team.update', nameOf(words), { memberIds, machineIds }),
  'team.removed': (fact, words) => spaceAct(fact, 'team.remove', nameOf(words)),
  'group.made': (fact, words) => spaceAct(fact, 'group.create', nameOf(words)),
  'group.renamed': (fact, words) =>
    spaceAct(fact, 'group.update', nameOf(words), { from: words?.formerName }),
  'group.removed': (fact, words) => spaceAct(fact, 'group.remove', nameOf(words)),
  'device.added': ({ machineCode, ...fact }, words) =>
    spaceAct(fact, 'machine.add', machineCode, { name: words?.name }),
  'device.changed': ({ machineCode, groupId, teamId, ...fact }, { name, remark } = {}) =>
    spaceAct(fact, 'machine.update', machineCode, { name, remark, groupId, teamId }),
  'device.removed': ({ machineCode, deviceKind: kind, ...fact }) =>
    spaceAct(fact, 'machine.remove', machineCode, { kind }),
  'maintenance.asked': ({ machineCode, windowId: id, from: start, until: stop, scopes, ...fact }) =>
    spaceAct(fact, 'maintenance.request', machineCode, { id, start, stop, scopes }),
  'maintenance.withdrawn': ({ machineCode, windowId: id, ...fact }) =>
    spaceAct(fact, 'maintenance.end', machineCode, { id }),
  'project.created': (fact, words) => projectAct(fact, 'create', nameOf(words)),
  'project.changed': ({ fields, ...fact }, words) => projectAct(fact, 'update', nameOf(words), { fields }),
  'project.deleted': (fact, words) => projectAct(fact, 'delete', nameOf(words)),
  'project.memberChanged': ({ userId, change, ...fact }, words) =>
    projectAct(fact, `member.${memberActs[change]}`, nameOf(words), { userId }),
  'project.machineAdded': ({ machineId, machineCode, ...fact }, words) =>
    projectAct(fact, 'machine.add', machineCode, { machineId, name: words?.name }),
  'project.machineRemoved': ({ machineId, machineCode, ...fact }, words) =>
    projectAct(fact, 'machine.remove', machineCode, { machineId, name: words?.name }),
  'project.machineTaken': ({ machineId, machineCode, ...fact }, words) =>
    projectAct(fact, 'machine.take', machineCode, { machineId, name: words?.name }),
  'project.keyChanged': ({ endNow, ...fact }, words) => projectAct(fact, 'key', nameOf(words), { endNow }),
  'project.consentChanged': ({ machineId, machineCode, write, visit, ...fact }, words) =>
    projectAct(fact, 'consent', machineCode, { machineId, name: words?.name, write, visit }),
  'maintenance.answered': ({ action, windowId: id, enterpriseId: eid, ...fact }) =>
    machineAct(fact, 'maintenance', { action, id, eid }),
}

/** The acts on people of a project. */
const memberActs = {
  invited: 'invite',
  accepted: 'accept',
  declined: 'decline',
  removed: 'remove',
  left: 'leave',
  owner: 'owner',
} as const

/** Something that was done to a project; its enterprise reads it as well. */
function projectAct(
  { projectId, enterpriseId: eid }: { readonly projectId: number; readonly enterpriseId?: number },
  action: string,
  target: string,
  detail: Record<string, unknown> = {},
): Act {
  return { action: `project.${action}`, target, detail: { projectId, ...(eid && { eid }), ...detail } }
}

/** The name of the thing of a fact. */
const nameOf = (words: Words | undefined): string => words?.name ?? ''

const receiverOf = ({ to, toEid }: { readonly to: number | null; readonly toEid: number | null }) =>
  toEid === null ? { to } : { toEid }

/** The person who acted; null for a change by time alone. */
const actorOf = (fact: Fact<FactKind> & { readonly by?: number | null }): number | null => fact.by ?? null

/** Stores people's acts in the same commit. */
export const auditFollower: DuringFollower = {
  mode: 'during',
  name: 'audit.entries',
  kinds: kindsOf(table),
  async follow(trx, facts, { address, words }) {
    for (const fact of facts) {
      const act = lookUp(table, fact, words)
      const actorUserId = actorOf(fact)
      if (!act || actorUserId === null) continue
      // Every entry needs an address.
      if (address === undefined) throw new Error(`${fact.kind} was recorded without an address.`)
      await writeAudit(trx, { ...act, actorUserId, address, result: 'ok', at: new Date(fact.at) })
    }
  },
}
