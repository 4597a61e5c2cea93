import { access, applications } from '@busbar/contract'
import type { MessageTexts, TextFacts } from './message-texts.ts'
import { markTime as at } from './message-times.ts'

const { auditStates } = applications
const modes = { ro: 'read-only', rw: 'read-write' }
const roles = { owner: 'an owner', admin: 'an administrator', member: 'a member' }
const rights = { visitor: 'visitor', bkey: 'Bkey', akey: 'Akey' }
const spanOf = ({ from, until }: TextFacts) => `from ${at(from)} to ${at(until)}`
/** A visitor's right, and its end. */
function termsOf({ mode, until }: TextFacts): string {
  if (until === access.visitTimes.over) return modes[mode]
  return `${modes[mode]}, ${until === access.visitTimes.forever ? 'without an end' : `until ${at(until)}`}`
}
const noteOf = ({ note }: TextFacts) => (note ? `. They wrote: ${note}` : '')
const blacklistOf = ({ isBlacklisted }: TextFacts) =>
  isBlacklisted ? ', and put you on the device’s blacklist' : ''
const rightOf = (facts: TextFacts) =>
  facts.right === 'visitor' ? `a visitor, ${termsOf(facts)}` : `its ${rights[facts.right]}`

/** A device that is offered, with the enterprise it is of. */
const offeredOf = ({ machine, giver }: TextFacts) =>
  giver ? `“${machine}” of the enterprise “${giver}”` : `“${machine}”`

/** How an application ended without being passed. */
function endOf(facts: TextFacts): string {
  if (facts.auditState === auditStates.refusedByAkey) return `The Akey refused${blacklistOf(facts)}`
  if (facts.auditState === auditStates.refusedByBkey) return `A Bkey refused${blacklistOf(facts)}`
  return 'It is over: nobody answered within 24 hours, or it was withdrawn'
}

function bindOf({ reader, person, proposer, machine }: TextFacts): string {
  if (reader === 'proposer') return `You proposed ${person} as a Bkey of “${machine}”`
  return proposer
    ? `${proposer} proposed you as a Bkey of “${machine}”`
    : `You applied to become a Bkey of “${machine}”`
}

const transferEnds: Readonly<Record<string, string>> = {
  accepted: 'accepted',
  refused: 'did not accept',
  withdrawn: 'can no longer accept',
  expired: 'did not accept in time',
}
const handoverAnswers: Readonly<Record<string, string>> & { readonly ended: string } = {
  accepted: 'accepted. Delete the enterprise with the hand-over now',
  refused: 'did not accept',
  ended: 'can no longer take them',
}
const devices = (count: number) => (count === 1 ? 'one device' : `${count} devices`)
const windowAnswers = {
  accepted: 'agreed to',
  refused: 'refused',
  suspended: 'suspended',
  ended: 'ended',
}

