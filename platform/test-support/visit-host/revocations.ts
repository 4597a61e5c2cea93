import { setTimeout } from 'node:timers/promises'
import {
  access,
  accounts,
  applications,
  type visits as contract,
  machines,
  operator as operators,
  visits,
} from '@busbar/contract'
import { createUser, proveSession } from '@busbar/testkit'
import { expect, vi } from 'vitest'
import { userPasswordCommand } from '../../src/cli/user-commands.ts'
import { recordRightChange } from '../../src/kernel/rights/right-changes.ts'
import { Inside } from './inside.ts'
import { deadline, type OpenRole, type OpenThings, type VisitName } from './open-things.ts'

const password = 'correct horse'
export const restMs = 1_000

/** The answer to later requests with the cookie of a visit that was cut. */
export type Told =
  | { readonly ended: contract.VisitEndReason }
  | { readonly refused: 'offline' | 'blind' }
  /** Watching goes on, changing does not. */
  | 'watchOnly'

/** A revocation to lose a right, and its consequences. */
export interface Revocation {
  readonly name: string
  readonly role?: OpenRole
  readonly password?: string
  /** The visits that are cut; every other one goes on. */
  readonly cuts: readonly VisitName[]
  readonly told: Told
  /** The end of the streams that are not named in `cuts`, if they do not stay open. */
  readonly closes?: Record<string, string>
  /** The people whose watch of the machine's values is silent from then on. */
  readonly silences?: readonly ('visitor' | 'bystander')[]
  /** Takes the right away; resolves when the platform promises that it is gone. */
  change(things: OpenThings): Promise<unknown>
  /** Work that is needed for the rest to go on; with the answer of `change`. */
  after?(things: OpenThings, changed: unknown): Promise<void>
}

export const ofMachine = ['page', 'hmi', 'terminal'] as const
const ofTerminal = ['page', 'hmi', 'elsewhere'] as const

/** The ends of a machine that has to sign in anew, and of requests that wait for it. */
const machineEnds = {
  ...Object.fromEntries([...ofMachine, 'bystander'].map((name) => [`${name} waiting`, 'answered 503'])),
  'machine mqtt': 'closed',
  'machine tunnel': 'closed with 4002',
}

/** Waits for an end that comes by itself: until then the visitor is inside. */
export async function outlast(until: Date, inside: OpenThings['inside']): Promise<void> {
  // A timer may be a little early.
  while (Date.now() < until.getTime()) await setTimeout(until.getTime() - Date.now() + 1)
  for (const name of ofMachine)
    expect(inside[name].endedAt ?? Number.POSITIVE_INFINITY).toBeGreaterThanOrEqual(until.getTime())
}

