import { randomBytes } from 'node:crypto'
import type { Database } from '@busbar/platform/kernel/database/database.ts'
import type { DB } from '@busbar/platform/kernel/database/schema.gen.ts'
import { hashPassword, hashToken, openSession } from '@busbar/platform/modules/accounts/index.ts'
import { mainBrandId } from '@busbar/platform/modules/brands/index.ts'
import { createCode } from '@busbar/platform/modules/machines/index.ts'
import type { Updateable } from 'kysely'

let counter = 0
const next = () => ++counter

/** A hash takes 50 ms of a core, and tests mostly use one password. */
const hashes = new Map<string, Promise<string>>()

function hashOf(password: string): Promise<string> {
  const hash = hashes.get(password) ?? hashPassword(password)
  hashes.set(password, hash)
  return hash
}

/** A person of a test, signed in: `token` opens every route. */
export interface TestUser {
  readonly userId: number
  readonly email: string
  readonly token: string
  readonly sessionId: number
}

interface PersonOverrides {
  name?: string
  email?: string
  password?: string
  phone?: string
  lang?: 'cn' | 'en'
}

/** Makes a person and a session for them, without hashing a password unless one is given. */
export async function createUser(db: Database, overrides: PersonOverrides = {}): Promise<TestUser> {
  const email = overrides.email ?? `person${next()}-${randomBytes(3).toString('hex')}@example.test`
  const row = await db
    .insertInto('users')
    .values({
      name: overrides.name ?? 'Ming Li',
      email,
      lang: overrides.lang ?? 'cn',
      password_hash: overrides.password ? await hashOf(overrides.password) : 'none',
      ...(overrides.phone ? { phone: overrides.phone, country_code: '86' } : {}),
    })
    .returning(['id', 'phone', 'email', 'login_expiry_days'])
    .executeTakeFirstOrThrow()
  const session = await signIn(db, row.id)
  return { userId: row.id, email, ...session }
}

/** A further session of a person, on a new terminal, with the main brand unless another is named. */
export async function signIn(
  db: Database,
  userId: number,
  on: { brandId?: number } = {},
): Promise<{ token: string; sessionId: number }> {
  const user = await db
    .selectFrom('users')
    .select(['id', 'phone', 'email', 'login_expiry_days'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  const opened = await openSession(
    db,
    user,
    {
      terminalUUID: `terminal-${next()}-${randomBytes(3).toString('hex')}`,
      terminalType: 1,
      terminalName: 'test',
    },
    { address: '127.0.0.1', at: new Date(), brandId: on.brandId ?? mainBrandId },
  )
  return { token: opened.token, sessionId: opened.sessionId }
}

/** A registered machine of a test, with the data of its label and its agent. */
export interface TestMachine {
  readonly machineId: number
  readonly code: string
  readonly secret: string
}

/** Makes a machine; with `owner` it is in the owner's list, with `password` it can be bound. */
export async function createMachine(
  db: Database,
  overrides: {
    code?: string
    name?: string
    type?: string
    password?: string
    owner?: number
    cloudService?: boolean
  } = {},
): Promise<TestMachine> {
  const code = overrides.code ?? createCode()
  const secret = randomBytes(32).toString('base64url')
  const name = overrides.name ?? `Machine ${next()}`
  const row = await db
    .insertInto('machines')
    .values({
      code,
      type: overrides.type ?? 'machine',
      name,
      secret_hash: hashToken(secret),
      password_hash: overrides.password ? await hashOf(overrides.password) : null,
      owner_user_id: overrides.owner ?? null,
      cloud_service: overrides.cloudService ?? true,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  if (overrides.owner !== undefined) await listMachine(db, overrides.owner, row.id, name)
  return { machineId: row.id, code, secret }
}

/** Puts a machine into a person's list. */
export async function listMachine(
  db: Database,
  userId: number,
  machineId: number,
  name = 'Machine',
): Promise<void> {
  await db
    .insertInto('machine_list_entries')
    .values({ user_id: userId, machine_id: machineId, name })
    .execute()
}

/** Writes where a machine is; what is not given is as a person who set it by hand left it. */
export async function placeMachine(
  db: Database,
  machineId: number,
  place: Omit<Updateable<DB['machine_places']>, 'machine_id'> = {},
): Promise<void> {
  const values = { lat: 31.23, lng: 121.47, source: 'manual', fixed_at: new Date(), ...place }
  await db
    .insertInto('machine_places')
    .values({ machine_id: machineId, ...values })
    .onConflict((conflict) => conflict.column('machine_id').doUpdateSet(values))
    .execute()
}

interface MachineGrant {
  role: 'bkey' | 'visitor'
  until?: Date
  readOnly?: boolean
}

/** Gives a person a right to a machine and puts it into their list; returns the grant's id. */
export async function grantMachine(
  db: Database,
  userId: number,
  machineId: number,
  grant: MachineGrant,
): Promise<number> {
  const { id } = await db
    .insertInto('machine_grants')
    .values({
      user_id: userId,
      machine_id: machineId,
      role: grant.role,
      until: grant.until ?? null,
      read_only: grant.readOnly ?? false,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await listMachine(db, userId, machineId)
  return id
}

/** Makes a person, signed in, with a right to a machine. */
export async function createHolder(
  db: Database,
  machineId: number,
  grant: MachineGrant,
  person: PersonOverrides = {},
): Promise<TestUser> {
  const user = await createUser(db, person)
  await grantMachine(db, user.userId, machineId, grant)
  return user
}

/** Puts a person on a machine's blacklist. */
export async function blacklistUser(db: Database, userId: number, machineId: number): Promise<void> {
  await db.insertInto('machine_blacklist').values({ user_id: userId, machine_id: machineId }).execute()
}

/** A session whose person proved the password at `at`, without hashing one. */
export async function proveSession(db: Database, sessionId: number, at = new Date()): Promise<void> {
  await db.updateTable('sessions').set({ proved_at: at }).where('id', '=', sessionId).execute()
}
