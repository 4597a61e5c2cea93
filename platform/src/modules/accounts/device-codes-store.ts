import type { Program } from '@busbar/contract'
import type { Db } from './accounts-store.ts'

/** A program's code to be stored. */
export interface NewDeviceCode {
  readonly deviceHash: Buffer
  readonly userCode: string
  readonly terminalUuid: string
  readonly terminalName: string
  readonly address: string
  readonly brandId: number
  readonly program: Program | null
  readonly at: Date
  readonly expiresAt: Date
}

export async function createDeviceCode(db: Db, code: NewDeviceCode): Promise<void> {
  await db
    .insertInto('device_codes')
    .values({
      device_hash: code.deviceHash,
      user_code: code.userCode,
      terminal_uuid: code.terminalUuid,
      terminal_name: code.terminalName,
      address: code.address,
      brand_id: code.brandId,
      program: code.program,
      created_at: code.at,
      expires_at: code.expiresAt,
    })
    .execute()
}

/** A code without an answer yet, by the characters that a person types. */
export async function findWaitingCode(db: Db, userCode: string, brandId: number, now: Date) {
  return db
    .selectFrom('device_codes')
    .select(['terminal_name', 'address', 'program'])
    .where('user_code', '=', userCode)
    .where('brand_id', '=', brandId)
    .where('state', '=', 'waiting')
    .where('expires_at', '>', now)
    .executeTakeFirst()
}

/** Decides about a code, once; undefined when it may not be decided about any more. */
export async function decideDeviceCode(
  db: Db,
  userCode: string,
  by: { readonly sessionId: number; readonly brandId: number; readonly now: Date },
  state: 'confirmed' | 'refused',
) {
  return db
    .updateTable('device_codes')
    .set({ state, session_id: by.sessionId })
    .where('user_code', '=', userCode)
    .where('brand_id', '=', by.brandId)
    .where('state', '=', 'waiting')
    .where('expires_at', '>', by.now)
    .returning(['terminal_name', 'address'])
    .executeTakeFirst()
}

/** A program's code that has not run out. */
export async function findDeviceCode(db: Db, deviceHash: Buffer, brandId: number, now: Date) {
  return db
    .selectFrom('device_codes')
    .select(['state', 'session_id'])
    .where('device_hash', '=', deviceHash)
    .where('brand_id', '=', brandId)
    .where('expires_at', '>', now)
    .executeTakeFirst()
}

/** Takes a program's turn to poll its code; false if the last poll was after `askedAfter`. */
export async function takeAsking(
  db: Db,
  deviceHash: Buffer,
  { at, askedAfter }: { at: Date; askedAfter: Date },
): Promise<boolean> {
  const result = await db
    .updateTable('device_codes')
    .set({ asked_at: at })
    .where('device_hash', '=', deviceHash)
    .where((where) => where.or([where('asked_at', 'is', null), where('asked_at', '<=', askedAfter)]))
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

/** Uses a confirmed code up; undefined if it was used meanwhile, or has expired. */
export async function redeemDeviceCode(db: Db, deviceHash: Buffer, now: Date) {
  return db
    .updateTable('device_codes')
    .set({ state: 'used' })
    .where('device_hash', '=', deviceHash)
    .where('state', '=', 'confirmed')
    .where('expires_at', '>', now)
    .returning(['terminal_uuid', 'terminal_name', 'program'])
    .executeTakeFirst()
}