/** Every revocation except those of maintenance; a platform that cannot read rights has a separate test. */
export const revocations: readonly Revocation[] = [
  {
    name: 'a visit time set to zero by a key',
    cuts: ofMachine,
    told: { ended: 'visitTimeOver' },
    silences: ['visitor'],
    change: ({ site, owner, grantId, station: { machine } }) =>
      site.as(owner).call(access.endVisitTime, { visitAlidTimeID: grantId, machineID: machine.machineId }),
  },
  {
    name: 'a visit time that is cleared',
    cuts: ofMachine,
    told: { ended: 'visitTimeOver' },
    silences: ['visitor'],
    change: ({ site, owner, grantId }) =>
      site.as(owner).call(access.clearVisitTime, { visitTimeId: grantId }),
  },
  {
    name: 'a visit time that runs out by itself',
    cuts: ofMachine,
    told: { ended: 'visitTimeOver' },
    silences: ['visitor'],
    async change({ site, visitor, grantId, inside, station: { machine } }) {
      // Calls cannot set an end this near.
      const until = new Date(Date.now() + restMs)
      await site.db.transaction().execute(async (trx) => {
        await trx.updateTable('machine_grants').set({ until }).where('id', '=', grantId).execute()
        await recordRightChange(trx, { userId: visitor.userId, machineId: machine.machineId, reason: 'test' })
      })
      await outlast(until, inside)
    },
  },
  {
    name: 'a visitor who is removed',
    cuts: ofMachine,
    told: { ended: 'rightLost' },
    silences: ['visitor'],
    change: ({ site, owner, grantId }) => site.as(owner).call(access.removeVisitor, { visitTimeId: grantId }),
  },
  {
    name: 'a Bkey who is lowered',
    role: 'bkey',
    cuts: ofMachine,
    told: { ended: 'rightLost' },
    silences: ['visitor'],
    change: ({ site, owner, grantId }) => site.as(owner).call(access.updateLevel, { id: grantId, limit: 0 }),
  },
  {
    name: 'somebody who is blacklisted',
    cuts: ofMachine,
    told: { ended: 'rightLost' },
    silences: ['visitor'],
    change: ({ site, owner, visitor, station: { machine } }) =>
      site.as(owner).call(access.addToBlacklist, { deviceId: machine.machineId, userId: visitor.userId }),
  },
  {
    name: 'somebody whose application a key refuses for good',
    cuts: ofMachine,
    told: { ended: 'rightLost' },
    silences: ['visitor'],
    async change({ site, owner, visitor, station: { machine } }) {
      const wish = { machineID: machine.machineId }
      const { applyId } = await site.as(visitor).call(applications.applyForBind, wish)
      const verdict = { applyId: applyId ?? 0, pass: false, blacklist: true }
      await site.as(owner).call(applications.verifyBind, verdict)
    },
  },
  {
    name: 'somebody who takes the machine out of the own list',
    cuts: ofMachine,
    told: { ended: 'rightLost' },
    silences: ['visitor'],
    change: ({ site, visitor, station: { machine } }) =>
      site.as(visitor).call(machines.removeMachine, { delMachineID: machine.machineId }),
  },
  {
    name: 'a machine that gets another owner',
    cuts: [...ofMachine, 'bystander'],
    told: { ended: 'rightLost' },
    silences: ['visitor', 'bystander'],
    // The machine starts anew for its next owner.
    closes: machineEnds,
    async change({ site, owner, station: { machine } }) {
      const next = await createUser(site.db)
      await proveSession(site.db, owner.sessionId)
      const offer = { machineID: machine.machineId, account: next.email }
      const { applyId } = await site.as(owner).call(machines.offerMachine, offer)
      await site.as(next).call(machines.answerTransfer, { applyId, action: 'accept' })
    },
    after: ({ site, station }) => station.signIn(site, station.machine.secret),
  },
  {
    name: 'somebody who may only watch from then on',
    cuts: ['page'],
    told: 'watchOnly',
    change: ({ site, owner, visitor, station: { machine } }) =>
      site
        .as(owner)
        .call(access.setReadOnly, { machineID: machine.machineId, userID: visitor.userId, limitRead: 1 }),
  },
  {
    name: 'a machine whose cloud switch is turned off',
    cuts: [...ofMachine, 'bystander'],
    told: { ended: 'cloudOff' },
    silences: ['visitor', 'bystander'],
    change: ({ site, owner, station: { machine } }) =>
      site.as(owner).call(access.setCloudService, { machineID: machine.machineId, state: false }),
  },
  {
    name: 'a terminal that is removed from another one',
    cuts: ofTerminal,
    told: { ended: 'signedOut' },
    closes: { 'push to visitor': 'closed with 4401: elsewhere' },
    change: ({ site, visitor, otherSession }) =>
      site.as(otherSession).call(accounts.removeTerminal, { id: visitor.sessionId }),
  },
  {
    name: 'somebody who signs out',
    cuts: ofTerminal,
    told: { ended: 'signedOut' },
    closes: { 'push to visitor': 'closed with 4401' },
    change: ({ site, visitor }) => site.as(visitor).call(accounts.logout, {}),
  },
  {
    name: 'a terminal that is signed in on anew',
    password,
    cuts: ofTerminal,
    told: { ended: 'signedOut' },
    closes: { 'push to visitor': 'closed with 4401: elsewhere' },
    async change({ site, visitor }) {
      const { terminal_uuid: terminalUUID } = await site.db
        .selectFrom('sessions')
        .select('terminal_uuid')
        .where('id', '=', visitor.sessionId)
        .executeTakeFirstOrThrow()
      await site
        .as(undefined)
        .call(accounts.login, { loginName: visitor.email, loginPwd: password, terminalUUID })
    },
  },
  {
    name: 'an account whose password is set on the command line, in another process',
    cuts: [...ofTerminal, 'terminal'],
    told: { ended: 'signedOut' },
    closes: { 'push to visitor': 'closed with 4401: passwordChanged' },
    async change({ site, visitor, push }) {
      const said = vi.spyOn(console, 'log').mockReturnValue()
      await userPasswordCommand.prepare(['--account', visitor.email, '--password', password])(site.db)
      said.mockRestore()
      // This process gets no wake-up: it polls, and acts on the result in the same turn.
      await expect.poll(() => push.visitor.state, deadline).not.toBe('open')
    },
  },
  {
    name: 'an account that an operator locks',
    cuts: [...ofTerminal, 'terminal'],
    told: { ended: 'signedOut' },
    closes: { 'push to visitor': 'closed with 4401: locked' },
    async change({ site, visitor }) {
      const operator = await createUser(site.db)
      await site.db
        .updateTable('users')
        .set({ is_operator: true })
        .where('id', '=', operator.userId)
        .execute()
      await proveSession(site.db, operator.sessionId)
      await site.as(operator).call(operators.updateUser, { id: visitor.userId, state: 'locked' })
    },
  },
  {
    name: 'a visit that a key ends',
    cuts: ['page'],
    told: { ended: 'ended' },
    change: ({ site, owner, inside }) =>
      site.as(owner).call(visits.endVisit, { sessionId: inside.page.visitId }),
  },
  {
    name: 'a visit that the visitor leaves',
    cuts: ['page'],
    told: { ended: 'left' },
    change: ({ inside }) => inside.page.client.request('/.busbar/leave', { method: 'POST' }),
  },
  {
    name: 'a controller that a key takes',
    cuts: ['page'],
    told: 'watchOnly',
    async change({ site, owner, station }) {
      const { visitId } = await Inside.enter(site, owner, station)
      await site.as(owner).call(visits.controlVisit, { sessionId: visitId, action: 'take' })
    },
  },
  {
    name: 'a machine whose secret is renewed',
    cuts: [...ofMachine, 'bystander'],
    told: { refused: 'offline' },
    closes: machineEnds,
    async change({ site, owner, station }) {
      await proveSession(site.db, owner.sessionId)
      const machineID = station.machine.machineId
      const { secret } = await site.as(owner).call(access.resetSecret, { machineID })
      return secret
    },
    // People may still see the machine: it goes on telling with its new secret.
    after: ({ site, station }, secret) => station.signIn(site, String(secret)),
  },
]
