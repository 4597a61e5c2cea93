import { type access as contract, type InputOf, machines } from '@busbar/contract'
import type { Caller } from '../../kernel/http/caller.ts'
import { Failure } from '../../kernel/http/failure.ts'
import { createToken, hashPassword, hashToken, isCommonPassword, requireProof } from '../accounts/index.ts'
import { updateMachine } from '../machine-register/index.ts'
import { requireUploads } from '../uploads/index.ts'
import { askAkeysAgain } from './applications/application-ends.ts'
import { removePasswordTickets } from './applications/application-ends-store.ts'
import { requireReadWrite } from './holders-service.ts'
import { checkMachinePassword } from './machine-password.ts'
import * as store from './machine-settings-store.ts'
import { changeRights, type RightsDeps } from './rights-change.ts'

/**
 * Reads the cloud switch, or sets it if `state` is given; while it is off, nobody enters the machine (rules/access.md:
 * cloud service).
 */
export async function updateCloudService(
  deps: RightsDeps,
  caller: Caller,
  { machineID, state }: InputOf<typeof contract.setCloudService>,
): Promise<boolean> {
  return changeRights(deps, { ...caller, right: 'akey' }, machineID, async ({ trx, machine, record }) => {
    if (state === undefined || state === machine.cloud_service) return machine.cloud_service
    await updateMachine(trx, machineID, { cloud_service: state })
    await record({ kind: 'machine.cloudChanged', isOpen: state })
    return state
  })
}

/**
 * Sets the password people bind the machine with. Throws PROOF_NEEDED, 505 for a wrong old one (04010114 after too
 * many), 400 for one of the most common.
 */
export async function updateMachinePassword(
  deps: RightsDeps,
  caller: Caller & { sessionId: number },
  { machineID, password, oldPassword }: InputOf<typeof contract.setMachinePassword>,
): Promise<void> {
  await requireProof(deps.db, caller.sessionId, caller.now)
  if (isCommonPassword(password)) throw new Failure('400', { field: 'password' })
  const checked = oldPassword === undefined ? undefined : await store.findMachine(deps.db, machineID)
  if (checked) await checkMachinePassword(deps, checked, oldPassword, caller)
  const passwordHash = await hashPassword(password, 'known')
  await changeRights(deps, { ...caller, right: 'akey' }, machineID, async ({ trx, machine, record }) => {
    // It changed after the check: the old password given here is not the current one.
    if (checked && checked.password_hash !== machine.password_hash) throw new Failure('505')
    await updateMachine(trx, machineID, { password_hash: passwordHash })
    await record({ kind: 'machine.passwordChanged' })
  })
}

/**
 * Gives the machine another secret, answered this once; whatever is open under the old one is cut. Throws PROOF_NEEDED
 * (rules/machines.md: secret).
 */
export async function resetSecret(
  deps: RightsDeps,
  caller: Caller & { sessionId: number },
  machineId: number,
): Promise<string> {
  await requireProof(deps.db, caller.sessionId, caller.now)
  const secret = createToken()
  await changeRights(deps, { ...caller, right: 'akey' }, machineId, async ({ trx, record }) => {
    await updateMachine(trx, machineId, { secret_hash: hashToken(secret) })
    await record({ kind: 'machine.secretReset' })
  })
  return secret
}

/**
 * Sets the shared name and picture, how applications are audited, and how the machine's messages are understood. To let
 * the machine's password pass applications, it must be known: throws 505 for a wrong one, 04010114 after too many;
 * GIVER_READ_ONLY for a key that may only watch; PICTURE_UNKNOWN for a picture that was not uploaded for this
 * (rules/machines.md: settings of a machine).
 */
export async function updateMachineInfo(
  deps: RightsDeps,
  caller: Caller,
  machineId: number,
  input: InputOf<typeof contract.updateMachineInfo>,
): Promise<void> {
  const { machineName, checkType, password, adapter, timeZone, textEncoding, otherTopics, projectImage } =
    input
  const toPassword = checkType === machines.checkTypes.akeyAndPassword
  const before = toPassword ? await store.findMachine(deps.db, machineId) : undefined
  // One that is given is checked though nothing seems to change: the mode may be left before the lock is held.
  const checked = before?.check_type === checkType && password === undefined ? undefined : before
  if (checked) await checkMachinePassword(deps, checked, password, caller)
  await changeRights(deps, { ...caller, right: 'bkey+' }, machineId, async (scope) => {
    requireReadWrite(scope)
    const { trx, machine, record } = scope
    const switches = checkType !== undefined && checkType !== machine.check_type
    if (switches && toPassword && checked?.password_hash !== machine.password_hash) throw new Failure('505')
    const settings = {
      ...(machineName === undefined ? {} : { name: machineName }),
      ...(switches ? { check_type: checkType } : {}),
      ...(adapter === undefined ? {} : { adapter: adapter || null }),
      ...(timeZone === undefined ? {} : { time_zone: timeZone }),
      ...(textEncoding === undefined ? {} : { text_encoding: textEncoding }),
      ...(otherTopics === undefined ? {} : { other_topics: otherTopics }),
      ...(projectImage === undefined ? {} : { project_image: projectImage }),
    }
    if (projectImage !== undefined) await requireUploads(trx, 'projectImage', [projectImage])
    if (Object.keys(settings).length > 0) await updateMachine(trx, machineId, settings)
    if (machineName !== undefined) await record({ kind: 'machine.renamed' }, { words: { name: machineName } })
    if (projectImage !== undefined) await record({ kind: 'machine.imageChanged', projectImage })
    if (switches) {
      // Tickets of the other mode end here, so that they do not open the machine when that mode comes back.
      await removePasswordTickets(trx, machineId)
      await record({ kind: 'machine.checkTypeChanged', checkType })
      await askAkeysAgain(scope, caller.now)
    }
    // Followed by the gateway that has the machine's connection.
    if ([adapter, timeZone, textEncoding, otherTopics].some((given) => given !== undefined))
      await record({ kind: 'machine.languageChanged', adapter, timeZone, textEncoding, otherTopics })
  })
}

/** Drops the picture that `updateMachineInfo` set. Throws GIVER_READ_ONLY for a key that may only watch. */
export async function resetImage(deps: RightsDeps, caller: Caller, machineId: number): Promise<void> {
  await changeRights(deps, { ...caller, right: 'bkey+' }, machineId, async (scope) => {
    requireReadWrite(scope)
    await updateMachine(scope.trx, machineId, { project_image: null })
    await scope.record({ kind: 'machine.imageChanged', projectImage: '' })
  })
}
