import type { enterprises } from '@busbar/contract'
import type { Text } from '../../shared/i18n/index.ts'

/** The rights of a member, or of somebody who is invited, in words; empty where they have none. */
export function rightWords(
  { role, rights }: Pick<enterprises.Member, 'role' | 'rights'>,
  words: Text['enterprises'],
): string[] {
  return role === 'member' ? rights.map((right) => words.rights[right]) : [words.manage.members.all]
}

/** The role and the rights that an invitation offers. */
export function offerWords(
  invitation: Pick<enterprises.Invitation, 'role' | 'rights'>,
  words: Text['enterprises'],
): string {
  const rights = rightWords(invitation, words)
  const all = rights.length > 0 ? rights : [words.manage.members.none]
  return words.invitations.as(words.roles[invitation.role], all.join(' · '))
}
