import { createGrant, findGrant, type RightsChange, type Share, updateGrant } from '../index.ts'

/**
 * Makes a person Bkey, with or without an application; a visitor keeps the two bits that are not set here. Throws
 * 01010307 when their list is full.
 */
export async function giveBkey(
  scope: RightsChange,
  userId: number,
  isAsked: boolean,
  bits: { readonly readOnly?: boolean | null; readonly alarms?: boolean | null } = {},
): Promise<void> {
  const { trx, machineId } = scope
  const set = {
    ...(bits.readOnly === null || bits.readOnly === undefined ? {} : { readOnly: bits.readOnly }),
    ...(bits.alarms === null || bits.alarms === undefined ? {} : { alarms: bits.alarms }),
  }
  const grant = await findGrant(trx, machineId, { userId })
  const created = { machineId, userId, role: 'bkey', until: null, readOnly: false, alarms: true } as const
  const grantId = grant?.id ?? (await createGrant(trx, created))
  await updateGrant(trx, grantId, { role: 'bkey', until: null, ...set })
  await scope.putIntoListOf(userId)
  await scope.record({ kind: 'grant.given', userId, role: 'bkey', isAsked, ...set })
}

/** Lets an applicant in as a visitor; a Bkey stays Bkey. Throws 01010307 when their list is full. */
export async function giveVisit(
  scope: RightsChange,
  userId: number,
  { readOnly, alarms, until }: Share,
): Promise<void> {
  const { trx, machineId } = scope
  const grant = await findGrant(trx, machineId, { userId })
  if (grant?.role === 'bkey') return
  if (grant) await updateGrant(trx, grant.id, { until, readOnly, alarms })
  else await createGrant(trx, { machineId, userId, role: 'visitor', until, readOnly, alarms })
  await scope.putIntoListOf(userId)
  const terms = { until: until?.getTime() ?? null, readOnly }
  await scope.record({ kind: 'grant.given', userId, role: 'visitor', isAsked: true, ...terms })
}
