import type { Fact } from '../facts/fact-kinds.ts'
import { type FactTable, kindsOf, lookUp } from '../facts/fact-table.ts'
import type { DuringFollower } from '../facts/follower.ts'
import { type NewRightChange, recordRightChanges } from './right-changes.ts'

/** The people whose rights change with a fact. */
const table: FactTable<readonly NewRightChange[]> = {
  'grant.given': ({ machineId, userId, role }) => [
    { machineId, userId, reason: role === 'bkey' ? 'bkey' : 'granted' },
  ],
  'grant.changed': ({ machineId, userId, change }) => [{ machineId, userId, reason: change }],
  'grant.ranOut': ({ machineId, userId }) => [{ machineId, userId, reason: 'visitTime' }],
  'grant.ended': ({ machineId, userId, how }) => [{ machineId, userId, reason: how }],
  'machine.blacklisted': ({ machineId, userId }) => [{ machineId, userId, reason: 'blacklisted' }],
  'machine.unblacklisted': ({ machineId, userId }) => [{ machineId, userId, reason: 'unblacklisted' }],
  'machine.cloudChanged': ({ machineId }) => [{ machineId, reason: 'cloud' }],
  'machine.passwordChanged': ({ machineId }) => [{ machineId, reason: 'password' }],
  'machine.secretReset': ({ machineId }) => [{ machineId, reason: 'secretReset' }],
  'machine.checkTypeChanged': ({ machineId }) => [{ machineId, reason: 'checkType' }],
  'machine.givenUp': ({ machineId }) => [{ machineId, reason: 'removed' }],
  'transfer.accepted': ({ machineId }) => [{ machineId, reason: 'transferred' }],
  'invitation.sent': ({ userId }) => [{ userId, reason: 'invited' }],
  'invitation.changed': ({ userId }) => [{ userId, reason: 'invited' }],
  'invitation.withdrawn': ({ userId }) => [{ userId, reason: 'invited' }],
  // The person who invited them sees the answer.
  'invitation.answered': ({ userId, invitedBy }) => all([userId, invitedBy], 'member'),
  'member.changed': ({ userId }) => [{ userId, reason: 'member' }],
  'member.removed': ({ userId }) => [{ userId, reason: 'member' }],
  'member.left': ({ userId }) => [{ userId, reason: 'member' }],
  'team.made': ({ people }) => all(people, 'team'),
  'team.changed': ({ people }) => all(people, 'team'),
  'team.removed': ({ people }) => all(people, 'team'),
  'device.added': ({ machineId }) => [{ machineId, reason: 'added' }],
  'device.changed': ({ people }) => all(people, 'team'),
  'device.removed': ({ machineId }) => [{ machineId, reason: 'removed' }],
  'maintenance.answered': ({ machineId, maintainers }) => [
    { machineId, reason: 'maintenance' },
    ...all(maintainers, 'maintenance'),
  ],
  'maintenance.withdrawn': ({ machineId, maintainers }) => [
    { machineId, reason: 'maintenance' },
    ...all(maintainers, 'maintenance'),
  ],
  'maintenance.turned': ({ machineIds, maintainers }) => [
    ...machineIds.map((machineId) => ({ machineId, reason: 'maintenance' })),
    ...all(maintainers, 'maintenance'),
  ],
  'project.changed': ofProject,
  'project.deleted': ofProject,
  'project.memberChanged': ofProject,
  'project.machineAdded': ofProject,
  'project.machineRemoved': ofProject,
  'project.machineTaken': ofProject,
  'project.machineStopped': ofProject,
  'project.keyChanged': ofProject,
  'project.consentChanged': ofProject,
}

function ofProject({ projectId }: { readonly projectId: number }): NewRightChange[] {
  return [{ projectId, reason: 'project' }]
}

function all(userIds: Iterable<number>, reason: string): NewRightChange[] {
  return [...new Set(userIds)].map((userId) => ({ userId, reason }))
}

/** The changes of rights that come with a fact. */
export const rightChangesOf = (fact: Fact): readonly NewRightChange[] => lookUp(table, fact, undefined) ?? []

/** Records the changes of rights for the facts that cause them, in the same commit. */
export const rightsFollower: DuringFollower = {
  mode: 'during',
  name: 'rights.changes',
  kinds: kindsOf(table),
  follow: (trx, facts) => recordRightChanges(trx, facts.flatMap(rightChangesOf)),
}
