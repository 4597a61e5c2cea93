import { access, applications, isAuditOpen } from '@busbar/contract'
import type { Fact } from '../../kernel/facts/fact-kinds.ts'
import type { FactTable } from '../../kernel/facts/fact-table.ts'
import type { AuditNews, Letter } from './mailbox.ts'
import type { MessageParams } from './message-kinds.ts'

/** The letters that follow from a fact. */
export interface Mail {
  readonly letters: readonly Letter[]
  readonly news?: readonly AuditNews[]
}

/** The names in a letter that its fact does not carry. */
export interface AskNames {
  /** A person's name; empty without one. */
  person(userId: number | null): Promise<string>
  /** The applicant's reason, in their words. */
  reason(): string
  /** The name of the enterprise that acts, or that a machine is offered to. */
  enterprise(): string
}

type Application = Fact<
  'application.opened' | 'application.askedAgain' | 'application.answered' | 'application.ended'
>

/** Its state, for the pages of everybody it concerns. */
function newsOf({
  machineId,
  machineCode,
  applicationId,
  right: kind,
  state,
  told,
}: Application): AuditNews[] {
  const news = { kind, machineId, machineCode, applyId: applicationId, auditState: state }
  return told.map((userId) => ({ userId, ...news, isResult: !isAuditOpen(state) }))
}

/** Asks these people to answer. */
const askAll = ({ machineId, applicationId, right }: Application, userIds: readonly number[]): Letter[] =>
  userIds.map((userId) => ({ userId, kind: `${right}Apply`, machineId, applicationId }))

/** Letters to the applicant of an application that ended, and to a proposed person who has the right. */
function lettersOfEnd(fact: Fact<'application.ended'>): Letter[] {
  const { machineId, applicationId, right, userId, proposedBy, state, step } = fact
  const { until, mode, isBlacklisted } = fact
  // The asker withdrew it themselves.
  if (step === 'withdrawn') return []
  const params: MessageParams = {
    ...(until === undefined ? {} : { until }),
    ...(mode === undefined ? {} : { mode }),
    ...(isBlacklisted === undefined ? {} : { isBlacklisted }),
  }
  const about = { machineId, applicationId }
  const isByPassword = step === 'password'
  const reply = { ...about, userId: isByPassword ? userId : (proposedBy ?? userId), params }
  if (state !== applications.auditStates.passed) return [{ ...reply, kind: `${right}Reply` }]
  const given = { ...about, userId, kind: 'rightGiven', params: { right: 'bkey' } } as const
  const isProposed = proposedBy !== null && !isByPassword
  return [{ ...reply, kind: `${right}Success` }, ...(isProposed ? [given] : [])]
}

/** The letters about an application that ended with its machine's owner. */
export const mailOfEnd = (fact: Fact<'application.ended'>) => ({
  letters: lettersOfEnd(fact),
  news: newsOf(fact),
})

/** The letters and news of facts, by kind. */
export const lettersTable: FactTable<Mail | Promise<Mail>, AskNames> = {
  'application.opened': (fact) => {
    const { machineId, applicationId, right, userId, proposedBy, asked } = fact
    const sent: Letter = { userId: proposedBy ?? userId, kind: `${right}Sent`, machineId, applicationId }
    return { letters: [...askAll(fact, asked), sent], news: newsOf(fact) }
  },
  'application.askedAgain': (fact) => ({ letters: askAll(fact, fact.asked), news: newsOf(fact) }),
  'application.answered': (fact) => ({ letters: [], news: isAuditOpen(fact.state) ? newsOf(fact) : [] }),
  'application.ended': async (fact, ask) => {
    const { machineId, applicationId, userId, right, keys = [], until, mode } = fact
    const person = keys.length > 0 ? await ask.person(userId) : ''
    const terms = { ...(until === undefined ? {} : { until }), ...(mode === undefined ? {} : { mode }) }
    const params = { person, right: right === 'bind' ? 'bkey' : 'visitor', ...terms } as const
    const passed = keys.map((key): Letter => {
      return { userId: key, kind: 'passwordPassed', machineId, applicationId, params }
    })
    return { letters: [...passed, ...lettersOfEnd(fact)], news: newsOf(fact) }
  },
  'grant.given': async ({ machineId, userId, by, role: right, isAsked, until, readOnly }, ask) => {
    if (isAsked) return { letters: [] }
    const forever = access.visitTimes.forever
    const terms: MessageParams =
      right === 'bkey' ? {} : { until: until ?? forever, mode: readOnly ? 'ro' : 'rw' }
    const params = { person: await ask.person(by), right, ...terms }
    return { letters: [{ userId, kind: 'rightGiven', machineId, params }] }
  },
  'grant.ended': async ({ machineId, userId, by, role }, ask) =>
    role === null || by === userId
      ? { letters: [] }
      : {
          letters: [
            { userId, kind: 'rightTaken', machineId, params: { person: await ask.person(by), right: role } },
          ],
        },
  'machine.blacklisted': async ({ machineId, userId, by, role }, ask) => {
    if (role === null) return { letters: [] }
    const params = { person: await ask.person(by), right: role, isBlacklisted: true }
    return { letters: [{ userId, kind: 'rightTaken', machineId, params }] }
  },
  'transfer.offered': ({ machineId, transferId, asked, toEid }, ask) => ({
    letters: asked.map((userId) =>
      toEid === null
        ? { userId, kind: 'transferOffer', machineId, transferId }
        : {
            ...{ userId, kind: 'transferSpaceOffer', machineId, transferId },
            params: { enterprise: ask.enterprise() },
          },
    ),
  }),
  'transfer.refused': (fact) => ({ letters: [replyOf(fact)] }),
  'transfer.accepted': (fact) => ({ letters: [replyOf(fact)] }),
  'transfer.ranOut': (fact) => ({ letters: [replyOf(fact)] }),
  'invitation.sent': async ({ userId, invitationId, by, role }, ask) => {
    const params = { enterprise: ask.enterprise(), person: await ask.person(by), role }
    return { letters: [{ userId, kind: 'enterpriseInvited', invitationId, params }] }
  },
  'maintenance.asked': ({ machineId, asked, from, until }, ask) => {
    const params = { enterprise: ask.enterprise(), from, until, reason: ask.reason() }
    return { letters: asked.map((userId) => ({ userId, kind: 'windowAsked', machineId, params })) }
  },
  'maintenance.answered': async ({ machineId, by, to, state, from, until }, ask) => {
    if (to === null) return { letters: [] }
    const params = {
      person: await ask.person(by),
      answer: state as NonNullable<MessageParams['answer']>,
      from,
      until,
      // After a refusal the enterprise does not see the machine's name.
      ...(state === 'refused' ? { machine: '' } : {}),
    }
    return { letters: [{ userId: to, kind: 'windowAnswered', machineId, params }] }
  },
}

/** The letter about the answer to the maker of an offer. */
const replyOf = ({
  machineId,
  transferId,
  from,
}: Fact<'transfer.refused' | 'transfer.accepted' | 'transfer.ranOut'>): Letter => ({
  userId: from,
  kind: 'transferReply',
  machineId,
  transferId,
})