/** The texts of messages: who, what, which device, until when. */
export const en: MessageTexts = {
  bindApply: (facts) => ({
    title: 'Application to become Bkey',
    body: facts.proposer
      ? `${facts.proposer} proposes ${facts.person} as a Bkey of “${facts.machine}”: the Akey decides`
      : `${facts.person} asks to become a Bkey of “${facts.machine}”${noteOf(facts)}`,
  }),
  visitApply: (facts) => ({
    title: 'Application to visit',
    body: `${facts.person} asks to visit “${facts.machine}”, ${modes[facts.mode]}${noteOf(facts)}`,
  }),
  bindSent: (facts) => ({
    title: 'Application sent',
    body: `${bindOf(facts)}. Its keys have been asked`,
  }),
  visitSent: (facts) => ({
    title: 'Application sent',
    body: `You applied to visit “${facts.machine}”, ${modes[facts.mode]}. Its keys have been asked${facts.note ? `. You wrote: ${facts.note}` : ''}`,
  }),
  bindReply: (facts) => ({ title: 'Not made Bkey', body: `${bindOf(facts)}. ${endOf(facts)}` }),
  visitReply: (facts) => ({
    title: 'Visit not allowed',
    body: `You applied to visit “${facts.machine}”. ${endOf(facts)}`,
  }),
  bindSuccess: (facts) => ({
    title: facts.reader === 'proposer' ? 'Made Bkey' : 'You are a Bkey',
    body:
      facts.reader === 'proposer'
        ? `${facts.person} is now a Bkey of “${facts.machine}”`
        : `You are now a Bkey of “${facts.machine}”`,
  }),
  visitSuccess: (facts) => ({
    title: 'Visit allowed',
    body: `You may visit “${facts.machine}”: ${termsOf(facts)}`,
  }),
  transferOffer: (facts) => ({
    title: 'A device is offered to you',
    body: `${facts.person} offers you ${offeredOf(facts)}: accept it to become its Akey`,
  }),
  transferSpaceOffer: (facts) => ({
    title: 'A device is offered to your enterprise',
    body: `${facts.person} offers ${offeredOf(facts)} to “${facts.enterprise}”: accept it and it is a device of that enterprise`,
  }),
  handoverAsked: ({ person, enterprise, count, until }) => ({
    title: 'You are asked to take an enterprise’s devices',
    body: `${person} asks you to take the ${devices(count)} of “${enterprise}” when that enterprise is deleted: answer until ${at(until)}. If you accept you become the Akey of each device after the deletion`,
  }),
  handoverSpaceAsked: ({ person, enterprise, receiver, count, until }) => ({
    title: 'Your enterprise is asked to take devices',
    body: `${person} asks “${receiver}” to take the ${devices(count)} of “${enterprise}” when that enterprise is deleted: answer until ${at(until)}. If accepted they are devices of your enterprise after the deletion`,
  }),
  handoverReply: ({ person, enterprise, answer }) => ({
    title: answer === 'accepted' ? 'The devices will be taken' : 'The devices will not be taken',
    body: `You asked ${person} to take the devices of “${enterprise}”: ${person} ${handoverAnswers[answer] ?? handoverAnswers.ended}`,
  }),
  handoverOff: ({ enterprise }) => ({
    title: 'The devices do not come',
    body: `The devices of “${enterprise}” that you accepted are not handed over: the enterprise took its request back or stays`,
  }),
  handoverDone: ({ enterprise, count }) => ({
    title: 'Devices taken over',
    body: `“${enterprise}” is deleted, and ${count === 1 ? 'its device was' : `${count} of its devices were`} handed over to you or your enterprise`,
  }),
  enterpriseInvited: ({ person, enterprise, role }) => ({
    title: 'Invitation to an enterprise',
    body: `${person} invites you to join “${enterprise}” as ${roles[role]}`,
  }),
  transferReply: ({ person, machine, transferState }) => ({
    title: transferState === 'accepted' ? 'Device handed over' : 'Device not handed over',
    body: `You offered “${machine}”: ${person} ${transferEnds[transferState] ?? 'has not answered'}`,
  }),
  passwordPassed: (facts) => ({
    title: 'Let in by the device’s password',
    body: `${facts.person} gave the password of “${facts.machine}” and is now ${rightOf(facts)}`,
  }),
  passwordTries: ({ person, machine, count }) => ({
    title: 'Wrong device passwords',
    body: `${count} wrong passwords were given for “${machine}” within an hour${person ? `, the last by ${person}` : ''}. Change the password if this is nobody you know`,
  }),
  rightGiven: (facts) => ({
    title: 'You were given a right',
    body: facts.person
      ? `${facts.person} let you in to “${facts.machine}”: you are ${rightOf(facts)}`
      : `You are let in to “${facts.machine}” as ${rightOf(facts)}`,
  }),
  rightTaken: (facts) => ({
    title: 'A right of yours was taken',
    body: facts.person
      ? `${facts.person} ended your right as ${rights[facts.right]} of “${facts.machine}”${blacklistOf(facts)}`
      : `Your right as ${rights[facts.right]} of “${facts.machine}” has ended`,
  }),
  windowAsked: (facts) => ({
    title: 'Maintenance asked for',
    body: `${facts.enterprise} asks to maintain “${facts.machine}” ${spanOf(facts)}${facts.reason ? `: ${facts.reason}` : ''}`,
  }),
  windowAnswered: (facts) => ({
    title: 'Maintenance answered',
    body: `${facts.person} ${windowAnswers[facts.answer]} the maintenance of “${facts.machine}” ${spanOf(facts)}`,
  }),
  spaceLeaving: ({ person, enterprise, until }) => ({
    title: 'Your enterprise will be deleted',
    body: `${person} asked to delete the enterprise “${enterprise}”: until ${at(until)} any owner can take it back`,
  }),
  spaceStays: ({ person, enterprise }) => ({
    title: 'Your enterprise stays',
    body: `${person} took the deletion of the enterprise “${enterprise}” back`,
  }),
  tagLimit: ({ machine, max, refused }) => ({
    title: 'Too many variables',
    body: `“${machine}” sends more than ${max} variables. Those beyond are not kept, such as ${refused.join(', ')}`,
  }),
}
