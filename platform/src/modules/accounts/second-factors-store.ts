import type { Db } from './accounts-store.ts'

/** A person's second factor, confirmed or not. */
export async function findSecondFactor(db: Db, userId: number) {
  return db
    .selectFrom('second_factors')
    .select(['secret_sealed', 'last_step', 'confirmed_at'])
    .where('user_id', '=', userId)
    .executeTakeFirst()
}

/** Whether signing in asks this person for a second factor. */
export async function hasSecondFactor(db: Db, userId: number): Promise<boolean> {
  return (await findSecondFactor(db, userId))?.confirmed_at != null
}

/** Keeps a secret that is not confirmed yet; false if a confirmed one stands. */
export async function replaceUnconfirmed(db: Db, userId: number, sealed: Buffer, at: Date): Promise<boolean> {
  const result = await db
    .insertInto('second_factors')
    .values({ user_id: userId, secret_sealed: sealed, created_at: at })
    .onConflict((conflict) =>
      conflict
        .column('user_id')
        .doUpdateSet({ secret_sealed: sealed, created_at: at, last_step: 0 })
        .where('second_factors.confirmed_at', 'is', null),
    )
    .executeTakeFirst()
  return result.numInsertedOrUpdatedRows === 1n
}

/** Notes that a code of this time step was used; false if it, or a later one, was used before. */
export async function takeStep(db: Db, userId: number, step: number): Promise<boolean> {
  const result = await db
    .updateTable('second_factors')
    .set({ last_step: step })
    .where('user_id', '=', userId)
    .where('last_step', '<', step)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

/** Turns a second factor on; false if it was on, or is gone. */
export async function confirmSecondFactor(db: Db, userId: number, at: Date): Promise<boolean> {
  const result = await db
    .updateTable('second_factors')
    .set({ confirmed_at: at })
    .where('user_id', '=', userId)
    .where('confirmed_at', 'is', null)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

/** Deletes a person's second factor and its recovery codes; false if there was no second factor. */
export async function removeSecondFactor(db: Db, userId: number): Promise<boolean> {
  const result = await db.deleteFrom('second_factors').where('user_id', '=', userId).executeTakeFirst()
  return result.numDeletedRows === 1n
}

export async function createRecoveryCodes(db: Db, userId: number, hashes: readonly Buffer[]): Promise<void> {
  await db
    .insertInto('recovery_codes')
    .values(hashes.map((hash) => ({ user_id: userId, code_hash: hash })))
    .execute()
}

/** Uses a recovery code up; false if it is not one of the person's. */
export async function takeRecoveryCode(db: Db, userId: number, hash: Buffer): Promise<boolean> {
  const result = await db
    .deleteFrom('recovery_codes')
    .where('user_id', '=', userId)
    .where('code_hash', '=', hash)
    .executeTakeFirst()
  return result.numDeletedRows === 1n
}
