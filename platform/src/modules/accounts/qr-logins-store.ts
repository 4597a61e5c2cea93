import type { Db } from './accounts-store.ts'

/** A QR code to be stored. */
export interface NewQrLogin {
  readonly tokenHash: Buffer
  readonly redeemHash: Buffer
  readonly brandId: number
  readonly terminalUuid: string
  readonly terminalName: string
  readonly terminalOs: string | null
  readonly address: string
  readonly expiresAt: Date
}

export async function createQrLogin(db: Db, login: NewQrLogin): Promise<void> {
  await db
    .insertInto('qr_logins')
    .values({
      token_hash: login.tokenHash,
      redeem_hash: login.redeemHash,
      brand_id: login.brandId,
      terminal_uuid: login.terminalUuid,
      terminal_name: login.terminalName,
      terminal_os: login.terminalOs,
      address: login.address,
      expires_at: login.expiresAt,
    })
    .execute()
}

/** A code that has not expired, with the name of the person who scanned it. */
export async function findQrLogin(db: Db, tokenHash: Buffer, now: Date) {
  return db
    .selectFrom('qr_logins as login')
    .leftJoin('sessions', 'sessions.id', 'login.session_id')
    .leftJoin('users', 'users.id', 'sessions.user_id')
    .select([
      'login.state',
      'login.redeem_hash',
      'login.brand_id',
      'login.terminal_uuid',
      'login.session_id',
      'login.expires_at',
      'users.name',
    ])
    .where('login.token_hash', '=', tokenHash)
    .where('login.expires_at', '>', now)
    .executeTakeFirst()
}

/** The session's data that decides whether it may continue with a code. */
export interface QrCaller {
  readonly sessionId: number
  readonly brandId: number
  readonly now: Date
}

/** A session scans a code that no other one has scanned; undefined when it may not. */
export async function scanQrLogin(db: Db, tokenHash: Buffer, caller: QrCaller) {
  return db
    .updateTable('qr_logins')
    .set({ state: 'scanned', session_id: caller.sessionId })
    .where('token_hash', '=', tokenHash)
    .where('brand_id', '=', caller.brandId)
    .where('expires_at', '>', caller.now)
    .where((where) =>
      where.or([
        where('state', '=', 'waiting'),
        where.and([where('state', '=', 'scanned'), where('session_id', '=', caller.sessionId)]),
      ]),
    )
    .returning(['terminal_name', 'address'])
    .executeTakeFirst()
}

/** The session that scanned a code decides about it, once; undefined when it may not. */
export async function decideQrLogin(
  db: Db,
  tokenHash: Buffer,
  caller: QrCaller,
  state: 'confirmed' | 'cancelled',
) {
  return db
    .updateTable('qr_logins')
    .set({ state })
    .where('token_hash', '=', tokenHash)
    .where('state', '=', 'scanned')
    .where('session_id', '=', caller.sessionId)
    .where('brand_id', '=', caller.brandId)
    .where('expires_at', '>', caller.now)
    .returning(['terminal_name', 'address'])
    .executeTakeFirst()
}

/** Uses a confirmed code up; undefined if it was used meanwhile, or has expired. */
export async function redeemQrLogin(db: Db, tokenHash: Buffer, now: Date) {
  return db
    .updateTable('qr_logins')
    .set({ state: 'redeemed' })
    .where('token_hash', '=', tokenHash)
    .where('state', '=', 'confirmed')
    .where('expires_at', '>', now)
    .returning(['terminal_uuid', 'terminal_name', 'terminal_os'])
    .executeTakeFirst()
}
