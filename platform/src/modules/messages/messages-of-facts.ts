import { access, applications, isAuditOpen } from '@busbar/contract'
import type { Fact } from '../../kernel/facts/fact-kinds.ts'
import type { FactTable } from '../../kernel/facts/fact-table.ts'
import type { ApplicationUpdate, NewMessage } from './mailbox.ts'
import type { MessageParams } from './message-kinds.ts'

/** The messages that follow from a fact. */
export interface FactMessages {
  readonly messages: readonly NewMessage[]
  readonly updates?: readonly ApplicationUpdate[]
}

/** The names in a message that its fact does not carry. */
export interface AskNames {
  /** A person's name; empty without one. */
  person(userId: number | null): Promise<string>
  /** The applicant's reason, in their words. */
  reason(): string
  /** The name of the enterprise that acts, or that a machine is offered to. */
  enterprise(): string
  /** The name of the fact's thing. */
  name(): string
  /** The name of a project's destination. */
  destination(): string
}

type Application = Fact<
  'application.opened' | 'application.askedAgain' | 'application.answered' | 'application.ended'
>

/** Its state, for the pages of everybody it concerns. */
function updatesOf({
  machineId,
  machineCode,
  applicationId,
  right: kind,
  state,
  told,
}: Application): ApplicationUpdate[] {
  const updates = { kind, machineId, machineCode, applyId: applicationId, auditState: state }
  return told.map((userId) => ({ userId, ...updates, isResult: !isAuditOpen(state) }))
}

/** Asks these people to answer. */
const askAll = ({ machineId, applicationId, right }: Application, userIds: readonly number[]): NewMessage[] =>
  userIds.map((userId) => ({ userId, kind: `${right}Apply`, machineId, applicationId }))

