import { type AnswerOf, type onboarding as contract, type InputOf, mayInEnterprise } from '@busbar/contract'
import type { Kysely, Transaction } from 'kysely'
import { withTransaction } from '../../kernel/database/database.ts'
import { lockPerson } from '../../kernel/database/lock-person.ts'
import type { DB } from '../../kernel/database/schema.gen.ts'
import { Failure } from '../../kernel/http/failure.ts'
import type { RightsDeps } from '../access/index.ts'
import { createToken, hashPassword, hashToken } from '../accounts/index.ts'
import { type Actor, auditAct } from '../audit/index.ts'
import { addRegisteredDevice } from '../enterprises/index.ts'
import {
  type CodeRange,
  createMachines,
  drawCodes,
  listKnownCodes,
  removeMachines,
} from '../machine-register/index.ts'
import { addRegistered, createMachinePassword } from '../machines/index.ts'
import { findMembership } from '../spaces/index.ts'
import * as store from './onboarding-store.ts'
import { type LinksDeps, putLink } from './setup-links.ts'

/** Codes that are tried: a range that is half full refuses one of a trillion tries. */
const codesTried = 40
const abandonedMs = 30 * 86_400_000
const removedAtOnce = 100

export interface OnboardingDeps extends RightsDeps, LinksDeps {
  readonly codes: CodeRange
  /** The most machines that each may register; 0: none. */
  readonly max: { readonly person: number; readonly enterprise: number }
  addressesOf(host: string): contract.MachineAddresses
}

type Connected = AnswerOf<typeof contract.connectMachine>

const maxOf = ({ max }: Pick<OnboardingDeps, 'max'>, registrant: store.Registrant) =>
  'eid' in registrant ? max.enterprise : max.person

/** How many machines are registered of those that may be. @throws Failure 403 */
export async function getLimit(
  deps: OnboardingDeps,
  userId: number,
  eid: number | undefined,
): Promise<AnswerOf<typeof contract.getOnboarding>> {
  const registrant = eid === undefined ? { userId } : { eid }
  const membership = eid === undefined ? undefined : await findMembership(deps.db, eid, userId)
  if (eid !== undefined && !(membership && mayInEnterprise(membership, 'manage'))) throw new Failure('403')
  return { used: await store.countRegistered(deps.db, registrant), max: maxOf(deps, registrant) }
}

/**
 * Registers a machine under a code of the range, drawn at random, and gives it to the caller or to their enterprise; all
 * of it or nothing (rules/machines.md: self-registration).
 * @throws Failure 403, ONBOARDING_OFF, ONBOARDING_FULL, CODES_USED_UP, 04010115, 04010412
 */
export async function connect(
  deps: OnboardingDeps,
  actor: Actor & { readonly host: string },
  { name, kind, eid }: InputOf<typeof contract.connectMachine>,
): Promise<Connected> {
  const { userId } = actor.user
  const { now, host } = actor
  const registrant = eid === undefined ? { userId } : { eid }
  if (maxOf(deps, registrant) === 0) throw new Failure('ONBOARDING_OFF')
  // A hash is expensive: most calls that would be refused end here.
  await requireRoom(deps, deps.db, registrant)
  const password = createMachinePassword()
  const secret = createToken()
  const hashes = { secretHash: hashToken(secret), passwordHash: await hashPassword(password, 'known') }

  const register = async (trx: Transaction<DB>) => {
    await requireRoom(deps, trx, registrant)
    const machine = await createMachine(trx, deps.codes, { name, ...hashes })
    await store.createRegistered(trx, machine.id, registrant, { kind, at: new Date(now) })
    await auditAct(trx, actor, {
      action: 'machine.selfRegister',
      target: machine.code,
      detail: { machineId: machine.id, kind, ...(eid === undefined ? {} : { enterpriseId: eid }) },
    })
    const link =
      kind === 'agent' ? await putLink(deps, trx, { machineId: machine.id, secret, host }, now) : null
    return { ...machine, link }
  }
  const { id, code, link } =
    eid === undefined
      ? await withTransaction(deps.db, async (trx) => {
          await lockPerson(trx, userId)
          const made = await register(trx)
          await addRegistered({ trx, facts: deps.facts }, { ...made, name }, actor)
          // Its first owner: the link stays.
          return made
        })
      : await addRegisteredDevice(deps, { userId, now, address: actor.address }, { eid, name }, register)
  return {
    machineId: id,
    machineCode: code,
    password,
    secret: kind === 'agent' ? null : secret,
    link,
    addresses: deps.addressesOf(host),
  }
}

/** @throws Failure ONBOARDING_FULL */
async function requireRoom(
  deps: Pick<OnboardingDeps, 'max'>,
  db: Kysely<DB>,
  registrant: store.Registrant,
): Promise<void> {
  if ((await store.countRegistered(db, registrant)) >= maxOf(deps, registrant))
    throw new Failure('ONBOARDING_FULL')
}

/** @throws Failure CODES_USED_UP */
async function createMachine(
  trx: Transaction<DB>,
  range: CodeRange,
  machine: { readonly name: string; readonly secretHash: Buffer; readonly passwordHash: string },
): Promise<{ readonly id: number; readonly code: string }> {
  const drawn = drawCodes(range, codesTried)
  const known = await listKnownCodes(trx, drawn)
  for (const code of drawn.filter((one) => !known.has(one))) {
    const made = await createMachines(trx, [{ ...machine, code, type: 'machine', model: '' }])
    const id = made.get(code)
    // Somebody else may have drawn it at this moment.
    if (id !== undefined) return { id, code }
  }
  throw new Failure('CODES_USED_UP')
}

/** Removes machines that were registered, never connected and are nobody's since 30 days. */
export async function removeAbandoned({ db, now }: Pick<OnboardingDeps, 'db'> & { now: () => number }) {
  const before = new Date(now() - abandonedMs)
  await withTransaction(db, async (trx) => {
    const abandoned = await store.lockAbandoned(trx, before, removedAtOnce)
    await removeMachines(
      trx,
      abandoned.map(({ id }) => id),
    )
  })
}
