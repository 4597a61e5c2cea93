import { cutToWidth, limits, textWidth } from '@busbar/contract'
import type { Kysely } from 'kysely'
import type { DB } from '../../kernel/database/schema.gen.ts'
import { Failure } from '../../kernel/http/failure.ts'

type Db = Kysely<DB>

/**
 * The key of a name; equal names have equal keys: normalized, without a difference between small and capital letters.
 */
export function nameKeyOf(name: string): string {
  return name.normalize('NFC').toUpperCase().toLowerCase().normalize('NFC')
}

/**
 * Throws 04010412 where another machine of the person's list has the name they typed (rules/machines.md: unique names).
 */
export async function requireFreeName(
  db: Db,
  entry: { readonly userId: number; readonly machineId: number; readonly name: string },
): Promise<void> {
  if ((await readKeys(db, entry.userId, entry.machineId)).has(nameKeyOf(entry.name)))
    throw new Failure('04010412')
}

/** A generated name that is free in a person's list: "Press", else "Press (2)", cut to the longest name. */
export async function findFreeName(
  db: Db,
  entry: { readonly userId: number; readonly machineId: number; readonly name: string },
): Promise<string> {
  const taken = await readKeys(db, entry.userId, entry.machineId)
  return numberUntilFree(entry.name, taken)
}

/** The name itself, or with the first number that is free. */
export function numberUntilFree(name: string, taken: ReadonlySet<string>): string {
  let free = name
  for (let place = 2; taken.has(nameKeyOf(free)); place++) free = numberName(name, place)
  return free
}

function numberName(name: string, place: number): string {
  const number = ` (${place})`
  return cutToWidth(name, limits.machineNameMax - textWidth(number)).trimEnd() + number
}

/** Entries from before keys were stored have none in their row: their keys are made from the names. */
async function readKeys(db: Db, userId: number, exceptMachineId: number): Promise<Set<string>> {
  const rows = await db
    .selectFrom('machine_list_entries')
    .select('name')
    .where('user_id', '=', userId)
    .where('machine_id', '!=', exceptMachineId)
    .execute()
  return new Set(rows.map(({ name }) => nameKeyOf(name)))
}

/** Writes a list entry. Throws 04010412 where another one with this name came between. */
export async function refuseSameName<T>(write: Promise<T>): Promise<T> {
  try {
    return await write
  } catch (error) {
    if (isSameName(error)) throw new Failure('04010412')
    throw error
  }
}

function isSameName(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false
  const { code, constraint } = error as { code?: unknown; constraint?: unknown }
  return code === '23505' && constraint === 'machine_list_entries_name'
}