/** Messages to the applicant of an application that ended, and to a proposed person who has the right. */
function endMessages(fact: Fact<'application.ended'>): NewMessage[] {
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

/** The messages about an application that ended with its machine's owner. */
export const messagesOfEnd = (fact: Fact<'application.ended'>) => ({
  messages: endMessages(fact),
  updates: updatesOf(fact),
})

/** To the people of a project: something happened to one of its destinations. */
function messagesOfTarget(
  { projectId, told }: Fact<'destination.failed' | 'destination.recovered' | 'destination.switchedOff'>,
  targetState: NonNullable<MessageParams['targetState']>,
  ask: AskNames,
): FactMessages {
  const params = { project: ask.name(), projectId, target: ask.destination(), targetState }
  return { messages: told.map((userId) => ({ userId, kind: 'projectTarget', params })) }
}

/** The messages and updates of facts, by kind. */
export const messagesTable: FactTable<FactMessages | Promise<FactMessages>, AskNames> = {
  'application.opened': (fact) => {
    const { machineId, applicationId, right, userId, proposedBy, asked } = fact
    const sent: NewMessage = { userId: proposedBy ?? userId, kind: `${right}Sent`, machineId, applicationId }
    return { messages: [...askAll(fact, asked), sent], updates: updatesOf(fact) }
  },
  'application.askedAgain': (fact) => ({ messages: askAll(fact, fact.asked), updates: updatesOf(fact) }),
  'application.answered': (fact) => ({
    messages: [],
    updates: isAuditOpen(fact.state) ? updatesOf(fact) : [],
  }),
  'application.ended': async (fact, ask) => {
    const { machineId, applicationId, userId, right, keys = [], until, mode } = fact
    const person = keys.length > 0 ? await ask.person(userId) : ''
    const terms = { ...(until === undefined ? {} : { until }), ...(mode === undefined ? {} : { mode }) }
    const params = { person, right: right === 'bind' ? 'bkey' : 'visitor', ...terms } as const
    const passed = keys.map((key): NewMessage => {
      return { userId: key, kind: 'passwordPassed', machineId, applicationId, params }
    })
    return { messages: [...passed, ...endMessages(fact)], updates: updatesOf(fact) }
  },
  'grant.given': async ({ machineId, userId, by, role: right, isAsked, until, readOnly }, ask) => {
    if (isAsked) return { messages: [] }
    const forever = access.visitTimes.forever
    const terms: MessageParams =
      right === 'bkey' ? {} : { until: until ?? forever, mode: readOnly ? 'ro' : 'rw' }
    const params = { person: await ask.person(by), right, ...terms }
    return { messages: [{ userId, kind: 'rightGiven', machineId, params }] }
  },
  'grant.ended': async ({ machineId, userId, by, role }, ask) =>
    role === null || by === userId
      ? { messages: [] }
      : {
          messages: [
            { userId, kind: 'rightTaken', machineId, params: { person: await ask.person(by), right: role } },
          ],
        },
  'machine.blacklisted': async ({ machineId, userId, by, role }, ask) => {
    if (role === null) return { messages: [] }
    const params = { person: await ask.person(by), right: role, isBlacklisted: true }
    return { messages: [{ userId, kind: 'rightTaken', machineId, params }] }
  },
  'transfer.offered': ({ machineId, transferId, asked, toEid }, ask) => ({
    messages: asked.map((userId) =>
      toEid === null
        ? { userId, kind: 'transferOffer', machineId, transferId }
        : {
            ...{ userId, kind: 'transferSpaceOffer', machineId, transferId },
            params: { enterprise: ask.enterprise() },
          },
    ),
  }),
  'transfer.refused': (fact) => ({ messages: [replyOf(fact)] }),
  'transfer.accepted': (fact) => ({ messages: [replyOf(fact)] }),
  'transfer.ranOut': (fact) => ({ messages: [replyOf(fact)] }),
  'invitation.sent': async ({ userId, invitationId, by, role }, ask) => {
    const params = { enterprise: ask.enterprise(), person: await ask.person(by), role }
    return { messages: [{ userId, kind: 'enterpriseInvited', invitationId, params }] }
  },
  'invitation.changed': async ({ userId, invitationId, by, role, formerRole }, ask) => {
    if (role === formerRole) return { messages: [] }
    const params = { enterprise: ask.enterprise(), person: await ask.person(by), role }
    return { messages: [{ userId, kind: 'enterpriseInvited', invitationId, params }] }
  },
  'project.memberChanged': async ({ userId, projectId, change, by }, ask) => {
    if (by === userId || (change !== 'invited' && change !== 'owner')) return { messages: [] }
    const params = { person: await ask.person(by), project: ask.name(), projectId }
    const kind = change === 'invited' ? 'projectInvited' : 'projectOwner'
    return { messages: [{ userId, kind, params }] }
  },
  'project.machineAdded': async ({ machineId, projectId, by, told }, ask) => {
    const params = { person: await ask.person(by), project: ask.name(), projectId }
    return { messages: told.map((userId) => ({ userId, kind: 'projectMachine', machineId, params })) }
  },
  'project.quotaReached': ({ projectId, percent, told }, ask) => {
    const params = { project: ask.name(), projectId, percent }
    return { messages: told.map((userId) => ({ userId, kind: 'projectQuota', params })) }
  },
  'destination.failed': (fact, ask) => messagesOfTarget(fact, 'failing', ask),
  'destination.recovered': (fact, ask) => messagesOfTarget(fact, 'recovered', ask),
  'destination.switchedOff': (fact, ask) => messagesOfTarget(fact, fact.reason, ask),
  'project.keyGuessed': ({ projectId, told }, ask) => {
    const params = { project: ask.name(), projectId }
    return { messages: told.map((userId) => ({ userId, kind: 'projectKeys', params })) }
  },
  'maintenance.asked': ({ machineId, asked, from, until }, ask) => {
    const params = { enterprise: ask.enterprise(), from, until, reason: ask.reason() }
    return { messages: asked.map((userId) => ({ userId, kind: 'windowAsked', machineId, params })) }
  },
  'maintenance.withdrawn': (fact, ask) => {
    const { machineId, told, from, until } = fact
    const params = { enterprise: ask.enterprise(), from, until }
    const toKeys = told.map((userId) => ({ userId, kind: 'windowEnded', machineId, params }) as const)
    return { messages: [...toKeys, ...crewMessages('windowOver', fact, fact.by)] }
  },
  'maintenance.began': (fact) => ({ messages: crewMessages('windowBegan', fact) }),
  'maintenance.ranOut': (fact) => ({ messages: crewMessages('windowOver', fact) }),
  'maintenance.answered': async (fact, ask) => {
    const { machineId, by, to, action, state, began, from, until } = fact
    // The person who asked reads the answer.
    const toCrew =
      action === 'end'
        ? crewMessages('windowOver', fact, to)
        : began
          ? crewMessages('windowBegan', fact, to)
          : []
    if (to === null) return { messages: toCrew }
    const params = {
      person: await ask.person(by),
      answer: state as NonNullable<MessageParams['answer']>,
      from,
      until,
      // After a refusal the enterprise does not see the machine's name.
      ...(state === 'refused' ? { machine: '' } : {}),
    }
    return { messages: [{ userId: to, kind: 'windowAnswered', machineId, params }, ...toCrew] }
  },
}

/** Tells the maintenance teams of a machine, but for one who knows, that a window of theirs begins or is over. */
const crewMessages = (
  kind: 'windowBegan' | 'windowOver',
  { machineId, crew, from, until }: Omit<Fact<'maintenance.began'>, 'kind'>,
  whoKnows: number | null = null,
): NewMessage[] =>
  crew.flatMap((userId) => (userId === whoKnows ? [] : { userId, kind, machineId, params: { from, until } }))

/** The message about the answer to the maker of an offer. */
const replyOf = ({
  machineId,
  transferId,
  from,
}: Fact<'transfer.refused' | 'transfer.accepted' | 'transfer.ranOut'>): NewMessage => ({
  userId: from,
  kind: 'transferReply',
  machineId,
  transferId,
})
